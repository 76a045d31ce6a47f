/** Ids of texts, the most recently shown first. */

let recent: readonly string[] = [];

/** Records that a text is now shown. */
export function noteShown(id: string): void {
  recent = [id, ...recent.filter((each) => each !== id)];
}

/** Returns the ids of the texts that were shown, the latest first; some may be closed. */
export function recentTabs(): readonly string[] {
  return recent;
}
