/**
 * The events of definitions across restarts of a session's image, for the window's lists (P1, P2). Each image numbers its events from the
 * start, so each entry also records its life. *Seen* (needs no review any more) and *reviewed* (marked by the person) are separate facts. A
 * third fact, whether the code is trusted, is derived by the image from the marks only.
 */
import type { DefinitionEntry, DefinitionEvent } from '#contract/image/definition.ts';
import { Emitter } from '#core/base/emitter.ts';

export interface DefinitionFilter {
  readonly package?: string | undefined;
  readonly actor?: string | undefined;
  readonly evaluation?: string | undefined;
  readonly reviewed?: boolean | undefined;
}

/** The maximum number of entries; the oldest are removed. The image does not store more than this either. */
const LIMIT = 5000;

/** The unique identity of an entry, because each image numbers its events from the start. */
export type EntryId = Pick<DefinitionEntry, 'life' | 'id'>;
type Mark = Pick<DefinitionEntry, 'id' | 'code'>;

interface JournalEvents {
  changed: void;
  /** Informs the running image, whose guard tracks the authors of unreviewed code. */
  reviewed: { events: Mark[]; reviewed: boolean };
  /** After the image went back, a reviewed definition was repeated, but its code is different or cannot be compared. */
  'mark-lost': DefinitionEntry;
}

export class DefinitionJournal {
  readonly events = new Emitter<JournalEvents>();
  readonly #limit: number;
  #entries: DefinitionEntry[] = [];
  /**
   * The events that the person marked as reviewed, or whose mark they removed. Going back to a checkpoint does not change them. Ids are
   * never reused within a life.
   */
  readonly #marks = new Map<string, boolean>();
  /** Reviewed definitions of evaluations that are repeated after going back. They stay reviewed if they return with the same code. */
  #again: DefinitionEntry[] = [];
  #life = 1;
  #unlisted = 0;

  constructor(limit = LIMIT) {
    this.#limit = limit;
  }

  /** The number of the current image, counted from 1. */
  get life(): number {
    return this.#life;
  }

  /** The number of events without a record, such as those of a loaded system. */
  get unlisted(): number {
    return this.#unlisted;
  }

  /** Records a `definition-events` event. `mine` returns true for the person's own definitions, which need no review. */
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

  /** Starts a new life, because a new image replaces the last one. Later records belong to the new life. */
  beginLife(): void {
    this.#life += 1;
    this.#marks.clear();
    this.#unlisted = 0;
    this.events.emit('changed', undefined);
  }

  /** Returns the current entries, for `goBack`. */
  state(): readonly DefinitionEntry[] {
    return this.#entries;
  }

  /**
   * Goes back to a state together with the image. The person's added and removed marks stay. This includes marks on definitions of the
   * evaluations `again`, which are repeated.
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

  /**
   * Marks entries as reviewed by the person, or removes the marks. Ignores entries from an earlier image, and entries that were removed by
   * going back.
   */
  review(entries: readonly EntryId[], reviewed: boolean): void {
    const wanted = new Set(entries.filter(({ life }) => life === this.#life).map(({ id }) => id));
    const changed: Mark[] = [];
    this.#entries = this.#entries.map((entry) => {
      if (entry.life !== this.#life || !wanted.has(entry.id)) return entry;
      // The person's own definitions and undone ones need no review and get no mark.
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
   * Closes the event `id`, which was undone, and later changes of the same definition. They need no review, and their marks are permanently
   * removed: if a checkpoint brings the code back, it has no mark.
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

  /** Returns true if event `id` happened in the running image, which means that it can be undone there. */
  undoable(id: number): boolean {
    return this.#entries.some((entry) => entry.life === this.#life && entry.id === id);
  }
}

/** Returns the entry with or without the person's mark. An entry that loses its mark needs review again. */
function marked(entry: DefinitionEntry, reviewed: boolean): DefinitionEntry {
  return entry.reviewed === reviewed ? entry : { ...entry, seen: reviewed, reviewed };
}

function markOf({ id, code }: DefinitionEntry): Mark {
  return { id, code };
}

function keyOf({ life, id, time }: DefinitionEntry): string {
  return `${life} ${id} ${time}`;
}

/** Groups of kinds. Of each group, a name can have only one definition at a time. */
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
