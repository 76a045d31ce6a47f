/** Drafts: the work that the person has begun on a card, kept while another card is open, so that no text is lost. */

export interface Draft {
  readonly mode: 'reading' | 'denying' | 'editing';
  readonly reason: string;
  /** The edited argument as it stands in the text area; null before the first edit. */
  readonly text: string | null;
  /** Folded parts that were opened, each for the card as it was drawn then. */
  readonly opened: readonly string[];
  /** Hunks that are left out, by `hunkKey`. */
  readonly left: readonly string[];
  /** The restart that is chosen for an effect, by its key; null is the first. */
  readonly choice: string | null;
  /** The other path for the effect, as it was typed. */
  readonly path: string;
  /** The scope that further requests are approved by, for the card as it was drawn then; by `foldKey`. */
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

/** An opened part counts for the card with this fingerprint alone: redrawn, it has to be opened again. */
export function foldKey(fingerprint: string, section: string): string {
  return `${fingerprint} ${section}`;
}

export function closedFolds(draft: Draft, fingerprint: string, sections: readonly string[]): string[] {
  return sections.filter((section) => !draft.opened.includes(foldKey(fingerprint, section)));
}
