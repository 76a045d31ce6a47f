/** Explains why the system could not start a process, and whether a later attempt may succeed. */
import { messageOf, systemCode, WorkbenchError } from '#core/base/error.ts';

const PASSING: Readonly<Record<string, string>> = {
  EMFILE: 'the workbench has too many files open (EMFILE)',
  ENFILE: 'too many files are open on this machine (ENFILE)',
  EAGAIN: 'there are too many processes (EAGAIN)',
  ENOMEM: 'there is not enough memory (ENOMEM)',
};

export function startFault(error: unknown): string {
  return PASSING[systemCode(error) ?? ''] ?? messageOf(error);
}

/** An image cannot run on a target; the message gives the reason and advice. `passing` is true if the problem may be temporary. */
export class ConnectionFault extends WorkbenchError {
  readonly passing: boolean;

  constructor(message: string, passing: boolean) {
    super('no-image', message);
    this.name = 'ConnectionFault';
    this.passing = passing;
  }
}

/** Returns true if the error or its cause is a temporary shortage. In this case a retry is useful. */
export function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionFault) return error.passing;
  if (PASSING[systemCode(error) ?? '']) return true;
  return error instanceof Error && error.cause !== undefined && isPassing(error.cause);
}
