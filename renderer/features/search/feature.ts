/** The search in the files of the project. */
import { searchCommands } from './commands.ts';
import { Search } from './panel.tsx';
import { defineFeature } from '../define-feature.ts';

export const feature = defineFeature({
  panels: [{ id: 'search', title: 'Search', place: 'dock', Panel: Search }],
  commands: searchCommands,
});
