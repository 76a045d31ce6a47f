/** Texts that describe the protections of an image. Pure. */
import type { Session } from '#contract/image/session.ts';

const SEAT_BELT =
  'The guard is a seat belt for ordinary Lisp code. It is not a security boundary: code that is written to bypass it can do so.';

/** Returns one or two words for the status bar. */
export function protectionLabel({ sandbox, target, asksPerson, unreviewed }: Session): string {
  const wall = target !== null ? `, on ${target}` : sandbox ? ', sandboxed' : '';
  const own = asksPerson ? (unreviewed ? ', asks you too' : ', asks you after agents') : '';
  return `guard on${own}${wall}`;
}

/** Describes the protection against code that gets past the guard. */
export function wallNotice({ sandbox, target }: Pick<Session, 'sandbox' | 'target'>): string {
  if (target !== null)
    return `${SEAT_BELT} The image runs on ${target}: its code can access only what that machine or container allows, and nothing on this machine.`;
  return sandbox ? sandboxNotice(sandbox.folder) : SEAT_BELT;
}

function sandboxNotice(folder: string | null): string {
  const writable = folder === null ? 'cannot write to any of your folders' : `can write only to ${folder}`;
  return `The guard is a seat belt for ordinary Lisp code. The system’s sandbox is the security boundary: all code in it, including yours, has no network and ${writable}. Files elsewhere can still be read, except this program’s own.`;
}
