/** Lost work: forms and systems that images took with them when they ended, until the person replays or dismisses them. */
import { PERSON, type LostImage } from '#contract/session.ts';
import type { JournalEntry, JournalState } from '../checkpoints/journal.ts';

/** Definitions that the view names; an image may take a hundred thousand with it, and the view is told often. */
const LISTED = 100;
const NOTHING: JournalState = { entries: [], systems: [] };

export class LostWork {
  #lost = NOTHING;
  #view: LostImage | null = null;

  /** The lost work as the window shows it; null when there is nothing to tell. */
  get view(): LostImage | null {
    return this.#view;
  }

  /** An image ended: what it took with it adds to what was lost before. */
  remember(reason: string, gone: JournalState): void {
    const entries = [...this.#lost.entries, ...gone.entries];
    const systems = [...new Set([...this.#lost.systems, ...gone.systems])];
    this.#keep({ entries, systems }, reason);
  }

  /** Puts lost work back that was taken and could not be replayed, because the image was lost again. */
  restore(entries: readonly JournalEntry[], reason: string): void {
    this.#keep({ entries: [...this.#lost.entries, ...entries], systems: this.#lost.systems }, reason);
  }

  /** Gives what was lost and forgets it. */
  take(): JournalState {
    const lost = this.#lost;
    this.#lost = NOTHING;
    this.#view = null;
    return lost;
  }

  #keep(lost: JournalState, reason: string): void {
    this.#lost = lost;
    const [shown, rest] = [lost.entries.slice(0, LISTED), lost.entries.slice(LISTED)];
    const definitions = shown.map(({ actor, name, operator }) => ({ actor: actor.id, name, operator }));
    const own = rest.filter(({ actor }) => actor.id === PERSON.id).length;
    const more = { own, others: rest.length - own };
    this.#view = { at: Date.now(), reason, definitions, more, systems: [...lost.systems] };
  }
}
