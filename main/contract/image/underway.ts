/** The unfinished evaluations of an image, derived from its state. */
import type { Session } from './session.ts';

/** Returns the evaluations of an image that have begun and not ended: first the running ones, then the suspended ones. */
export function underwayIn({
  running,
  overtaken,
  suspended,
}: Pick<Session, 'running' | 'overtaken' | 'suspended'>): Session['suspended'] {
  return [running, overtaken, ...suspended].filter((each) => each !== null);
}
