/** The page's state of the debugger: the visible debugger and frame, and the data requested for them. */
import type { DebuggerHead, DebuggerRecord, FrameLocal, RanInDebugger } from '#contract/image/debugger.ts';
import { call, messageOf } from '../../base/bridge.ts';
import { mirror, useMirror } from '../../base/mirror.ts';
import { nextChoice, shownHead, type Head } from './shown.ts';
import { makeStore } from '../../base/store.ts';

/** The answer to a request: its value, or the reason why there is none. */
export type Asked<Value> = { value: Value } | { problem: string };

/** A form that was evaluated in a frame, and the outcome; the outcome is null while the form runs. */
export interface FrameEvaluation {
  id: string;
  frame: number;
  code: string;
  outcome: Asked<RanInDebugger> | null;
}

/** Text below a frame: the frame's machine code, or a sentence about an action. */
interface FrameText {
  frame: number;
  title: string;
  text: string;
}

/** A field that the person opened with a key or command, and that gets the focus. */
export type WantedField = { kind: 'evaluate' | 'inspect' | 'return' } | { kind: 'restart'; restart: number };

/** The panel's state of one debugger. */
export interface DebuggerView {
  record: Asked<DebuggerRecord> | null;
  /** The selected frame; null for the innermost frame of the user's code. */
  frame: number | null;
  /** The number of the selected frame's current argument; null if there is none. */
  argument: number | null;
  locals: ReadonlyMap<number, Asked<FrameLocal[]>>;
  evaluations: readonly FrameEvaluation[];
  /** The description of the running action, such as "restart 0"; null if none is running. */
  acting: string | null;
  problem: string | null;
  text: FrameText | null;
  field: WantedField | null;
  /** The unfolded sequences of Lisp's own frames, each identified by the index of its first frame. */
  opened: ReadonlySet<number>;
}

interface DebuggersState {
  chosen: Head | null;
  views: ReadonlyMap<string, DebuggerView>;
  /** The names, as printed in CL-USER, of the functions compiled for debugging. */
  compiled: readonly string[];
}

const NEW: DebuggerView = {
  record: null,
  frame: null,
  argument: null,
  locals: new Map(),
  evaluations: [],
  acting: null,
  problem: null,
  text: null,
  field: null,
  opened: new Set(),
};
/** The maximum number of evaluations in frames that are stored per debugger. */
const MOST_EVALUATIONS = 100;

export const [debuggers, useDebuggers] = makeStore<DebuggersState>({ chosen: null, views: new Map(), compiled: [] });

export function viewOf(id: string): DebuggerView {
  return debuggers.getState().views.get(id) ?? NEW;
}

export function useView(id: string): DebuggerView {
  return useDebuggers((state) => state.views.get(id) ?? NEW);
}

/** Returns the debugger that the panel shows. */
export function shownDebugger(): DebuggerHead | null {
  return shownHead(mirror.getState().debuggers.debuggers, debuggers.getState().chosen);
}

export function useShownDebugger(): DebuggerHead | null {
  const heads = useMirror((state) => state.debuggers.debuggers);
  const chosen = useDebuggers((state) => state.chosen);
  return shownHead(heads, chosen);
}

export function chooseDebugger({ id, evaluation }: Head): void {
  debuggers.setState({ chosen: { id, evaluation } });
}

export function changeView(id: string, change: (view: DebuggerView) => Partial<DebuggerView>): void {
  debuggers.setState(({ views }) => {
    const view = views.get(id) ?? NEW;
    return { views: new Map(views).set(id, { ...view, ...change(view) }) };
  });
}

export function addEvaluation(id: string, evaluation: FrameEvaluation): void {
  changeView(id, ({ evaluations }) => ({ evaluations: [...evaluations, evaluation].slice(-MOST_EVALUATIONS) }));
}

export function endEvaluation(id: string, evaluation: string, outcome: Asked<RanInDebugger>): void {
  changeView(id, ({ evaluations }) => ({
    evaluations: evaluations.map((each) => (each.id === evaluation ? { ...each, outcome } : each)),
  }));
}

/** Updates the selected debugger and the views whenever debuggers open or close. */
export function followDebuggers(): void {
  mirror.subscribe((state, before) => {
    if (state.session.pid !== before.session.pid) debuggers.setState({ compiled: [] });
    const [now, then] = [state.debuggers.debuggers, before.debuggers.debuggers];
    if (now === then) return;
    debuggers.setState(({ chosen, views }) => ({
      chosen: nextChoice(now, then, chosen, state.session.running?.evaluation ?? null),
      views: new Map([...views].filter(([id]) => now.some((head) => head.id === id))),
    }));
  });
}

/** Resolves to the record of a debugger, which is requested only once. */
export async function recordOf(id: string): Promise<DebuggerRecord | null> {
  const known = viewOf(id).record;
  if (known) return 'value' in known ? known.value : null;
  const record = await asked(call('debugger.record', { debugger: id }));
  if (isOpen(id)) changeView(id, () => ({ record }));
  return 'value' in record ? record.value : null;
}

/** Adds the next outer frames. Returns false if there are none or if they are unavailable. */
export async function addFurtherFrames(id: string): Promise<boolean> {
  const record = await recordOf(id);
  if (!record?.moreFrames) return false;
  const from = record.frames.length;
  const further = await asked(call('debugger.furtherFrames', { debugger: id, from }));
  if (!isOpen(id)) return false;
  if ('problem' in further) {
    changeView(id, () => ({ problem: further.problem }));
    return false;
  }
  changeView(id, ({ record: now }) =>
    now === null || 'problem' in now || now.value.frames.length !== from
      ? {}
      : {
          record: { value: { ...now.value, ...further.value, frames: [...now.value.frames, ...further.value.frames] } },
        },
  );
  return true;
}

/** Requests the variables of a frame. Requests them again if they may have changed. */
export async function askLocals(id: string, frame: number): Promise<void> {
  const locals = await asked(call('debugger.locals', { debugger: id, frame }).then(({ locals: found }) => found));
  if (isOpen(id)) changeView(id, (view) => ({ locals: new Map(view.locals).set(frame, locals) }));
}

export function isOpen(id: string): boolean {
  return mirror.getState().debuggers.debuggers.some((head) => head.id === id);
}

export async function asked<Value>(promise: Promise<Value>): Promise<Asked<Value>> {
  return promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ problem: messageOf(error) }),
  );
}
