/** Libraries: searching, installing and updating those of Quicklisp dists, and adding them to the project. */
import { Library } from 'lucide-react';
import { AddToProject } from './add-to-project.tsx';
import { libraryCommands } from './commands.ts';
import { followLibraries } from './libraries-store.ts';
import { Libraries } from './panel.tsx';
import { UpdateDist } from './update-dist.tsx';
import { DistVersions } from './dist-versions.tsx';
import { defineFeature } from '../define-feature.ts';

export const feature = defineFeature({
  panels: [
    { id: 'libraries', title: 'Libraries', place: 'left', icon: Library, keys: 'Ctrl+Alt+Shift+L', Panel: Libraries },
  ],
  commands: libraryCommands,
  dialogs: { 'update-dist': UpdateDist, 'dist-versions': DistVersions, 'add-library': AddToProject },
  follow: followLibraries,
});
