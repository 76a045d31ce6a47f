/** Lost work: forms and systems that images took with them when they ended, until the person replays or dismisses them. */
import { isPersonId } from '#contract/clients/known-actors.ts';
import type { Actor, LostImage } from '#contract/image/session.ts';
import {
  actsInSequence,
  definitionKey,
  setsPlace,
  type JournalEntry,
  type JournalState,
} from '../checkpoints/journal.ts';

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

  /** An image ended: what it took with it adds to what was lost before. `reason` is told also where that is nothing. */
  remember(reason: string, gone: JournalState): void {
    const entries = [...this.#lost.entries, ...gone.entries];
    const earlier = this.#lost.systems.filter(({ name }) => !gone.systems.some((system) => system.name === name));
    const systems = [...earlier, ...gone.systems];
    this.#keep({ entries, systems }, reason);
  }

  /** Puts lost work back that was taken and could not be replayed, because the image was lost again. */
  restore(entries: readonly JournalEntry[], reason: string): void {
    this.#keep({ entries: [...this.#lost.entries, ...entries], systems: this.#lost.systems }, reason);
  }

  /**
   * Leaves out what is in the image again because somebody evaluated or loaded it anew, until the loss is made good. That nothing was lost
   * is told until the person goes on. `actor` is who evaluated it, where that is known. Returns true when the view is different.
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
    // What acts in sequence, such as IN-PACKAGE, is no loss by itself.
    if (left.systems.length === 0 && left.entries.every(({ operator }) => actsInSequence(operator))) this.take();
    else if (left.entries.length === this.#lost.entries.length && left.systems.length === this.#lost.systems.length)
      return false;
    else this.#keep(left, this.#view.reason, this.#view.at);
    return true;
  }

  /** Gives what was lost and forgets it. */
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
