/** The places where a name is used. */
import { Link2 } from 'lucide-react';
import { References } from './panel.tsx';
import { defineFeature } from '../define-feature.ts';

export const feature = defineFeature({
  panels: [{ id: 'references', title: 'References', place: 'side', icon: Link2, Panel: References }],
});
