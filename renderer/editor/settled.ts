/** Reading a file that may be written at the same time: the person can save it meanwhile. */

/**
 * Gives the answer of `read`, and reads again whenever `stamp` changed meanwhile: an answer that was on its way while the file
 * was written may hold the text of before, and would undo the write.
 */
export async function readSettled<T>(read: () => Promise<T>, stamp: () => Promise<unknown>): Promise<T> {
  for (;;) {
    const before = await stamp();
    const answer = await read();
    if ((await stamp()) === before) return answer;
  }
}
