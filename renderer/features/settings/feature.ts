/** The settings. */
import { Settings } from './settings.tsx';
import { defineFeature } from '../define-feature.ts';

export const feature = defineFeature({
  dialogs: { settings: Settings },
});
