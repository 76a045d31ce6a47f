/**
 * Reviews that follow from the person's approval of an edit: the image already runs the definitions that the edit wrote, and the card showed
 * them. If the person undoes the edit, its definitions need a review again.
 */
import type { DefinitionJournal, EntryId } from './definition-journal.ts';

export class ApprovedReviews {
  readonly #journal: () => DefinitionJournal;
  /** The entries that an approval marked, by its handle. */
  readonly #marked = new Map<string, readonly EntryId[]>();

  constructor(journal: () => DefinitionJournal) {
    this.#journal = journal;
  }

  /** Marks entries as reviewed. Entries that need no review are ignored, so that `takeBack` does not change them. */
  mark(approval: string, entries: readonly EntryId[]): void {
    const journal = this.#journal();
    const open = journal
      .entries()
      .filter(({ seen, life, id }) => !seen && entries.some((entry) => entry.life === life && entry.id === id))
      .map(({ life, id }) => ({ life, id }));
    if (open.length === 0) return;
    this.#marked.set(approval, open);
    journal.review(open, true);
  }

  /** Removes the marks of an approval whose edit was undone. */
  takeBack(approval: string): void {
    this.#journal().review(this.#marked.get(approval) ?? [], false);
    this.#marked.delete(approval);
  }
}
