/** The item of the status bar that opens the servers: MCP with its address, and the other servers that are on. */
import { CircleX, RadioTower } from 'lucide-react';
import { Button } from 'react-aria-components';
import { runCommand } from '../../base/keys/command-registry.ts';
import { useMirror } from '../../base/mirror.ts';
import { look } from '../../ui/look.ts';
import { Hint } from '../../ui/menus/tooltip.tsx';
import { openServers, statusLabel } from './descriptions.ts';
import styles from '../../ui/status-item.module.css';

export function ServersItem() {
  const servers = useMirror((state) => state.servers);
  const failed = servers.some(({ state }) => state === 'failed');
  const told = servers.flatMap(({ problem, notice }) => problem ?? notice ?? []).join(' ');
  return (
    <Hint text={told || 'Servers…'} placement="top">
      <Button
        className={look(
          {
            flow: 'row',
            inline: true,
            gap: 'mark',
            round: 'inline',
            padX: 1,
            ...(failed ? { tone: 'error' as const } : {}),
          },
          styles.statusButton,
        )}
        onPress={() => runCommand('servers.show')}
      >
        {failed ? (
          <CircleX className="icon-small" aria-hidden />
        ) : openServers(servers).length > 0 ? (
          <RadioTower className={look({ tone: 'cautious' }, 'icon-small')} aria-hidden />
        ) : null}
        {statusLabel(servers)}
      </Button>
    </Hint>
  );
}
