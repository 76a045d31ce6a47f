/** Describes how an image's process ended, as data and as sentences. All sentences about ended images are in this file. */
import { WorkbenchError } from '#core/base/error.ts';

/** The exit code of a process, or the signal that ended it; both are null if unknown. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The end of a process, with the last output that it wrote outside Lisp streams. */
export interface ImageEnd extends Exit {
  readonly lastWords: string;
  /** The reason, if this program ended the process or the wire broke; otherwise null. */
  readonly reason: string | null;
}

/**
 * Matches the last output of SBCL's runtime when the heap is full. If code handles a heap error, the image does not end and the text is
 * different.
 */
const OUT_OF_HEAP = /fatal error encountered in SBCL[^\n]*\n(?:heap exhausted, game over|GC invariant lost)/i;

/** Returns one sentence about how a process ended. */
export function describeEnd(end: ImageEnd): string {
  if (end.reason) return end.reason;
  if (end.signal) return `The image was ended by ${end.signal}.`;
  if (OUT_OF_HEAP.test(end.lastWords)) return 'The image ran out of heap and ended.';
  if (end.code !== null) return `The image ended with exit code ${end.code}.`;
  // A process resumed from a checkpoint is not a child of this process. It reports every signal except SIGKILL itself.
  return 'The image ended without a message, possibly by SIGKILL.';
}

/** The sentences for ends that this program caused, or that a process cannot report itself. */
export const endReasons = {
  /** Ends requested by the person, a client or the program itself. */
  restarted: 'The image was restarted.',
  restartedByPerson: 'You restarted the image.',
  reset: 'The session was reset.',
  closing: 'The workbench is closing.',
  worldOpened: (name: string) => `The world "${name}" was opened.`,
  wentBackTo: (label: string) => `The image went back to the checkpoint "${label}".`,
  wentBack: 'The image went back to a checkpoint.',
  checked: 'The check is over.',
  targetTried: 'The target was tried.',
  /** For code that cannot be stopped in any other way. */
  notStopped: 'The evaluation could not be stopped, so its image was ended.',
  notExited: 'The image did not exit when its code requested it, so it was ended.',
  silent: (seconds: number) => `The image did not answer for ${seconds} seconds.`,
  redoneOtherwise: 'A repeated evaluation ended differently from the first time.',
  initFile: 'The init file ended the image.',
  libraryTool: 'The setup file of the library tool ended the image.',
  /** For an image that did not start. */
  notReady: 'The image did not start within a minute.',
  notStarted: (program: string, why: string) => `${program} could not be started: ${why}.`,
  endedAtOnce: (times: number) =>
    `The image ended ${times} times in a row right after its start. The next evaluation restarts it.`,
  /** For checkpoints that could not continue. */
  wokeTooLate: 'The checkpoint’s process did not continue.',
  copyEndedToo: (end: string) => `${end} The checkpoint’s process, which should have continued, was ended too.`,
  checkpointGone: (label: string) => `The checkpoint "${label}" is gone: its process was ended.`,
} as const;

export function endError(end: ImageEnd): WorkbenchError {
  return new WorkbenchError('no-image', describeEnd(end));
}
