/** The dialog about the protections of images. */
import { on } from '../../base/bridge.ts';
import { openOverlay } from '../../base/layout/overlays.ts';
import { Protection } from './protection.tsx';
import { defineFeature } from '../define-feature.ts';

export const feature = defineFeature({
  dialogs: { protection: Protection },
  start: () => on('protection-wanted', ({ image }) => openOverlay({ kind: 'protection', image })),
});
