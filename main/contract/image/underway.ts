/** The evaluations of an image that are under way, from its view. */
import type { Session } from './session.ts';

/** Returns the evaluations of an image that have begun and not ended: those that run, then the suspended ones. */
export function underwayIn({
  running,
  overtaken,
  suspended,
}: Pick<Session, 'running' | 'overtaken' | 'suspended'>): Session['suspended'] {
  return [running, overtaken, ...suspended].filter((each) => each !== null);
}
