/** The named regions of the window and how the focus gets from one to the next. A region is marked by `data-region`. */
import { flushSync } from 'react-dom';
import { call } from '../bridge.ts';
import { mirror } from '../mirror.ts';

/** Names of the regions, in the order in which F6 visits them. */
let order: readonly string[] = [];

export function setRegionOrder(names: readonly string[]): void {
  order = names;
}

/** Puts the focus where work goes on in a region; false when it is not on screen. */
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
  // A region with nothing to work on, such as an output that is still empty, is focused itself.
  if (!target) region.tabIndex = -1;
  (target ?? region).focus();
  return true;
}

/**
 * Runs `show`, which brings a region on screen, and focuses the region at once, so that the next key already goes to it. Once more
 * in the next frame, for what is drawn late and for a menu that gives the focus back while it closes; not when a key or the
 * pointer was pressed in between, since the focus is then where that put it.
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

/**
 * Gives the focus to what a region is for, once that is there, where the region itself was given it for want of anything to work on. Call
 * it when what was asked for has come.
 */
export function focusWhatCame(name: string): void {
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement && activeElement.dataset['region'] === name) focusRegion(name);
}

/** True where something in a region has the focus; the region itself has it for want of anything to work on. */
function hasFocusWithin(name: string): boolean {
  return focusedRegion() === name && document.activeElement?.matches('[data-region]') === false;
}

/** Review is a view of its own, after the last region: it was given the keyboard, and nothing was done here since. */
let inReview = false;

/** Names of the regions on screen, in their order. */
function shownRegions(): string[] {
  const shown = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter(isShown);
  return order.filter((name) => shown.some((each) => each.dataset['region'] === name));
}

export function moveToRegion(step: 1 | -1): void {
  const names = shownRegions();
  const here = inReview ? undefined : focusedRegion();
  inReview = false;
  // A place before the first and after the last is Review's.
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

/** Regions beside those in which the person works: Emacs has them outside of its windows. */
const BARS: readonly string[] = ['Title bar', 'Panels', 'Status bar'];

/** The panel after the one that has the focus, the bars left out; after the last comes the first. */
export function nextPanel(): string | null {
  const names = shownRegions().filter((name) => !BARS.includes(name));
  return names[(names.indexOf(focusedRegion() ?? '') + 1) % names.length] ?? null;
}

/** The region that has the focus. */
export function focusedRegion(): string | null {
  return document.activeElement?.closest<HTMLElement>('[data-region]')?.dataset['region'] ?? null;
}

/** Fields are focused before the buttons of a head, which stand before them and are not what a panel is for. */
const FIELD =
  'textarea:not([disabled]), input:not([disabled]):not([type="checkbox"]):not([type="radio"]), .native-edit-context';
/** A choice of what a region shows is not what it is for either: without more the region itself has the focus. */
const FOCUSABLE =
  'textarea:not([disabled]), input:not([disabled]):not([type="radio"]), .native-edit-context, button:not([disabled]):not([tabindex="-1"]), [role="tree"], [tabindex="0"]:not([type="radio"])';

function isShown(element: HTMLElement): boolean {
  return element.getClientRects().length > 0;
}
