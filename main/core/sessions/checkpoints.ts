/** The states of an image that can be gone back to: what they are called, what each holds of the journal, what they cost. */
import { readFile } from 'node:fs/promises';
import type { DefinitionEntry } from '#contract/definition.ts';
import type { Actor, CheckpointRecord } from '#contract/session.ts';
import { WorkbenchError } from '#core/error.ts';
import type { LispImage } from '#core/lisp/image.ts';
import type { DefinitionJournal } from './definition-journal.ts';
import type { Journal, JournalState } from './journal.ts';

export interface Checkpoint extends CheckpointRecord {
  /** The process that holds it now; another one each time it was gone back to. */
  readonly pid: number;
  readonly journal: JournalState;
  readonly definitions: readonly DefinitionEntry[];
}

export interface CheckpointLimits {
  readonly most: number;
  /** Bytes that all of them together may take beside what they share with the image. */
  readonly memory: number;
}

export class Checkpoints {
  readonly #journal: Journal;
  readonly #definitions: DefinitionJournal;
  readonly #limits: CheckpointLimits;
  readonly #onChange: () => void;
  #kept: Checkpoint[] = [];
  #lastId = 0;
  /** The one that was made or gone back to last: what the image came from. */
  #latest: number | null = null;
  /** One that must not be let go now. */
  #needed: number | null = null;
  #problem: string | null = null;

  constructor(journal: Journal, definitions: DefinitionJournal, limits: CheckpointLimits, onChange: () => void) {
    this.#journal = journal;
    this.#definitions = definitions;
    this.#limits = limits;
    this.#onChange = onChange;
  }

  get records(): CheckpointRecord[] {
    return this.#kept.map(({ pid: _pid, journal: _journal, definitions: _definitions, ...record }) => record);
  }

  get problem(): string | null {
    return this.#problem;
  }

  /**
   * Where the image goes on when it crashed, of those that `usable` accepts: what it came from. After going back that is not
   * the newest, which holds what was undone.
   */
  latest(usable: (pid: number) => boolean): Checkpoint | null {
    const kept = this.#kept.filter(({ pid }) => usable(pid));
    return (
      kept.find(({ id }) => id === this.#latest) ??
      kept.findLast(({ id }) => id <= (this.#latest ?? id)) ??
      kept.at(-1) ??
      null
    );
  }

  /** Keeps one, or with null none, from being let go. */
  need(id: number | null): void {
    this.#needed = id;
  }

  /** @throws WorkbenchError `not-found`. */
  find(id: number): Checkpoint {
    const found = this.#kept.find((each) => each.id === id);
    if (!found) throw new WorkbenchError('not-found', `There is no checkpoint ${id} any more.`);
    return found;
  }

  /**
   * Makes one, and lets the oldest go when there are too many. Null, with `problem`, where the image cannot be copied now.
   * `context` is the one that is about to evaluate, if any.
   */
  async make(image: LispImage, label: string, actor: Actor, context?: string): Promise<CheckpointRecord | null> {
    const made = await image.checkpoint(context ?? null);
    // An evaluation that the image answered just before it was copied is taken into the journal by then.
    await new Promise(setImmediate);
    const journal = this.#journal.state();
    if ('reason' in made) {
      this.#problem = made.reason;
      this.#onChange();
      return null;
    }
    this.#problem = null;
    const definitions = this.#definitions.state();
    const record = { id: (this.#lastId += 1), at: Date.now(), label, actor, memory: null };
    const checkpoint = { ...record, pid: made.pid, journal, definitions };
    this.#kept.push(checkpoint);
    this.#latest = checkpoint.id;
    while (this.#kept.length > this.#limits.most) this.#drop(image);
    this.#onChange();
    void this.#measure(image);
    return record;
  }

  /** The image went on from the copy `pid`; `copy` now holds what that held. */
  woken(pid: number, copy: number): Checkpoint {
    const at = this.#kept.findIndex((each) => each.pid === pid);
    const checkpoint = { ...this.#kept[at]!, pid: copy };
    this.#kept[at] = checkpoint;
    this.#latest = checkpoint.id;
    this.#onChange();
    return checkpoint;
  }

  /** Its process was ended by somebody else. */
  forget(id: number): void {
    this.#kept = this.#kept.filter((each) => each.id !== id);
    this.#onChange();
  }

  /** The image is over, and its copies with it. */
  clear(): void {
    this.#kept = [];
    this.#latest = null;
    this.#problem = null;
  }

  async #measure(image: LispImage): Promise<void> {
    const memory = await Promise.all(this.#kept.map(({ pid }) => shareOf(pid)));
    const known = new Map(this.#kept.slice(0, memory.length).map(({ id }, index) => [id, memory[index] ?? null]));
    this.#kept = this.#kept.map((each) => ({ ...each, memory: known.get(each.id) ?? each.memory }));
    let total = this.#kept.reduce((sum, each) => sum + (each.memory ?? 0), 0);
    while (total > this.#limits.memory && this.#kept.length > 1) {
      total -= this.#drop(image).memory ?? 0;
    }
    this.#onChange();
  }

  #drop(image: LispImage): Checkpoint {
    const oldest = this.#kept.find(({ id }) => id !== this.#needed)!;
    this.#kept = this.#kept.filter((each) => each !== oldest);
    image.drop(oldest.pid);
    return oldest;
  }
}

/** Bytes of a process, what it shares counted in proportion; null where the system does not tell. */
async function shareOf(pid: number): Promise<number | null> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(text)?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}
