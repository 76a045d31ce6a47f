/** Which calls are folded until the person opens them: those that contain only one evaluation, with the outcome of the call. Pure. */
import type { ActivityRow, Brief } from './row-model.ts';

/** The rows inside a call. */
export interface CallContents {
  /** The first evaluation; null if there is none. */
  readonly evaluation: ActivityRow | null;
  /** The number of definitions that the evaluation added, changed or removed. */
  readonly definitions: number;
  /** True if there are other rows, such as a second evaluation or an approval. A checkpoint does not count. */
  readonly hasMore: boolean;
}

/** Returns null for a call that is shown with the rows inside it. */
export function briefOf(call: ActivityRow, { evaluation, definitions, hasMore }: CallContents): Brief | null {
  if (call.kind !== 'call' || evaluation?.run == null || hasMore || !hasSameOutcome(call, evaluation)) return null;
  return { evaluation: evaluation.run, definitions };
}

/** A call and its evaluation end in two events, so the outcomes may differ while one of them is still running. */
function hasSameOutcome(call: ActivityRow, evaluation: ActivityRow): boolean {
  return call.outcome === evaluation.outcome || [call.outcome, evaluation.outcome].includes('running');
}
