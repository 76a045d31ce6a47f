/** The documentation of the name at the caret, and links to its source. */
import { BookOpen } from 'lucide-react';
import { goCommands } from './commands.ts';
import { followEd } from './editing-wanted.ts';
import { hyperspecCommands } from './hyperspec-commands.ts';
import { Documentation } from './panel.tsx';
import { PinName } from './pin.tsx';
import { defineFeature } from '../define-feature.ts';

export const feature = defineFeature({
  panels: [
    {
      id: 'documentation',
      title: 'Documentation',
      place: 'side',
      icon: BookOpen,
      Panel: Documentation,
      Actions: PinName,
      command: 'go.documentation',
    },
  ],
  commands: [...goCommands, ...hyperspecCommands],
  start: followEd,
});
