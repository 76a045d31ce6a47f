/** A search backwards through the history of the REPL, as shells have it: what is typed narrows it, and again goes on to older entries. Pure. */

export interface HistorySearch {
  readonly query: string;
  /** Index of the entry that is shown; null when none matches. */
  readonly index: number | null;
  /** Offset of the match in that entry. */
  readonly offset: number;
}

/** The search for a text from the newest entry on. */
export function searchHistory(history: readonly string[], query: string): HistorySearch {
  return find(history, query, history.length - 1, -1);
}

/** The search at the next older (-1) or newer (1) match; where there is none it stays. */
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
