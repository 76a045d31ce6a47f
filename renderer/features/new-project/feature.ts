/** The dialog that makes a new project. */
import { NewProject } from './new-project.tsx';
import { defineFeature } from '../define-feature.ts';

export const feature = defineFeature({
  dialogs: { 'new-project': NewProject },
});
