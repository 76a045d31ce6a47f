/**
 * A backward search through the history of the REPL, as in shells. Further typing narrows the search, and pressing its key again continues
 * with older entries. Pure.
 */

export interface HistorySearch {
  readonly query: string;
  /** The index of the shown entry; null if none matches. */
  readonly index: number | null;
  /** The offset of the match in the shown entry. */
  readonly offset: number;
}

/** Searches for a text, starting at the newest entry. */
export function searchHistory(history: readonly string[], query: string): HistorySearch {
  return find(history, query, history.length - 1, -1);
}

/** Moves the search to the next older (-1) or newer (1) match. If there is no such match, returns the search unchanged. */
export function searchOn(history: readonly string[], search: HistorySearch, step: -1 | 1): HistorySearch {
  if (search.index === null) return search;
  const next = find(history, search.query, search.index + step, step);
  return next.index === null ? search : next;
}

function find(history: readonly string[], query: string, from: number, step: -1 | 1): HistorySearch {
  const wanted = query.toLowerCase();
  for (let index = from; index >= 0 && index < history.length; index += step) {
    const offset = history[index]!.toLowerCase().indexOf(wanted);
    if (offset >= 0 && wanted !== '') return { query, index, offset };
  }
  return { query, index: null, offset: 0 };
}
