/** The person's unfinished work on a card, stored while another card is open, so that no text is lost. */

export interface Draft {
  readonly mode: 'reading' | 'denying' | 'editing';
  readonly reason: string;
  /** The edited argument with the line ends of the text area; null before the first edit. */
  readonly text: string | null;
  /** The folded parts that the person opened. Each is stored as its `foldKey` at the time when it was opened. */
  readonly opened: readonly string[];
  /** Hunks that the person left out, by `hunkKey`. */
  readonly left: readonly string[];
  /** The key of the chosen restart for an effect; null for the first restart. */
  readonly choice: string | null;
  /** The typed alternative path for the effect. */
  readonly path: string;
  /** The ticked scope for approving similar requests, stored as its `foldKey` at the time when it was ticked. */
  readonly remember: string | null;
}

export const NEW_DRAFT: Draft = {
  mode: 'reading',
  reason: '',
  text: null,
  opened: [],
  left: [],
  choice: null,
  path: '',
  remember: null,
};

/**
 * Returns the key of an opened part. The key is valid only for the card with this fingerprint: after a redraw, the part has to be opened
 * again.
 */
export function foldKey(fingerprint: string, section: string): string {
  return `${fingerprint} ${section}`;
}

export function closedFolds(draft: Draft, fingerprint: string, sections: readonly string[]): string[] {
  return sections.filter((section) => !draft.opened.includes(foldKey(fingerprint, section)));
}
