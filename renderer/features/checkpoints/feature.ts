/** Checkpoints of the image. */
import { ChooseCheckpoint } from './choose.tsx';
import { MakeCheckpoint } from './make.tsx';
import { defineFeature } from '../define-feature.ts';

export const feature = defineFeature({
  dialogs: { 'make-checkpoint': MakeCheckpoint, 'choose-checkpoint': ChooseCheckpoint },
});
