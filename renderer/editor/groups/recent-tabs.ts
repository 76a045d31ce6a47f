/** Ids of texts, in the order in which they were last shown. */

let recent: readonly string[] = [];

/** Records that a text is shown now. */
export function noteShown(id: string): void {
  recent = [id, ...recent.filter((each) => each !== id)];
}

/** Returns the ids of the texts that were shown, the latest first; some may be closed. */
export function recentTabs(): readonly string[] {
  return recent;
}
