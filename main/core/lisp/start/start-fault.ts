/** Tells why the system could not start a process, in words, and whether it may be able to in a while. */
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

/** No image can be had on a target; the message says why, and what to do. `passing`: it may be over in a while. */
export class ConnectionFault extends WorkbenchError {
  readonly passing: boolean;

  constructor(message: string, passing: boolean) {
    super('no-image', message);
    this.name = 'ConnectionFault';
    this.passing = passing;
  }
}

/** True when the error, or its cause, is a lack that passes: then a retry is worth it. */
export function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionFault) return error.passing;
  if (PASSING[systemCode(error) ?? '']) return true;
  return error instanceof Error && error.cause !== undefined && isPassing(error.cause);
}
