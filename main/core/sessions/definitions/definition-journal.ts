/**
 * The events of definitions, across restarts of a session's image, as the window lists them (P1, P2). Ids count anew in each image, so
 * each entry knows which life it is of. *Seen* (needs no more looking) and *reviewed* (marked by the person) are two facts. Which code
 * is trusted is a third, and the image's own: it follows from the marks alone.
 */
import type { DefinitionEntry, DefinitionEvent } from '#contract/image/definition.ts';
import { Emitter } from '#core/base/emitter.ts';

export interface DefinitionFilter {
  readonly package?: string | undefined;
  readonly actor?: string | undefined;
  readonly evaluation?: string | undefined;
  readonly reviewed?: boolean | undefined;
}

/** Beyond this the oldest are forgotten; the image keeps no more either. */
const LIMIT = 5000;

/** An entry by what never is another's: ids count anew in each image. */
export type EntryId = Pick<DefinitionEntry, 'life' | 'id'>;
type Mark = Pick<DefinitionEntry, 'id' | 'code'>;

interface JournalEvents {
  changed: void;
  /** Tells the living image, whose guard follows the authors of what is not reviewed. */
  reviewed: { events: Mark[]; reviewed: boolean };
  /** A definition that the person had reviewed was made again after the image went back, and is other code or cannot be compared. */
  'mark-lost': DefinitionEntry;
}

export class DefinitionJournal {
  readonly events = new Emitter<JournalEvents>();
  readonly #limit: number;
  #entries: DefinitionEntry[] = [];
  /**
   * The events that the person marked as reviewed or took the mark from; going back to a checkpoint does not change them. Ids are
   * never used again within a life.
   */
  readonly #marks = new Map<string, boolean>();
  /** Reviewed definitions of evaluations that are made again after going back: they are reviewed when they come again as the same code. */
  #again: DefinitionEntry[] = [];
  #life = 1;
  #unlisted = 0;

  constructor(limit = LIMIT) {
    this.#limit = limit;
  }

  /** Counts the images: which one runs now. */
  get life(): number {
    return this.#life;
  }

  /** The number of events that came without a record, such as those of a system that was loaded. */
  get unlisted(): number {
    return this.#unlisted;
  }

  /** Takes in a `definition-events` event. `mine` tells which definitions need no look: the person's own. */
  record(events: readonly DefinitionEvent[], more: number, mine: (event: DefinitionEvent) => boolean): void {
    const fresh = events.map((event) => {
      return { ...event, life: this.#life, seen: event.author === null && mine(event), reviewed: false };
    });
    this.#entries = [...this.#entries, ...fresh].slice(-this.#limit);
    for (const { undoes } of events) if (undoes !== null) this.#close(undoes);
    this.#unlisted += more;
    const reviewed = this.#again.length === 0 ? [] : fresh.filter((entry) => this.#wasReviewed(entry));
    if (reviewed.length > 0) this.review(reviewed, true);
    else this.events.emit('changed', undefined);
  }

  /** A fresh image takes the place of the last one: what is recorded from now on belongs to it. */
  beginLife(): void {
    this.#life += 1;
    this.#marks.clear();
    this.#unlisted = 0;
    this.events.emit('changed', undefined);
  }

  /** The entries now, for `goBack`. */
  state(): readonly DefinitionEntry[] {
    return this.#entries;
  }

  /**
   * The image went back to how it was when this was the state. What the person marked stays marked, and what they took back too;
   * also of what the evaluations `again` define, which are made again.
   */
  goBack(state: readonly DefinitionEntry[], again: ReadonlySet<string> = new Set()): void {
    const known = new Set(state.map(keyOf));
    this.#again = this.#entries.filter(
      (entry) =>
        entry.reviewed && entry.life === this.#life && again.has(entry.evaluation ?? '') && !known.has(keyOf(entry)),
    );
    this.#entries = state.map((entry) => marked(entry, this.#marks.get(keyOf(entry)) ?? entry.reviewed));
    this.events.emit('changed', undefined);
    const living = this.#entries.filter((entry) => entry.life === this.#life);
    const reviewed = living.filter((entry) => entry.reviewed).map(markOf);
    const open = living.filter((entry) => !entry.seen).map(markOf);
    if (reviewed.length > 0) this.events.emit('reviewed', { events: reviewed, reviewed: true });
    if (open.length > 0) this.events.emit('reviewed', { events: open, reviewed: false });
  }

