/** The end of an image's process, in facts and in words. */
import { WorkbenchError } from '#core/base/error.ts';

/** The end of a process, with the tail of what it wrote outside Lisp streams. */
export interface ImageEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly lastWords: string;
  /** The reason of an end by this program, or of a broken wire; null for any other. */
  readonly reason: string | null;
}

/** The last words of SBCL's runtime when the heap is full. An error of the heap that code handled does not end the image, and has others. */
const OUT_OF_HEAP = /fatal error encountered in SBCL[^\n]*\n(?:heap exhausted, game over|GC invariant lost)/i;

/** One sentence about how a process ended. */
export function describeEnd(end: ImageEnd): string {
  if (end.reason) return end.reason;
  if (end.signal) return `The image was ended by ${end.signal}.`;
  if (OUT_OF_HEAP.test(end.lastWords)) return 'The image ran out of heap and ended.';
  if (end.code !== null) return `The image ended with exit code ${end.code}.`;
  // A process that was resumed from a checkpoint is no child of this one: it reports every signal but SIGKILL itself.
  return 'The image ended and said nothing, as when it is ended by SIGKILL.';
}

export function endError(end: ImageEnd): WorkbenchError {
  return new WorkbenchError('no-image', describeEnd(end));
}
