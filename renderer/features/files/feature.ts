/** The files of the project. */
import { Files as FilesIcon } from 'lucide-react';
import { fileCommands } from './commands.ts';
import { followFilesView } from './files-store.ts';
import { Files } from './panel.tsx';
import { followOperations } from './undone.ts';
import { defineFeature } from '../define-feature.ts';

export const feature = defineFeature({
  panels: [{ id: 'files', title: 'Files', place: 'left', icon: FilesIcon, keys: 'Ctrl+Shift+E', Panel: Files }],
  commands: fileCommands,
  follow: () => {
    followFilesView();
    followOperations();
  },
});
