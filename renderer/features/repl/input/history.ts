/** The history of the REPL's input: a list, oldest first, and the position in it that Up and Down change. */

const HISTORY_LIMIT = 1000;

export interface Recall {
  /**
   * The text before the recall began. Only entries with this prefix are shown. Closers at its end are ignored, because the editor inserted
   * them.
   */
  typed: string;
  /** The index in the history; equal to its length while the typed text is shown. */
  index: number;
}

/** Returns the history with a new entry; an equal older entry moves to the end. */
export function remember(history: readonly string[], code: string, limit = HISTORY_LIMIT): string[] {
  const text = code.trim();
  if (text === '') return [...history];
  return [...history.filter((each) => each !== text), text].slice(-limit);
}

/**
 * Moves one step back (-1) or forward (1) among the entries that begin with the typed text; the last step forward returns to the typed
 * text. Returns null if there is no further entry.
 */
export function recall(
  history: readonly string[],
  from: Recall,
  step: -1 | 1,
): { recall: Recall; text: string } | null {
  const beginning = from.typed.replace(/[)"]*$/, '');
  for (let index = from.index + step; index >= 0 && index < history.length; index += step) {
    const text = history[index]!;
    if (text.startsWith(beginning) && text !== from.typed) return { recall: { ...from, index }, text };
  }
  if (step === 1 && from.index < history.length)
    return { recall: { ...from, index: history.length }, text: from.typed };
  return null;
}
