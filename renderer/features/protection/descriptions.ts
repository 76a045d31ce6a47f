/** The words about the protections of an image. Pure. */
import type { Session } from '#contract/image/session.ts';

const SEAT_BELT =
  'The guard is a seat belt for ordinary Lisp code, not a wall: it cannot hold code that is made to get past it.';

/** Returns one or two words for the status bar. */
export function protectionLabel({ sandbox, target, asksPerson, unreviewed }: Session): string {
  const wall = target !== null ? `, on ${target}` : sandbox ? ', sandboxed' : '';
  const own = asksPerson ? (unreviewed ? ', asks you too' : ', asks you after agents') : '';
  return `guard on${own}${wall}`;
}

/** Describes the protection against code that gets past the guard. */
export function wallNotice({ sandbox, target }: Pick<Session, 'sandbox' | 'target'>): string {
  if (target !== null)
    return `${SEAT_BELT} The image runs on ${target}: its code reaches what that machine or container lets it, and nothing of this one.`;
  return sandbox ? sandboxNotice(sandbox.folder) : SEAT_BELT;
}

function sandboxNotice(folder: string | null): string {
  const writable = folder === null ? 'no folder of yours can be written' : `only ${folder} can be written`;
  return `The guard is a seat belt for ordinary Lisp code. The sandbox of the system is a wall: no code, not even yours, has a network, and ${writable}. Files elsewhere can still be read, except this program’s own.`;
}
