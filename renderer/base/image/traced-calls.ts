/** Calls of traced functions in the person's evaluations, bounded: of each evaluation the first calls, of evaluations the latest. */
import type { TracedCall } from '#contract/image/observation/profiling.ts';
import type { TracedCalls } from '#contract/image/observation/tracing.ts';
import { followTraceEvents } from './trace-events.ts';
import { makeStore } from '../store.ts';

export interface CallsOfEvaluation {
  /** Beginnings and ends of calls, in order. */
  readonly calls: readonly TracedCall[];
  /** Further ones that were only counted. */
  readonly left: number;
}

const MOST_EVALUATIONS = 50;
const MOST_CALLS = 2_000;
/** A call is told at its beginning and at its end. */
const LINES = 2;

const [store, useStored] = makeStore<ReadonlyMap<string, CallsOfEvaluation>>(new Map());

/** The calls that were traced in an evaluation; null where there are none. */
export function useTracedCalls(evaluation: string): CallsOfEvaluation | null {
  return useStored((all) => all.get(evaluation) ?? null);
}

/** Follows the calls from now on. */
export function followTracedCalls(): void {
  followTraceEvents((told) => {
    if (told.actor.kind === 'person') store.setState((all) => withCalls(all, told), true);
  });
}

/** The calls of all evaluations with those that were told now. @internal Exported for its test. */
export function withCalls(
  all: ReadonlyMap<string, CallsOfEvaluation>,
  { evaluation, calls, dropped }: Pick<TracedCalls, 'evaluation' | 'calls' | 'dropped'>,
): ReadonlyMap<string, CallsOfEvaluation> {
  const before = all.get(evaluation) ?? { calls: [], left: 0 };
  const room = MOST_CALLS - before.calls.length;
  // What the image left out is told as a sum, what has no room here is added to it.
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

/** Calls that had no room here. */
const unheld = new WeakMap<CallsOfEvaluation, number>();
