/** The tour of this window: whether its panel is open, and the person's position in it. The position is stored in the workspace. */
import type { Workspace } from '#contract/settings.ts';
import { contribute, keepSoon } from '../../base/layout/workspace.ts';
import { advance, FIRST_PLACE, type Happening, isStepId, stepBy, type StepId, STEPS, type TourPlace } from './steps.ts';
import { makeStore } from '../../base/store.ts';

export interface TourState {
  readonly open: boolean;
  /** The absolute path of the sample project's folder; null before the tour was started. */
  readonly folder: string | null;
  readonly place: TourPlace;
}

export const [tour, useTour] = makeStore<TourState>({ open: false, folder: null, place: FIRST_PLACE });

/** Restores the position from the last session, and starts to store it. */
export function restoreTour({ tour: kept }: Pick<Workspace, 'tour'>): void {
  if (kept && isStepId(kept.step))
    tour.setState({
      open: kept.open,
      folder: kept.folder,
      place: { step: kept.step, part: 0, done: kept.done.filter(isStepId) },
    });
  contribute(() => {
    const { open, folder, place } = tour.getState();
    return folder === null ? {} : { tour: { open, folder, step: place.step, done: [...place.done] } };
  });
  tour.subscribe(keepSoon);
}

/** Opens the tour of a project. If a tour was already open in the same folder, it continues where it stopped, unless all steps are done. */
export function openTour(folder: string): void {
  const { folder: before, place } = tour.getState();
  const goesOn = folder === before && place.done.length < STEPS.length;
  tour.setState({ open: true, folder, place: goesOn ? place : FIRST_PLACE });
}

export function closeTour(): void {
  tour.setState({ open: false });
}

export function goToStep(step: StepId): void {
  tour.setState(({ place }) => ({ place: { ...place, step, part: 0 } }));
}

/** Goes to the previous or next step; the tour closes after the last. */
export function moveStep(by: -1 | 1): void {
  const place = stepBy(tour.getState().place, by);
  if (place) tour.setState({ place });
  else if (by === 1) closeTour();
}

/** Reports an event to the tour while it is open. */
export function tellTour(happening: Happening): void {
  const { open, place } = tour.getState();
  const next = open ? advance(place, happening) : place;
  if (next !== place) tour.setState({ place: next });
}
