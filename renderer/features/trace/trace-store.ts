/** The traced calls, the traced names, and the view settings. The store outlives the Trace panel. */
import { call, messageOf } from '../../base/bridge.ts';
import { followTraceEvents } from '../../base/image/trace-events.ts';
import { shownRepl } from '../../base/image/active-repl.ts';
import { type CallNode, foldAll, TraceLog, type TraceNode } from './trace-log.ts';
import { makeStore } from '../../base/store.ts';

interface Contents {
  readonly calls: number;
  readonly dropped: number;
  /** The call that began last. */
  readonly newest: CallNode | null;
}

interface TraceState {
  readonly log: TraceLog;
  /** Facts about the current log. The log is modified in place, so each change sets a new object here. */
  readonly now: Contents;
  readonly filter: string;
  /** True if the view scrolls to the newest call. */
  readonly follows: boolean;
  readonly paused: boolean;
  /** The number of calls that were made while the panel was paused. */
  readonly missed: number;
  /** The names that are traced in the image; null until the image has reported them. `before` has the names that were traced earlier. */
  readonly traced: readonly string[] | null;
  readonly before: readonly string[];
  readonly problem: string | null;
}

export const [trace, useTrace] = makeStore<TraceState>({
  log: new TraceLog(),
  now: { calls: 0, dropped: 0, newest: null },
  filter: '',
  follows: true,
  paused: false,
  missed: 0,
  traced: null,
  before: [],
  problem: null,
});

/** Minimum number of milliseconds between two updates of the view while many calls arrive. */
const DRAWN_EACH = 120;
let drawing: ReturnType<typeof setTimeout> | null = null;

/** Starts to follow the calls. */
export function followTrace(): void {
  followTraceEvents((told) => {
    const { log, paused } = trace.getState();
    const left = log.take(told, paused);
    if (left > 0) trace.setState(({ missed }) => ({ missed: missed + left }));
    drawing ??= setTimeout(() => {
      drawing = null;
      changed();
    }, DRAWN_EACH);
  });
}

function changed(): void {
  const { count, dropped, newest } = trace.getState().log;
  trace.setState({ now: { calls: count, dropped, newest } });
}

export function pauseTrace(paused: boolean): void {
  trace.setState({ paused, missed: 0 });
}

export function clearTrace(): void {
  trace.setState({ log: new TraceLog(), missed: 0 });
  changed();
}

export function fold(node: TraceNode, folded: boolean): void {
  node.folded = folded;
  changed();
}

/** Folds or unfolds a row with all rows below it; without a row, folds or unfolds all rows. */
export function foldBelow(node: TraceNode | null, folded: boolean): void {
  for (const each of node ? [node] : trace.getState().log.threads) foldAll(each, folded);
  // The rows of the threads stay unfolded, because otherwise no call would be visible.
  if (node === null) for (const thread of trace.getState().log.threads) thread.folded = false;
  changed();
}

/** Reveals a call: removes a filter that hides it, and unfolds the rows above it. */
export function uncover(node: CallNode): void {
  for (let at: TraceNode = node.caller; ; at = at.caller) {
    at.folded = false;
    if (at.kind === 'thread') break;
  }
  trace.setState({ filter: '', follows: false });
  changed();
}

/** Requests the traced names from the image. */
export async function refreshTraced(): Promise<void> {
  const answer = await call('trace.list', { repl: shownRepl().id }).catch(() => null);
  noteTraced(answer?.traced ?? []);
}

/** Stores the traced names. Names that are no longer traced stay listed, so that they can be switched on again. */
export function noteTraced(traced: readonly string[]): void {
  trace.setState((state) => ({
    traced,
    before: [...new Set([...state.before, ...(state.traced ?? [])])].filter((each) => !traced.includes(each)),
  }));
}

/** Switches the trace of a function or method on or off; its name is read in CL-USER. Returns the reason for a failure, or null. */
export async function setTraced(name: string, on: boolean): Promise<string | null> {
  try {
    const answer = await call('trace.set', { repl: shownRepl().id, function: name, on });
    if (!answer) return 'Nothing was traced, because no image is running.';
    noteTraced(answer.traced);
    return answer.problem;
  } catch (error) {
    return messageOf(error);
  }
}

/** Removes all names that are no longer traced from the list. */
export function forgetUntraced(): void {
  trace.setState({ before: [] });
}

/** Removes a name from the list of previously traced names. */
export function forgetTraced(name: string): void {
  trace.setState(({ before }) => ({ before: before.filter((each) => each !== name) }));
}
