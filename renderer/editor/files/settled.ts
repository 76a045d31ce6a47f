/** Reading a file that may be written at the same time: the person can save it meanwhile. */

/**
 * Resolves with the answer of `read`, read again whenever `stamp` was another one before: an answer that was on its way while the
 * file was written may be from before that, and would undo it.
 */
export async function readSettled<T>(read: () => Promise<T>, stamp: () => Promise<unknown>): Promise<T> {
  for (;;) {
    const before = await stamp();
    const answer = await read();
    if ((await stamp()) === before) return answer;
  }
}
