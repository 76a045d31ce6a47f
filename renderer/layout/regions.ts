/** The named regions of the window and how the focus gets from one to the next. A region is marked by `data-region`. */
import { call } from '../bridge.ts';
import { mirror } from '../mirror.ts';

/** In the order in which F6 visits them. */
const ORDER = [
  'Title bar',
  'Panels',
  'Definitions',
  'Systems',
  'Clients',
  'Activity',
  'Editor',
  'REPL',
  'Output',
  'Status bar',
];

/** Puts the focus where work goes on in a region; false when it is not on screen. */
export function focusRegion(name: string): boolean {
  const region = [...document.querySelectorAll<HTMLElement>('[data-region]')].find(
    (each) => each.dataset['region'] === name && isShown(each),
  );
  if (!region) return false;
  const wanted = region.querySelector<HTMLElement>('[data-region-focus]');
  const target = wanted?.matches(FOCUSABLE) ? wanted : (wanted ?? region).querySelector<HTMLElement>(FOCUSABLE);
  (target ?? region).focus();
  return true;
}

/** The same once what was just opened is drawn. */
export function focusRegionSoon(name: string): void {
  requestAnimationFrame(() => setTimeout(() => focusRegion(name), 0));
}

/** Review is a view of its own, after the last region: it was given the keyboard, and nothing was done here since. */
let inReview = false;
for (const done of ['keydown', 'pointerdown']) window.addEventListener(done, () => (inReview = false), true);

export function moveToRegion(step: 1 | -1): void {
  const names = ORDER.filter((name) =>
    [...document.querySelectorAll<HTMLElement>('[data-region]')].some(
      (each) => each.dataset['region'] === name && isShown(each),
    ),
  );
  const here = inReview ? undefined : focusedRegion();
  inReview = false;
  // A place before the first and after the last is Review's.
  const index = here ? names.indexOf(here) : step > 0 ? -1 : names.length;
  for (let at = index + step; at >= 0 && at < names.length; at += step) if (focusRegion(names[at]!)) return;
  if (here && mirror.getState().reviewOpen) {
    inReview = true;
    void call('review.show', { open: true, focus: true });
  } else focusRegion(names.at(step > 0 ? 0 : -1) ?? '');
}

/** The region that has the focus. */
export function focusedRegion(): string | null {
  return document.activeElement?.closest<HTMLElement>('[data-region]')?.dataset['region'] ?? null;
}

const FOCUSABLE =
  'textarea:not([disabled]), input:not([disabled]), .native-edit-context, button:not([disabled]):not([tabindex="-1"]), [role="tree"], [tabindex="0"]';

function isShown(element: HTMLElement): boolean {
  return element.getClientRects().length > 0;
}
