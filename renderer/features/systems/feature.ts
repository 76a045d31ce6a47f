/** ASDF systems: which are loaded, loading them and testing them. */
import { Boxes } from 'lucide-react';
import { systemCommands } from './commands.ts';
import { startOffers } from './offers.ts';
import { Systems } from './panel.tsx';
import { defineFeature } from '../define-feature.ts';

export const feature = defineFeature({
  panels: [{ id: 'systems', title: 'Systems', place: 'left', icon: Boxes, keys: 'Ctrl+Shift+Y', Panel: Systems }],
  commands: systemCommands,
  start: startOffers,
});
