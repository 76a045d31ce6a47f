/** The REPLs. */
import { Terminal } from 'lucide-react';
import { transcript } from '../../base/image/transcript-store.ts';
import { replCommands } from './commands.ts';
import { ReplActions } from './dock-actions.tsx';
import { replInputCommands } from './input/commands.ts';
import { restoreReplInput } from './input/input-store.ts';
import { Repl } from './panel.tsx';
import { Rename } from './rename.tsx';
import { restoreRepls } from './repls.ts';
import { defineFeature } from '../define-feature.ts';

export const feature = defineFeature({
  panels: [
    {
      id: 'repl',
      title: 'REPL',
      place: 'dock',
      icon: Terminal,
      keys: 'Ctrl+`',
      Panel: Repl,
      Actions: ReplActions,
      staysAlive: true,
    },
  ],
  commands: [...replCommands, ...replInputCommands],
  dialogs: { rename: Rename },
  follow: () => transcript.followAgents(),
  restore: (workspace) => {
    restoreReplInput(workspace);
    restoreRepls(workspace);
  },
});
