/** The latest memory report about the shown REPL's image, the earlier point in time that it is compared with, and garbage collections. */
import type { MemoryReport } from '#contract/image/observation/profiling.ts';
import { call, messageOf } from '../../base/bridge.ts';
import { showDock } from '../../base/layout/layout-store.ts';
import { sizeOf } from '../../ui/panels/sizes.ts';
import { notify } from '../../base/notices/notices.tsx';
import { imageOf, shownRepl } from '../../base/image/active-repl.ts';
import { isBusy } from '../repl/repls.ts';
import { milliseconds } from '../../base/image/result-text.ts';
import { makeStore } from '../../base/store.ts';

/** The objects of each class at a point in time, by the name of the class. */
export interface Moment {
  readonly at: number;
  readonly types: MemoryReport['types'];
}

interface MemoryState {
  /** The image and the process that the report is about. */
  readonly of: string | null;
  /** The last report; null until the image has answered for the first time. */
  readonly report: MemoryReport | null;
  readonly at: number;
  readonly problem: string | null;
  readonly isAsking: boolean;
  /** The point in time that the report is compared with; null if there is no comparison. */
  readonly moment: Moment | null;
  /** The evaluation of a waiting or running collection; null if there is none. */
  readonly collecting: string | null;
}

const nothing: MemoryState = {
  of: null,
  report: null,
  at: 0,
  problem: null,
  isAsking: false,
  moment: null,
  collecting: null,
};
const [store, useMemory] = makeStore<MemoryState>(nothing);

export { useMemory };

/**
 * Returns a name for the process of a REPL's image; null if no process is running. Data about a process is dropped when another process
 * runs.
 */
export function processOf(image: { readonly id: string; readonly pid: number | null } | null): string | null {
  return image === null || image.pid === null ? null : `${image.id} ${image.pid}`;
}

/** Requests a report about the shown image. Never rejects: an error is put into the store. */
export async function readMemory(): Promise<void> {
  const repl = shownRepl();
  const of = processOf(imageOf(repl));
  if (store.getState().of !== of) store.setState({ ...nothing, of, collecting: store.getState().collecting });
  if (of === null) return;
  store.setState({ isAsking: true });
  let told: Partial<MemoryState>;
  try {
    const report = await call('memory.report', { repl: repl.id });
    told = report === null ? {} : { report, at: Date.now(), problem: null };
  } catch (error) {
    told = { problem: messageOf(error) };
  }
  if (store.getState().of === of) store.setState({ ...told, isAsking: false });
}

/** Stores the current report, with which later ones are compared. */
export async function compareWithNow(): Promise<void> {
  await readMemory();
  const { report, at, problem } = store.getState();
  if (report !== null && problem === null) store.setState({ moment: { at, types: report.types } });
}

export function endComparison(): void {
  store.setState({ moment: null });
}

/**
 * Collects garbage in the shown image when its turn in the queue comes, and shows how much memory that freed. `full` collects all
 * generations.
 */
export async function collectGarbage(full: boolean): Promise<void> {
  const repl = shownRepl();
  const image = imageOf(repl);
  if (image === null || store.getState().collecting !== null) return;
  const evaluation = crypto.randomUUID();
  store.setState({ collecting: evaluation });
  // The panel shows a waiting collection and can cancel it.
  if (isBusy(image)) showDock('memory');
  try {
    const answer = await call('memory.collect', { repl: repl.id, full, evaluation });
    if (answer?.collected) notify(collectedWords(answer.collected));
    else if (answer?.status === 'interrupted') notify('The collection was cancelled.');
    else notify(answer?.condition?.message ?? 'The image is gone.', 'error');
  } finally {
    store.setState({ collecting: null });
  }
  // If the panel has no report yet, it requests one when it is shown.
  if (store.getState().report !== null) await readMemory();
}

function collectedWords({ before, after, ms }: { before: number; after: number; ms: number }): string {
  const given = before - after;
  const what = given > 0 ? `freed ${sizeOf(given)}` : 'freed nothing';
  return `The collection ${what} in ${milliseconds(ms)}. ${sizeOf(after)} are in use.`;
}
