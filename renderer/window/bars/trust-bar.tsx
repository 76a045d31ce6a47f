/** The bar shown while the open folder is not trusted: the features that do not work until then, and a button to trust it. */
import { ShieldAlert } from 'lucide-react';
import { call } from '../../base/bridge.ts';
import { useMirror } from '../../base/mirror.ts';
import { Button } from '../../ui/button.tsx';
import { orNotice } from '../../base/notices/notices.tsx';
import { Row, Text } from '../../ui/layout.tsx';
import styles from './trust-bar.module.css';

export function TrustBar() {
  const project = useMirror((state) => state.project);
  if (project === null || project.trusted) return null;
  return (
    <Row
      as="section"
      fixed
      tone={1}
      surface={1}
      edge="bottom"
      className={styles.trustBar}
      aria-label="Trust"
      role="status"
      data-bar
    >
      <ShieldAlert className="icon" aria-hidden />
      <Text as="p" grow>
        <strong>{project.name} is not trusted.</strong> You can read and edit its files. Until you trust it, its systems
        cannot be loaded and AI clients cannot do anything.
      </Text>
      <Button size="small" onPress={() => void orNotice(call('project.trust', {}))}>
        Trust this folder
      </Button>
    </Row>
  );
}
