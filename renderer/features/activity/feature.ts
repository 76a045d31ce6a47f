/** The activity of all actors in the image. */
import { Activity as ActivityIcon } from 'lucide-react';
import { Activity } from './panel.tsx';
import { defineFeature } from '../define-feature.ts';

export const feature = defineFeature({
  panels: [
    { id: 'activity', title: 'Activity', place: 'page', icon: ActivityIcon, keys: 'Ctrl+Shift+H', Panel: Activity },
  ],
});
