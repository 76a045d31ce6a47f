/** The inspector's messages for code that returned no value. */
import type { ConditionRecord } from '#contract/image/condition.ts';
import type { EvaluationStatus } from '#contract/image/evaluation.ts';

/** The outcome of an evaluation with an object. `expired` is true if the object was no longer available. */
export interface End {
  readonly status: EvaluationStatus;
  readonly condition: Pick<ConditionRecord, 'message'> | null;
  readonly expired: boolean;
}

/** Returns the reason why code returned no value; null if it ended normally. */
export function whyNoValue({ status, condition, expired }: End): string | null {
  if (condition) return condition.message;
  if (expired) return 'The object is gone: the image restarted or ran low on memory.';
  if (status === 'interrupted') return 'The evaluation was interrupted.';
  return status === 'ok' ? null : 'The image did not answer.';
}
