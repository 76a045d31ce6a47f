/** What is wrong and lasts, a line each, for as long as it does: that what is typed is not kept, say. */
import './alert-bar.css';
import { TriangleAlert } from 'lucide-react';
import { call } from '../bridge.ts';
import { useMirror } from '../mirror.ts';
import { Button } from '../ui/button.tsx';
import { orNotice } from './notices.tsx';

export function AlertBar() {
  const alerts = useMirror((state) => state.alerts);
  if (alerts.length === 0) return null;
  return (
    <section className="alerts" aria-label="Alerts" role="alert">
      {alerts.map(({ id, text, actions }) => (
        <div key={id} className="alert-bar">
          <TriangleAlert className="icon" aria-hidden />
          <p className="alert-text">{text}</p>
          {actions.map((action) => (
            <Button
              key={action.id}
              size="small"
              onPress={() => void orNotice(call('alerts.act', { id, action: action.id }))}
            >
              {action.title}
            </Button>
          ))}
        </div>
      ))}
    </section>
  );
}
