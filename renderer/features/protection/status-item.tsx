/** The item of the status bar that shows the protections and opens the dialog about them. */
import { Shield, ShieldQuestion } from 'lucide-react';
import { Button } from 'react-aria-components';
import { runCommand } from '../../base/keys/command-registry.ts';
import { useOfShownImage } from '../../base/image/active-repl.ts';
import { useMirror } from '../../base/mirror.ts';
import { look } from '../../ui/look.ts';
import { Hint } from '../../ui/menus/tooltip.tsx';
import styles from '../../ui/status-item.module.css';
import { protectionLabel, wallNotice } from './descriptions.ts';

const GUARD = 'Clients’ code waits for your approval before it writes, deletes, starts a process or connects.';

export function ProtectionItem() {
  const shared = useMirror((state) => state.session);
  const image = useOfShownImage((shown) => shown) ?? shared;
  const label = protectionLabel(image);
  return (
    <Hint text={`${GUARD} ${wallNotice(image)}`} placement="top">
      <Button
        aria-label={`Protection: ${label}`}
        className={look(
          { flow: 'row', inline: true, gap: 'mark', round: 'inline', padX: 1, tall: 'full' },
          styles.statusButton,
        )}
        onPress={() => runCommand('image.protection')}
      >
        {image.unreviewed ? (
          <ShieldQuestion className={look({ tone: 'warning' }, 'icon-small')} aria-hidden />
        ) : (
          <Shield className="icon-small" aria-hidden />
        )}
        {label}
      </Button>
    </Hint>
  );
}
