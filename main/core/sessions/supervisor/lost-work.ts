/** Lost work: forms and systems that disappeared when images ended, until the person replays or dismisses them. */
import { isPersonId } from '#contract/clients/known-actors.ts';
import type { Actor, LostImage } from '#contract/image/session.ts';
import {
  actsInSequence,
  definitionKey,
  setsPlace,
  type JournalEntry,
  type JournalState,
} from '../checkpoints/journal.ts';

/** The number of definitions that the view names. An image may lose a hundred thousand, and the view is sent often. */
const LISTED = 100;
const NOTHING: JournalState = { entries: [], systems: [] };

export class LostWork {
  #lost = NOTHING;
  #view: LostImage | null = null;

  /** The lost work for the window; null if there is nothing to report. */
  get view(): LostImage | null {
    return this.#view;
  }

  /** Adds the work lost with an ended image to the earlier lost work. `reason` is reported even if nothing was lost. */
  remember(reason: string, gone: JournalState): void {
    const entries = [...this.#lost.entries, ...gone.entries];
    const earlier = this.#lost.systems.filter(({ name }) => !gone.systems.some((system) => system.name === name));
    const systems = [...earlier, ...gone.systems];
    this.#keep({ entries, systems }, reason);
  }

  /** Puts back lost work that was taken but could not be replayed, because the image was lost again. */
  restore(entries: readonly JournalEntry[], reason: string): void {
    this.#keep({ entries: [...this.#lost.entries, ...entries], systems: this.#lost.systems }, reason);
  }

  /**
   * Drops lost work that is in the image again because it was evaluated or loaded again. When none is left, the report disappears. A report
   * that nothing was lost remains until the person evaluates something. `actor` made the evaluation, if known. Returns true if the view has
   * changed.
   */
  regain({ entries, systems }: JournalState, actor: Actor | null): boolean {
    if (this.#view === null) return false;
    const hadNothing = this.#lost.entries.length + this.#lost.systems.length === 0;
    if (hadNothing && !isPersonId(actor?.id ?? null)) return false;
    const again = new Set(entries.map(identityOf));
    const left = {
      entries: this.#lost.entries.filter((entry) => !again.has(identityOf(entry))),
      systems: this.#lost.systems.filter(({ name }) => !systems.some((system) => system.name === name)),
    };
    // Forms that only act in sequence, such as IN-PACKAGE, are not a loss if nothing else was lost.
    if (left.systems.length === 0 && left.entries.every(({ operator }) => actsInSequence(operator))) this.take();
    else if (left.entries.length === this.#lost.entries.length && left.systems.length === this.#lost.systems.length)
      return false;
    else this.#keep(left, this.#view.reason, this.#view.at);
    return true;
  }

  /** Returns the lost work and forgets it. */
  take(): JournalState {
    const lost = this.#lost;
    this.#lost = NOTHING;
    this.#view = null;
    return lost;
  }

  #keep(lost: JournalState, reason: string, at = Date.now()): void {
    this.#lost = lost;
    const defining = lost.entries.filter(({ operator }) => !setsPlace(operator));
    const [shown, rest] = [defining.slice(0, LISTED), defining.slice(LISTED)];
    const definitions = shown.map(({ actor, name, operator }) => ({ actor: actor.id, name, operator }));
    const own = rest.filter(({ actor }) => isPersonId(actor.id)).length;
    const more = { own, others: rest.length - own };
    this.#view = { at, reason, definitions, more, systems: lost.systems.map(({ name }) => name) };
  }
}

function identityOf(entry: JournalEntry): string {
  return definitionKey(entry) ?? JSON.stringify([entry.operator, entry.package, entry.text.trim()]);
}
