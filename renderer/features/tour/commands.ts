/** Commands for beginners: the start-up page and the tour. */
import { GraduationCap, House } from 'lucide-react';
import { isWholePage, layout, showPage } from '../../base/layout/layout-store.ts';
import { openOverlay } from '../../base/layout/overlays.ts';
import { showRegion } from '../../base/layout/regions.ts';
import { buffers } from '../../editor/text/buffers.ts';
import type { Command } from '../../base/keys/command-registry.ts';
import { indexOf, stepOf, STEPS } from './steps.ts';
import { closeTour, moveStep, tour } from './tour-store.ts';
import { doStep } from './do-it.ts';

const inTour = (): true | string => tour.getState().open || 'while the tour is open';

export const tourCommands: Command[] = [
  {
    id: 'help.welcome',
    title: 'Welcome',
    icon: House,
    run: () => {
      // With no text open, the editor shows the start-up page.
      if (buffers.getState().buffers.length === 0) showRegion('Editor', () => showPage('editor'));
      else showRegion('Welcome', () => showPage('welcome'));
    },
  },
  {
    id: 'tour.start',
    title: 'Start the Tour…',
    icon: GraduationCap,
    detail: () => 'nine steps on a small project',
    run: () => openOverlay({ kind: 'tour' }),
  },
  {
    id: 'tour.focus',
    title: 'Tour: Focus',
    when: inTour,
    run: () => showRegion('Tour', () => layout.setState(({ page }) => ({ page: isWholePage(page) ? 'editor' : page }))),
  },
  {
    id: 'tour.next',
    title: 'Tour: Next Step',
    keys: 'Ctrl+; N',
    when: inTour,
    detail: () => STEPS[indexOf(tour.getState().place.step) + 1]?.title ?? 'ends the tour',
    run: () => moveStep(1),
  },
  { id: 'tour.back', title: 'Tour: Previous Step', keys: 'Ctrl+; P', when: inTour, run: () => moveStep(-1) },
  {
    id: 'tour.doIt',
    title: 'Tour: Do It for Me',
    keys: 'Ctrl+; D',
    when: inTour,
    detail: () => stepOf(tour.getState().place.step).title,
    run: () => doStep(tour.getState().place.step),
  },
  { id: 'tour.close', title: 'Tour: Close', when: inTour, run: closeTour },
];
