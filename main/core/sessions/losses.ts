/** What images that ended took with them, until the person brings it back or lets it go. */
import type { LostImage } from '#contract/session.ts';
import type { JournalEntry, JournalState } from './journal.ts';

const NOTHING: JournalState = { entries: [], systems: [] };

export class Losses {
  #lost = NOTHING;
  #view: LostImage | null = null;

  /** As the window shows it; null when there is nothing to tell. */
  get view(): LostImage | null {
    return this.#view;
  }

  /** An image ended: what it took with it adds to what was lost before. */
  remember(reason: string, gone: JournalState): void {
    const entries = [...this.#lost.entries, ...gone.entries];
    const systems = [...new Set([...this.#lost.systems, ...gone.systems])];
    this.#keep({ entries, systems }, reason);
  }

  /** What was taken and could not be brought back, because the image was lost again. */
  giveBack(entries: readonly JournalEntry[], reason: string): void {
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
    const definitions = lost.entries.map(({ actor, name, operator }) => ({ actor: actor.id, name, operator }));
    this.#view = { at: Date.now(), reason, definitions, systems: [...lost.systems] };
  }
}
