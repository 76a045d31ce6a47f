/** Texts for errors of the operating system, each with advice, by error code. */
import { messageOf, systemCode, WorkbenchError } from './error.ts';

interface Fault {
  /** A description of the problem, which follows the file name in a sentence. */
  readonly what: string;
  readonly next: string;
}

const PERMISSIONS = 'Change the permissions of the file or of its folder, or choose another place.';
const ROOM = 'Make room on the disk, then try again.';
const AGAIN = 'Close other files and programs, then try again.';

const FAULTS: Readonly<Record<string, Fault>> = {
  ENOENT: { what: 'does not exist', next: 'Check whether it was moved, renamed or deleted.' },
  EACCES: { what: 'cannot be accessed (permission denied)', next: PERMISSIONS },
  EPERM: { what: 'cannot be changed (operation not permitted)', next: PERMISSIONS },
  EISDIR: { what: 'is a folder', next: 'Choose a file in it, or open it as a folder.' },
  ENOTDIR: { what: 'has a file in its path where a folder is needed', next: 'Choose another place.' },
  ENOSPC: { what: 'cannot be written: the disk is full', next: ROOM },
  EDQUOT: { what: 'cannot be written: your disk quota is used up', next: ROOM },
  EFBIG: { what: 'is too large for this disk', next: 'Choose a place on another disk.' },
  EROFS: { what: 'cannot be written: the disk is read-only', next: 'Choose a writable place.' },
  ELOOP: { what: 'is a loop of symbolic links', next: 'Choose the file itself.' },
  ENAMETOOLONG: { what: 'has a name that is too long', next: 'Choose a shorter one.' },
  EEXIST: { what: 'already exists', next: 'Choose another name, or move it away first.' },
  ENOTEMPTY: { what: 'is a folder that is not empty', next: 'Move its contents away first.' },
  EBUSY: { what: 'is in use by another program', next: 'Try again when that program has closed it.' },
  ETXTBSY: { what: 'is a running program', next: 'Try again when it has ended.' },
  EMFILE: { what: 'cannot be opened: the workbench has too many files open', next: AGAIN },
  ENFILE: { what: 'cannot be opened: too many files are open on this machine', next: AGAIN },
  EIO: { what: 'cannot be read or written: the disk has an error', next: 'Use another disk.' },
};

/** Returns a file's problem in words, such as "is a folder"; null for an unknown code. */
export function faultWords(code: string): string | null {
  return FAULTS[code]?.what ?? null;
}

/** Returns the message of any thrown value. For a system error about a file, the message also contains advice. */
export function messageForPerson(error: unknown): string {
  const code = systemCode(error instanceof WorkbenchError ? error.cause : error);
  const fault = code === null ? undefined : FAULTS[code];
  if (fault === undefined) return messageOf(error);
  if (error instanceof WorkbenchError) return `${error.message} ${fault.next}`;
  return `${placeOf(error)} ${fault.what}. ${fault.next}`;
}

/** Returns the path in a system error, or "The file" if the error contains no path. */
function placeOf(error: unknown): string {
  return error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : 'The file';
}
