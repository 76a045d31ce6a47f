/** Traced calls in the person's evaluations. Only the first calls of an evaluation are stored, and only for the latest evaluations. */
import type { TracedCall } from '#contract/image/observation/profiling.ts';
import type { TracedCalls } from '#contract/image/observation/tracing.ts';
import { followTraceEvents } from './trace-events.ts';
import { makeStore } from '../store.ts';

export interface CallsOfEvaluation {
  /** Starts and ends of calls, in order. */
  readonly calls: readonly TracedCall[];
  /** The number of further events, which were only counted. */
  readonly left: number;
}

const MOST_EVALUATIONS = 50;
const MOST_CALLS = 2_000;
/** The number of events per call: its start and its end. */
const LINES = 2;

const [store, useStored] = makeStore<ReadonlyMap<string, CallsOfEvaluation>>(new Map());

/** Returns the traced calls of an evaluation; null if there are none. */
export function useTracedCalls(evaluation: string): CallsOfEvaluation | null {
  return useStored((all) => all.get(evaluation) ?? null);
}

/** Stores traced calls from now on. */
export function followTracedCalls(): void {
  followTraceEvents((told) => {
    if (told.actor.kind === 'person') store.setState((all) => withCalls(all, told), true);
  });
}

/** Returns the calls of all evaluations with the new calls added. @internal Exported for its test. */
export function withCalls(
  all: ReadonlyMap<string, CallsOfEvaluation>,
  { evaluation, calls, dropped }: Pick<TracedCalls, 'evaluation' | 'calls' | 'dropped'>,
): ReadonlyMap<string, CallsOfEvaluation> {
  const before = all.get(evaluation) ?? { calls: [], left: 0 };
  const room = MOST_CALLS - before.calls.length;
  // The image reports its dropped calls as a total. The calls for which there was no room here are added to that total.
  const ownLeft = (unheld.get(before) ?? 0) + Math.max(0, calls.length - room);
  const after = { calls: [...before.calls, ...calls.slice(0, room)], left: ownLeft + LINES * dropped };
  unheld.set(after, ownLeft);
  const next = new Map(all);
  next.delete(evaluation);
  next.set(evaluation, after);
  const [oldest] = next.keys();
  if (next.size > MOST_EVALUATIONS && oldest !== undefined) next.delete(oldest);
  return next;
}

/** The number of calls for which there was no room here. */
const unheld = new WeakMap<CallsOfEvaluation, number>();
