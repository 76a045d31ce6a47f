/** All commands with their keys. */
import { closeOverlay } from '../layout/overlays.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Keys } from '../ui/keys.tsx';
import { allCommands } from './registry.ts';

export function Help() {
  const commands = allCommands().filter((command) => command.keys !== undefined);
  return (
    <Dialog title="Keys and commands" onClose={closeOverlay}>
      <dl className="help-list" tabIndex={0} aria-label="Commands and their keys">
        {commands.map((command) => (
          <div key={command.id} className="help-row">
            <dt>{command.title}</dt>
            <dd>
              <Keys keys={command.keys ?? ''} />
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
