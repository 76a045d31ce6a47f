/** The definitions of the image: deviations from files, and changes by agents. */
import { ListTree } from 'lucide-react';
import { installAgentMarks } from './marks/agent-marks.ts';
import { definitionCommands } from './commands.ts';
import { Definitions } from './panel/definitions.tsx';
import { installStateMarks } from './marks/state-marks.ts';
import { defineFeature } from '../define-feature.ts';

export const feature = defineFeature({
  panels: [
    {
      id: 'definitions',
      title: 'Definitions',
      place: 'left',
      icon: ListTree,
      keys: 'Ctrl+Shift+D',
      Panel: Definitions,
    },
  ],
  commands: definitionCommands,
  editor: { parts: [installAgentMarks, installStateMarks] },
});
