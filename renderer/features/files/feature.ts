/** The files of the project. */
import { Files as FilesIcon } from 'lucide-react';
import { Files } from './panel.tsx';
import { defineFeature } from '../define-feature.ts';

export const feature = defineFeature({
  panels: [{ id: 'files', title: 'Files', place: 'left', icon: FilesIcon, keys: 'Ctrl+Shift+E', Panel: Files }],
});
