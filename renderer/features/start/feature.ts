/** The start-up page. */
import { WelcomePage } from './welcome.tsx';
import { defineFeature } from '../define-feature.ts';

export const feature = defineFeature({
  panels: [{ id: 'welcome', title: 'Welcome', place: 'middle', Panel: WelcomePage, command: 'help.welcome' }],
});
