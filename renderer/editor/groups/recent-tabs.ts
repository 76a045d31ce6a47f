/** The order in which texts were shown. */

let recent: readonly string[] = [];

/** Notes that a text is shown now. */
export function noteShown(id: string): void {
  recent = [id, ...recent.filter((each) => each !== id)];
}

/** The ids of the texts that were shown, the latest first; some may be closed by now. */
export function recentTabs(): readonly string[] {
  return recent;
}
