/** While the open folder is not trusted: what that keeps from happening, and the one click that ends it. */
import './trust-bar.css';
import { ShieldAlert } from 'lucide-react';
import { call } from '../bridge.ts';
import { useMirror } from '../mirror.ts';
import { Button } from '../ui/button.tsx';
import { orNotice } from './notices.tsx';

export function TrustBar() {
  const project = useMirror((state) => state.project);
  if (project === null || project.trusted) return null;
  return (
    <section className="trust-bar" aria-label="Trust" role="status">
      <ShieldAlert className="icon" aria-hidden />
      <p className="trust-text">
        <strong>{project.name} is not trusted yet.</strong> You can read and edit its files. Its systems are listed and
        not loaded, and no AI client may do anything.
      </p>
      <Button size="small" onPress={() => void orNotice(call('project.trust', {}))}>
        Trust this folder
      </Button>
    </section>
  );
}
