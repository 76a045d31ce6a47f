/** The dialog that lists all commands with their keys. */
import { closeOverlay } from '../base/overlays.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Keys } from '../ui/keys.tsx';
import { allCommands } from '../features/command-registry.ts';
import { Row, Stack } from '../ui/layout.tsx';
import styles from './help.module.css';

export function Help() {
  const commands = allCommands().filter((command) => command.keys !== undefined);
  return (
    <Dialog title="Keys and commands" onClose={closeOverlay}>
      <Stack as="dl" tabIndex={0} aria-label="Commands and their keys">
        {commands.map((command) => (
          <Row key={command.id} justify="between" edge="bottom" className={styles.row}>
            <dt>{command.title}</dt>
            <dd>
              <Keys keys={command.keys ?? ''} />
            </dd>
          </Row>
        ))}
      </Stack>
    </Dialog>
  );
}
