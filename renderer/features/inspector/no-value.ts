/** The words of the inspector for code that gave no value. */
import type { ConditionRecord } from '#contract/image/condition.ts';
import type { EvaluationStatus } from '#contract/image/evaluation.ts';

/** The end of an evaluation with an object; `expired` where the object was not there for it. */
export interface End {
  readonly status: EvaluationStatus;
  readonly condition: Pick<ConditionRecord, 'message'> | null;
  readonly expired: boolean;
}

/** The reason why code gave no value; null where it ended as it should. */
export function whyNoValue({ status, condition, expired }: End): string | null {
  if (condition) return condition.message;
  if (expired) return 'The object is gone: the image restarted or ran low on memory.';
  if (status === 'interrupted') return 'It was interrupted.';
  return status === 'ok' ? null : 'The image gave no answer.';
}
