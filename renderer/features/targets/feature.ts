/** Images on other machines and in containers. */
import { Targets } from './targets.tsx';
import { defineFeature } from '../define-feature.ts';

export const feature = defineFeature({
  dialogs: { targets: Targets },
});
