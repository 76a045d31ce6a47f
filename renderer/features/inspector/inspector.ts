/** The two viewers of the inspector, the main one and the pinned one, and the actions on objects from anywhere in the window. */
import { useStore } from 'zustand';
import type { ActivityLog } from '../../base/activity-log.ts';
import { call, on } from '../../base/bridge.ts';
import { FIRST_REPL } from '#contract/image/shared-image.ts';
import { keepWithFolder } from '../../base/layout/folder-sessions.ts';
import { showSide } from '../../base/layout/layout-store.ts';
import { mirror } from '../../base/mirror.ts';
import { inspected, inspectHandle } from '../../base/image/inspect.ts';
import { notify } from '../../base/notices/notices.tsx';
import { insertIntoDraft } from '../repl/input/input-store.ts';
import { showImage } from '../repl/repls.ts';
import type { ViewerState } from './viewer-state.ts';
import { Viewer } from './viewer.ts';
import { makeStore } from '../../base/store.ts';

export const mainViewer = new Viewer();
export const pinnedViewer = new Viewer();

interface InspectorState {
  /** True if the main object is compared with the pinned one. */
  readonly comparing: boolean;
}

export const [inspector, useInspector] = makeStore<InspectorState>({ comparing: false });

export function useViewer<Part>(viewer: Viewer, select: (state: ViewerState) => Part): Part {
  return useStore(viewer.store, select);
}

/**
 * Starts to follow requests to show an object, evaluations that may change a watched object, and the end of the image. Returns a function
 * that stops this.
 */
export function startInspector(): () => void {
  keepObjectsWithFolder();
  const stops = [
    inspected.subscribe(({ wanted }) => {
      if (wanted) void mainViewer.open(wanted.handle, wanted.from);
    }),
    mirror.subscribe(({ session, images, activity }, before) => {
      const ended = activity !== before.activity && activity.events.at(-1)?.seq !== before.activity.events.at(-1)?.seq;
      const replaced =
        (session.pid !== before.session.pid && session.pid !== null) ||
        before.images.some(({ id, pid }) => pid !== null && images.find((each) => each.id === id)?.pid !== pid);
      for (const viewer of [mainViewer, pinnedViewer])
        if (replaced || (ended && viewer.store.getState().watching && endedSince(before.activity)))
          void viewer.refresh();
    }),
    on('inspection-wanted', ({ handle }) => inspectHandle({ handle, title: 'INSPECT', from: '(inspect …)' })),
  ];
  return () => stops.forEach((stop) => stop());
}

/** Puts the inspected objects away with their folder. They exist until the program ends, because they are objects of the image. */
function keepObjectsWithFolder(): void {
  const viewers = [mainViewer, pinnedViewer];
  const away = new Map<string, readonly ViewerState[]>();
  keepWithFolder({
    take: (_next, folder) => {
      away.set(
        folder,
        viewers.map(({ store }) => store.getState()),
      );
      for (const { store } of viewers) store.setState(store.getInitialState(), true);
      inspector.setState({ comparing: false });
      return {};
    },
    put: async (_session, folder) => {
      const states = away.get(folder) ?? [];
      away.delete(folder);
      for (const [index, state] of states.entries()) {
        const viewer = viewers[index]!;
        viewer.store.setState(state, true);
        // The image may have been replaced in the meantime.
        if (viewer.step) await viewer.refresh();
      }
    },
  });
}

/** True if an evaluation has ended after the last event of this log. */
function endedSince({ events }: ActivityLog): boolean {
  const last = events.at(-1)?.seq ?? 0;
  return mirror
    .getState()
    .activity.events.some(
      ({ seq, kind }) => seq > last && (kind === 'evaluation-finished' || kind === 'call-finished'),
    );
}

/** Opens the main viewer's object in the pinned viewer below. */
export function pin(): void {
  const { step } = mainViewer;
  if (!step) return;
  pinnedViewer.close();
  void pinnedViewer.open(step.handle, step.head?.title ?? step.label);
}

export function unpin(): void {
  inspector.setState({ comparing: false });
  pinnedViewer.close();
}

export function setComparing(comparing: boolean): void {
  inspector.setState({ comparing });
}

/** Inserts code that returns the object into the REPL's input, and focuses the input. */
export async function copyToRepl(handle: number): Promise<void> {
  const { code, image } = await call('inspector.copy', { handle });
  if (code === null) return void notify('This value is gone: the image restarted or ran low on memory.');
  // The code refers to the object only in the object's own image.
  await showImage(image);
  insertIntoDraft(code);
  return undefined;
}

/** Shows an object with the output of DESCRIBE. */
export async function describeHandle(handle: number, from: string): Promise<void> {
  showSide('inspector');
  await mainViewer.open(handle, from);
  await mainViewer.describe();
}

/** Shows the value of a variable, `'symbol` or `#'function` without evaluating it; shows a message if there is no value. */
export async function inspectName(name: string, inPackage: string | null, repl: string = FIRST_REPL): Promise<void> {
  const find = async (pane: string): Promise<number | null> =>
    (await call('inspector.name', { name, package: inPackage, pane, repl })).handle;
  if (await mainViewer.openFound(name, find)) return showSide('inspector');
  return void notify(`The image has no symbol ${name}${inPackage === null ? '' : ` in ${inPackage}`}.`);
}

/** Evaluates a form and shows its first value. */
export async function inspectForm(code: string, inPackage: string | null, repl: string = FIRST_REPL): Promise<void> {
  let why = 'The evaluation was interrupted.';
  const find = async (pane: string): Promise<number | null> => {
    const input = { code, package: inPackage, pane, evaluation: crypto.randomUUID(), repl };
    const { handle, condition } = await call('inspector.expression', input);
    if (condition) why = `${condition.type}: ${condition.message}`;
    return handle;
  };
  if (await mainViewer.openFound(code.length > 40 ? `${code.slice(0, 39)}…` : code, find)) return showSide('inspector');
  return void notify(why, 'error');
}
