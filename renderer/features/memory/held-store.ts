/**
 * Heap objects that are examined individually: the instances of a class, or a single object from elsewhere, each with the references that
 * keep it alive. The image holds them while they are shown.
 */
import type { HeldObject, RootPath } from '#contract/image/observation/profiling.ts';
import { call, messageOf } from '../../base/bridge.ts';
import { showDock } from '../../base/layout/layout-store.ts';
import { showRegion } from '../../base/layout/regions.ts';
import { freshPane, releasePanes } from '../inspector/held-panes.ts';
import { notify } from '../../base/notices/notices.tsx';
import { imageOf, shownRepl } from '../../base/image/active-repl.ts';
import { processOf } from './store.ts';
import { makeStore } from '../../base/store.ts';

/** The maximum number of instances of a class that are listed. */
const LISTED = 100;
/** The maximum number of characters of an object's text. */
const LONGEST_TITLE = 300;

/** The reasons why an object is alive, as answered by the image; `asked` until the answer arrives. */
export type Reasons = 'asked' | { readonly problem: string } | { readonly paths: readonly RootPath[] };

/** Objects that are shown together. */
export interface Held {
  readonly pane: string;
  /** The image's process that holds the objects. */
  readonly of: string | null;
  /** The name of the objects' class, or the text of the single object. */
  readonly title: string;
  readonly isClass: boolean;
  /** The objects; null until the image has answered. */
  readonly objects: readonly HeldObject[] | null;
  /** The total number of instances. */
  readonly total: number;
  readonly problem: string | null;
  /** The reasons why the requested objects are alive, by handle. */
  readonly reasons: ReadonlyMap<number, Reasons>;
  /** The handles of the objects whose reasons are shown. */
  readonly opened: ReadonlySet<number>;
}

const [store, useStored] = makeStore<{ held: Held | null }>({ held: null });

export function useHeld(): Held | null {
  return useStored(({ held }) => held);
}

/** Lists instances of a class. `type` is the name of the class in the report. */
export async function showInstances(type: string): Promise<void> {
  const repl = shownRepl();
  const { pane } = begin(type, true, processOf(imageOf(repl)));
  try {
    const told = await call('memory.instances', { repl: repl.id, class: type, pane, limit: LISTED });
    const problem = told === null ? 'The image is gone.' : told.found ? null : 'The class no longer exists.';
    change(pane, { objects: told?.instances ?? [], total: told?.total ?? 0, problem });
  } catch (error) {
    change(pane, { objects: [], problem: messageOf(error) });
  }
}

/** Shows the references that keep alive an object that the image holds for another view. */
export async function showWhyAlive(handle: number, text: string): Promise<void> {
  const pane = freshPane('memory');
  const kept = await call('inspector.keep', { handle, pane });
  if (kept.handle === null) return void notify('This value is gone: the image restarted or ran low on memory.');
  showRegion('Memory', () => showDock('memory'));
  begin(text.slice(0, LONGEST_TITLE), false, processOf(imageOf(shownRepl())), pane);
  change(pane, { objects: [{ text: text.slice(0, LONGEST_TITLE), type: '', handle: kept.handle }], total: 1 });
  await setOpened(kept.handle, true);
}

/** Shows or hides the reasons why an object is alive; they are requested when first shown. */
export async function setOpened(handle: number, isOpened: boolean): Promise<void> {
  const { held } = store.getState();
  if (!held) return;
  const opened = new Set(held.opened);
  if (isOpened) opened.add(handle);
  else opened.delete(handle);
  change(held.pane, { opened });
  if (isOpened && !held.reasons.has(handle)) await findReasons(held.pane, handle);
}

async function findReasons(pane: string, handle: number): Promise<void> {
  const take = (reasons: Reasons): void =>
    change(pane, (held) => ({ reasons: new Map([...held.reasons, [handle, reasons]]) }));
  take('asked');
  try {
    const { expired, paths } = await call('memory.whyAlive', { handle, pane });
    take(expired ? { problem: 'This object is gone: the image restarted or ran low on memory.' } : { paths });
  } catch (error) {
    take({ problem: messageOf(error) });
  }
}

export function closeHeld(): void {
  const { held } = store.getState();
  if (held) releasePanes([held.pane]);
  store.setState({ held: null });
}

function begin(title: string, isClass: boolean, of: string | null, pane: string = freshPane('memory')): Held {
  closeHeld();
  const held: Held = {
    pane,
    of,
    title,
    isClass,
    objects: null,
    total: 0,
    problem: null,
    reasons: new Map(),
    opened: new Set(),
  };
  store.setState({ held });
  return held;
}

/** Changes the shown objects. If this pane's objects are no longer shown, releases the handles that the image holds for it. */
function change(pane: string, part: Partial<Held> | ((held: Held) => Partial<Held>)): void {
  const { held } = store.getState();
  if (held?.pane !== pane) releasePanes([pane]);
  else store.setState({ held: { ...held, ...(typeof part === 'function' ? part(held) : part) } });
}
