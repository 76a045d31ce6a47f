/**
 * What happened to definitions, over the lives of a session's images: their events as the window lists them, with whether
 * the person has looked at them (REQUIREMENTS P1, P2). Ids count anew in each image, so each entry knows which life it is of.
 */
import type { DefinitionEntry, DefinitionEvent } from '#contract/definition.ts';
import { Emitter } from '#core/emitter.ts';

export interface DefinitionFilter {
  readonly package?: string | undefined;
  readonly actor?: string | undefined;
  readonly evaluation?: string | undefined;
  readonly reviewed?: boolean | undefined;
}

/** Beyond this the oldest are forgotten; the image keeps no more either. */
const LIMIT = 5000;

export class DefinitionJournal {
  readonly events = new Emitter<{ changed: void }>();
  readonly #limit: number;
  #entries: DefinitionEntry[] = [];
  #life = 1;
  #unlisted = 0;

  constructor(limit = LIMIT) {
    this.#limit = limit;
  }

  /** Which image lives now. */
  get life(): number {
    return this.#life;
  }

  /** How many events came without a record, such as those of a system that was loaded. */
  get unlisted(): number {
    return this.#unlisted;
  }

  /** Takes in a `definition-events` event. `mine` tells whose definitions need no review: the person's own. */
  record(events: readonly DefinitionEvent[], more: number, mine: (actor: string | null) => boolean): void {
    const fresh = events.map((event) => ({ ...event, life: this.#life, reviewed: mine(event.actor) }));
    this.#entries = [...this.#entries, ...fresh].slice(-this.#limit);
    this.#unlisted += more;
    this.events.emit('changed', undefined);
  }

  /** A fresh image takes the place of the last one: what is recorded from now on belongs to it. */
  beginLife(): void {
    this.#life += 1;
    this.#unlisted = 0;
    this.events.emit('changed', undefined);
  }

  /** What it holds now, for `goBack`. */
  state(): readonly DefinitionEntry[] {
    return this.#entries;
  }

  /** The image went back to how it was when this was the state. What the person has looked at stays looked at. */
  goBack(state: readonly DefinitionEntry[]): void {
    const key = ({ life, id, time }: DefinitionEntry): string => `${life} ${id} ${time}`;
    const reviewed = new Set(this.#entries.filter((entry) => entry.reviewed).map(key));
    this.#entries = state.map((entry) => (reviewed.has(key(entry)) ? { ...entry, reviewed: true } : entry));
    this.events.emit('changed', undefined);
  }

  /** The person has looked at these, or takes that back. */
  review(ids: readonly number[], reviewed: boolean): void {
    const wanted = new Set(ids);
    this.#entries = this.#entries.map((entry) =>
      entry.life === this.#life && wanted.has(entry.id) ? { ...entry, reviewed } : entry,
    );
    this.events.emit('changed', undefined);
  }

  /** Latest first. */
  entries(filter: DefinitionFilter = {}): DefinitionEntry[] {
    return this.#entries.filter((entry) => matches(entry, filter)).toReversed();
  }

  /** Whether `id` happened in the living image, so that it can be undone there. */
  undoable(id: number): boolean {
    return this.#entries.some((entry) => entry.life === this.#life && entry.id === id);
  }
}

function matches(entry: DefinitionEntry, filter: DefinitionFilter): boolean {
  return (
    (filter.package === undefined || entry.package === filter.package) &&
    (filter.actor === undefined || entry.actor === filter.actor) &&
    (filter.evaluation === undefined || entry.evaluation === filter.evaluation) &&
    (filter.reviewed === undefined || entry.reviewed === filter.reviewed)
  );
}