  /** The person marks these as reviewed, or takes that back. Those of an image that is gone, or that went back, are left as they are. */
  review(entries: readonly EntryId[], reviewed: boolean): void {
    const wanted = new Set(entries.filter(({ life }) => life === this.#life).map(({ id }) => id));
    const changed: Mark[] = [];
    this.#entries = this.#entries.map((entry) => {
      if (entry.life !== this.#life || !wanted.has(entry.id)) return entry;
      // What needs no look has no mark: the person's own, and what an undo took away.
      if (reviewed ? entry.seen : !entry.reviewed) return entry;
      this.#marks.set(keyOf(entry), reviewed);
      changed.push(markOf(entry));
      return marked(entry, reviewed);
    });
    if (changed.length === 0) return;
    this.events.emit('changed', undefined);
    this.events.emit('reviewed', { events: changed, reviewed });
  }

  /**
   * The event `id` was undone, and with it what changed the same definition since. Nothing of that is left to look at, and its marks are
   * gone for good: going back to a checkpoint brings the code back without them.
   */
  #close(id: number): void {
    const undone = this.#entries.find((entry) => entry.life === this.#life && entry.id === id);
    if (!undone) return;
    this.#entries = this.#entries.map((entry) => {
      const taken = entry === undone || (entry.id > id && entry.undoes === null && isOfSame(entry, undone));
      if (!taken) return entry;
      this.#marks.set(keyOf(entry), false);
      return { ...entry, seen: true, reviewed: false };
    });
  }

  #wasReviewed(entry: DefinitionEntry): boolean {
    const at = this.#again.findIndex((each) => definesSame(each, entry));
    if (at < 0) return false;
    const [before] = this.#again.splice(at, 1);
    if (entry.code !== null && entry.code === before!.code) return true;
    this.events.emit('mark-lost', entry);
    return false;
  }

  /** Latest first. */
  entries(filter: DefinitionFilter = {}): DefinitionEntry[] {
    return this.#entries.filter((entry) => matches(entry, filter)).toReversed();
  }

  /** True when event `id` happened in the living image, so that it can be undone there. */
  undoable(id: number): boolean {
    return this.#entries.some((entry) => entry.life === this.#life && entry.id === id);
  }
}

/** The entry with or without the person's mark; one whose mark goes needs a look again. */
function marked(entry: DefinitionEntry, reviewed: boolean): DefinitionEntry {
  return entry.reviewed === reviewed ? entry : { ...entry, seen: reviewed, reviewed };
}

function markOf({ id, code }: DefinitionEntry): Mark {
  return { id, code };
}

function keyOf({ life, id, time }: DefinitionEntry): string {
  return `${life} ${id} ${time}`;
}

/** Kinds that take each other's place under a name. */
const EXCLUSIVE: readonly (readonly DefinitionEntry['kind'][])[] = [
  ['function', 'generic-function', 'macro'],
  ['variable', 'constant', 'symbol-macro'],
  ['class', 'structure', 'condition'],
];

function isOfSame(one: DefinitionEntry, other: DefinitionEntry): boolean {
  const kinds = EXCLUSIVE.find((each) => each.includes(one.kind)) ?? [one.kind];
  return kinds.includes(other.kind) && (['life', 'name', 'package'] as const).every((key) => one[key] === other[key]);
}

function definesSame(one: DefinitionEntry, other: DefinitionEntry): boolean {
  return (['evaluation', 'actor', 'kind', 'name', 'package', 'operation'] as const).every(
    (key) => one[key] === other[key],
  );
}

function matches(entry: DefinitionEntry, filter: DefinitionFilter): boolean {
  return (
    (filter.package === undefined || entry.package === filter.package) &&
    (filter.actor === undefined || entry.actor === filter.actor) &&
    (filter.evaluation === undefined || entry.evaluation === filter.evaluation) &&
    (filter.reviewed === undefined || entry.reviewed === filter.reviewed)
  );
}
