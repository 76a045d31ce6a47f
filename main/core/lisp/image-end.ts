/** How the process of an image ended, in facts and in words. */
import { WorkbenchError } from '#core/error.ts';

/** How a process ended, with the tail of what it wrote outside Lisp streams. */
export interface ImageEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly lastWords: string;
  /** Set when we ended it ourselves, or the wire broke. */
  readonly reason: string | null;
}

/** One sentence about how a process ended. */
export function describeEnd(end: ImageEnd): string {
  if (end.reason) return end.reason;
  if (/heap exhausted|GC invariant/i.test(end.lastWords)) return 'The image ran out of heap and ended.';
  if (end.signal) return `The image was ended by ${end.signal}.`;
  return end.code === null ? 'The image ended.' : `The image ended with exit code ${end.code}.`;
}

export function endError(end: ImageEnd): WorkbenchError {
  return new WorkbenchError('no-image', describeEnd(end));
}
