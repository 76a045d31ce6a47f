/** Reads a file that the person may be saving at the same time. */

/**
 * Resolves with the result of `read`, and reads again if `stamp` changed in the meantime. A result read during a save may be outdated, and
 * would undo the save.
 */
export async function readSettled<T>(read: () => Promise<T>, stamp: () => Promise<unknown>): Promise<T> {
  for (;;) {
    const before = await stamp();
    const answer = await read();
    if ((await stamp()) === before) return answer;
  }
}
