/** The person's unfinished work on a card, stored while another card is open, so that no text is lost. */

export interface Draft {
  readonly mode: 'reading' | 'denying' | 'editing';
  readonly reason: string;
  /** The edited argument in the form of the text area; null before the first edit. */
  readonly text: string | null;
  /** The folded parts that the person opened. Each is stored as the `foldKey` that it had when it was opened. */
  readonly opened: readonly string[];
  /** Hunks that the person left out, by `hunkKey`. */
  readonly left: readonly string[];
  /** The key of the restart that is chosen for an effect; null for the first. */
  readonly choice: string | null;
  /** The typed alternative path for the effect. */
  readonly path: string;
  /** The ticked scope for approving similar requests, stored as the `foldKey` that it had when it was ticked. */
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
 * Returns the key of an opened part. It is valid only for the card with this fingerprint: after a redraw, the part has to be opened again.
 */
export function foldKey(fingerprint: string, section: string): string {
  return `${fingerprint} ${section}`;
}

export function closedFolds(draft: Draft, fingerprint: string, sections: readonly string[]): string[] {
  return sections.filter((section) => !draft.opened.includes(foldKey(fingerprint, section)));
}
