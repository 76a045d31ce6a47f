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

/** A copy of the image with what goes along with it. */
interface Copied {
  readonly pid: number;
  readonly at: number;
  readonly journal: JournalState;
  readonly definitions: readonly DefinitionEntry[];
}

/** A copy that was made while nobody waited. */
interface Ahead {
  readonly image: LispImage;
  /** Of the image when the copy was asked for. */
  readonly changes: number;
  readonly label: string;
  readonly actor: Actor;
  readonly asked: Promise<Copied | null>;
  /** Null until it is there. */
  copied: Copied | null;
}

/** Between one measurement and the next. */
const MEASURE_MS = 2_000;
/** Until a checkpoint's process is ended: the kernel takes its memory apart, and what runs now should not wait for that. */
const END_MS = 30;

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
  #ahead: Ahead | null = null;
  #measuring = false;

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
   * the newest, which holds what was undone. A copy that was made ahead is newer than all, and becomes one of them.
   */
  latest(usable: (pid: number) => boolean): Checkpoint | null {
    const ahead = this.#ahead;
    this.#ahead = null;
    if (ahead?.copied && usable(ahead.copied.pid)) this.#keep(ahead.copied, ahead.label, ahead.actor);
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
    const copied = (await this.#takeAhead(image)) ?? (await this.#copy(image, context ?? null, false));
    if ('reason' in copied) {
      this.#problem = copied.reason;
      this.#onChange();
      return null;
    }
    this.#problem = null;
    const record = this.#keep(copied, label, actor);
    while (this.#kept.length > this.#limits.most) this.#drop(image);
    this.#onChange();
    this.#measureSoon(image);
    return record;
  }

  /**
   * Copies the image while nobody waits for it: the next checkpoint is that copy, unless something changes the image before.
   * Should the image crash before, it goes on there; the checkpoint is then called `label`.
   */
  prepareNext(image: LispImage, label: string, actor: Actor): void {
    if (this.#ahead && isCurrent(this.#ahead, image)) return;
    this.#letAheadGo();
    const asked = this.#copy(image, null, true).then(
      (copied) => ('reason' in copied ? null : copied),
      () => null,
    );
    const ahead: Ahead = { image, changes: image.changes, label, actor, asked, copied: null };
    this.#ahead = ahead;
    void asked.then((copied) => {
      // What was asked meanwhile may be in the journal already, and is not in the copy.
      const kept = this.#ahead === ahead && isCurrent(ahead, image);
      if (kept) ahead.copied = copied;
      else if (copied) image.drop(copied.pid);
      if (this.#ahead === ahead && ahead.copied === null) this.#ahead = null;
    });
  }

  /** The image went on from the copy `pid`; `copy` now holds what that held. */
  woken(pid: number, copy: number): Checkpoint {
    const at = this.#kept.findIndex((each) => each.pid === pid);
    const checkpoint = { ...this.#kept[at]!, pid: copy };
    this.#kept[at] = checkpoint;
    this.#latest = checkpoint.id;
    this.#letAheadGo();
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
    this.#ahead = null;
    this.#latest = null;
    this.#problem = null;
  }

  async #copy(image: LispImage, context: string | null, idle: boolean): Promise<Copied | { reason: string }> {
    const made = await image.checkpoint(context, idle);
    if ('reason' in made) return made;
    // The journal takes each answer in as it comes, so it has all definitions of before the copy.
    return { pid: made.pid, at: Date.now(), journal: this.#journal.state(), definitions: this.#definitions.state() };
  }

  #keep({ pid, at, journal, definitions }: Copied, label: string, actor: Actor): CheckpointRecord {
    const record = { id: (this.#lastId += 1), at, label, actor, memory: null };
    this.#kept.push({ ...record, pid, journal, definitions });
    this.#latest = record.id;
    return record;
  }

  /** The copy that was made ahead, where it is still how the image is. */
  async #takeAhead(image: LispImage): Promise<Copied | null> {
    const ahead = this.#ahead;
    if (!ahead) return null;
    await ahead.asked;
    if (this.#ahead !== ahead) return null;
    if (!ahead.copied || !isCurrent(ahead, image) || !image.holds(ahead.copied.pid)) {
      this.#letAheadGo();
      return null;
    }
    this.#ahead = null;
    return ahead.copied;
  }

  #letAheadGo(): void {
    const ahead = this.#ahead;
    this.#ahead = null;
    if (ahead?.copied) ahead.image.drop(ahead.copied.pid);
  }

  /**
   * Measures after a while, one process at a time: the kernel walks all pages of each for it, and file work of the program
   * waits meanwhile. Many checkpoints in a row are one measurement.
   */
  #measureSoon(image: LispImage): void {
    if (this.#measuring) return;
    this.#measuring = true;
    setTimeout(() => {
      void this.#measure(image).finally(() => {
        this.#measuring = false;
        if (image.alive && this.#kept.some(({ memory }) => memory === null)) this.#measureSoon(image);
      });
    }, MEASURE_MS).unref();
  }

  async #measure(image: LispImage): Promise<void> {
    for (const { id, pid } of this.#kept) {
      const memory = await shareOf(pid);
      this.#kept = this.#kept.map((each) => (each.id === id ? { ...each, memory: memory ?? each.memory ?? 0 } : each));
    }
    let total = this.#kept.reduce((sum, each) => sum + (each.memory ?? 0), 0);
    while (total > this.#limits.memory && this.#kept.length > 1) {
      total -= this.#drop(image).memory ?? 0;
    }
    this.#onChange();
  }

  #drop(image: LispImage): Checkpoint {
    const oldest = this.#kept.find(({ id }) => id !== this.#needed)!;
    this.#kept = this.#kept.filter((each) => each !== oldest);
    setTimeout(() => image.drop(oldest.pid), END_MS).unref();
    return oldest;
  }
}

function isCurrent({ image, changes }: Ahead, now: LispImage): boolean {
  return image === now && changes === now.changes;
}

/** Bytes of a process, what it shares counted in proportion; null where the system does not tell. */
async function shareOf(pid: number): Promise<number | null> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(text)?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}
