/** Reads a file that the person may be saving at the same time. */

/**
 * Resolves to the result of `read`. Reads again if `stamp` changed in the meantime, because a result read during a save may be outdated,
 * and using it would undo the save.
 */
export async function readSettled<T>(read: () => Promise<T>, stamp: () => Promise<unknown>): Promise<T> {
  for (;;) {
    const before = await stamp();
    const answer = await read();
    if ((await stamp()) === before) return answer;
  }
}
