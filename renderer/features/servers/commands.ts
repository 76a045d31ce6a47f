/** Commands on the program's servers. */
import { RadioTower } from 'lucide-react';
import { openOverlay } from '../../base/layout/overlays.ts';
import type { Command } from '../../base/keys/command-registry.ts';

export const serverCommands: Command[] = [
  {
    id: 'servers.show',
    title: 'Servers…',
    icon: RadioTower,
    detail: () => 'start and stop the servers for other programs',
    run: () => openOverlay({ kind: 'servers' }),
  },
];
