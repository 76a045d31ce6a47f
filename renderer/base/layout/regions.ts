/** The window's named regions, and how the focus moves between them. A region is marked by `data-region`. */
import { flushSync } from 'react-dom';
import { call } from '../bridge.ts';
import { mirror } from '../mirror.ts';

/** Names of the regions, in the order in which F6 visits them. */
let order: readonly string[] = [];

export function setRegionOrder(names: readonly string[]): void {
  order = names;
}

/** Focuses the element of a region in which the person continues to work. Returns false if the region is not on screen. */
export function focusRegion(name: string): boolean {
  const region = [...document.querySelectorAll<HTMLElement>('[data-region]')].find(
    (each) => each.dataset['region'] === name && isShown(each),
  );
  if (!region) return false;
  const wanted = region.querySelector<HTMLElement>('[data-region-focus]');
  const within = wanted ?? region;
  const target = wanted?.matches(`${FOCUSABLE}, [tabindex]`)
    ? wanted
    : (within.querySelector<HTMLElement>(FIELD) ?? within.querySelector<HTMLElement>(FOCUSABLE));
  // A region that contains nothing focusable, such as an empty output, gets the focus itself.
  if (!target) region.tabIndex = -1;
  (target ?? region).focus();
  return true;
}

/**
 * Runs `show`, which brings a region on screen, and focuses the region immediately, so that it receives the next key. Focuses it again in
 * the next frame, because some content is drawn late and a closing menu takes the focus back. A key or click in between cancels the second
 * focus.
 */
export function showRegion(name: string, show: () => void): void {
  flushSync(show);
  focusRegion(name);
  const touched = new AbortController();
  for (const press of ['keydown', 'pointerdown'])
    window.addEventListener(press, () => touched.abort(), { capture: true, signal: touched.signal });
  requestAnimationFrame(() =>
    setTimeout(() => {
      if (!touched.signal.aborted && !hasFocusWithin(name)) focusRegion(name);
      touched.abort();
    }, 0),
  );
}

/** Moves the focus from an empty region to its content. Called when requested content has arrived. */
export function focusWhatCame(name: string): void {
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement && activeElement.dataset['region'] === name) focusRegion(name);
}

/** True if an element inside a region has the focus. The region itself has the focus only if it contains nothing focusable. */
function hasFocusWithin(name: string): boolean {
  return focusedRegion() === name && document.activeElement?.matches('[data-region]') === false;
}

/**
 * True after the keyboard moved the focus to Review, until the next key or click in this page. Review is a separate view after the last
 * region.
 */
let inReview = false;

/** Returns the names of the visible regions, in order. */
function shownRegions(): string[] {
  const shown = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter(isShown);
  return order.filter((name) => shown.some((each) => each.dataset['region'] === name));
}

export function moveToRegion(step: 1 | -1): void {
  const names = shownRegions();
  const here = inReview ? undefined : focusedRegion();
  inReview = false;
  // Review comes both before the first region and after the last.
  const index = here ? names.indexOf(here) : step > 0 ? -1 : names.length;
  for (let at = index + step; at >= 0 && at < names.length; at += step) if (focusRegion(names[at]!)) return;
  if (here && mirror.getState().reviewOpen) {
    inReview = true;
    const left = (): void => void (inReview = false);
    for (const done of ['keydown', 'pointerdown']) window.addEventListener(done, left, { capture: true, once: true });
    call('review.show', { open: true, focus: true }).catch((error: unknown) =>
      console.error('Review is not shown.', error),
    );
  } else focusRegion(names.at(step > 0 ? 0 : -1) ?? '');
}

/** Bars around the working regions, which Emacs would not count as windows. */
const BARS: readonly string[] = ['Title bar', 'Panels', 'Status bar'];

/** Returns the panel after the focused one, skipping the bars. After the last panel comes the first. */
export function nextPanel(): string | null {
  const names = shownRegions().filter((name) => !BARS.includes(name));
  return names[(names.indexOf(focusedRegion() ?? '') + 1) % names.length] ?? null;
}

/** Returns the region that has the focus. */
export function focusedRegion(): string | null {
  return document.activeElement?.closest<HTMLElement>('[data-region]')?.dataset['region'] ?? null;
}

/**
 * Selector of text fields. They are focused in preference to the buttons of a header, which come first but are not the purpose of a panel.
 */
const FIELD =
  'textarea:not([disabled]), input:not([disabled]):not([type="checkbox"]):not([type="radio"]), .native-edit-context';
/**
 * Selector of focusable elements. Radio buttons are excluded, because they only choose what a region shows. A region that contains no such
 * element gets the focus itself.
 */
const FOCUSABLE =
  'textarea:not([disabled]), input:not([disabled]):not([type="radio"]), .native-edit-context, button:not([disabled]):not([tabindex="-1"]), [role="tree"], [tabindex="0"]:not([type="radio"])';

function isShown(element: HTMLElement): boolean {
  return element.getClientRects().length > 0;
}
