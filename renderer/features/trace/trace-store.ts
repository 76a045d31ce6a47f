/** The calls that were traced, the names that are, and how the person looks at them. The store outlives the panel Trace. */
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
  /** Facts of the log as it is now: it is changed in its place, and each change has others. */
  readonly now: Contents;
  readonly filter: string;
  /** True while the newest call is kept in view. */
  readonly follows: boolean;
  readonly paused: boolean;
  /** Calls that were made while the panel was paused. */
  readonly missed: number;
  /** Names that are traced in the image, null before it has told, and names that were. */
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

/** Milliseconds between two drawings while calls come in floods. */
const DRAWN_EACH = 120;
let drawing: ReturnType<typeof setTimeout> | null = null;

/** Follows the calls from now on. */
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

/** Folds, or unfolds, a row and all below it; all rows where none is given. */
export function foldBelow(node: TraceNode | null, folded: boolean): void {
  for (const each of node ? [node] : trace.getState().log.threads) foldAll(each, folded);
  // Runs of threads themselves stay open, or nothing would be seen.
  if (node === null) for (const thread of trace.getState().log.threads) thread.folded = false;
  changed();
}

/** Shows a call: takes a filter away that hides it, and unfolds what it is in. */
export function uncover(node: CallNode): void {
  for (let at: TraceNode = node.caller; ; at = at.caller) {
    at.folded = false;
    if (at.kind === 'thread') break;
  }
  trace.setState({ filter: '', follows: false });
  changed();
}

/** Asks the image what is traced. */
export async function refreshTraced(): Promise<void> {
  const answer = await call('trace.list', { repl: shownRepl().id }).catch(() => null);
  noteTraced(answer?.traced ?? []);
}

/** Takes over what is traced now; what was and is not any more stays listed, to be switched on again. */
export function noteTraced(traced: readonly string[]): void {
  trace.setState((state) => ({
    traced,
    before: [...new Set([...state.before, ...(state.traced ?? [])])].filter((each) => !traced.includes(each)),
  }));
}

/** Traces a function or a method, whose name is read in CL-USER, or no longer. Returns why not, or null. */
export async function setTraced(name: string, on: boolean): Promise<string | null> {
  try {
    const answer = await call('trace.set', { repl: shownRepl().id, function: name, on });
    if (!answer) return 'No image is running in which a function could be traced.';
    noteTraced(answer.traced);
    return answer.problem;
  } catch (error) {
    return messageOf(error);
  }
}

/** Takes all names off the list that are not traced any more. */
export function forgetUntraced(): void {
  trace.setState({ before: [] });
}

/** Takes a name off the list of what was traced. */
export function forgetTraced(name: string): void {
  trace.setState(({ before }) => ({ before: before.filter((each) => each !== name) }));
}
