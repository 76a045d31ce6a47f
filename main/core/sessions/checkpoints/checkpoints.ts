/** The states of an image that can be gone back to: what they are called, what each holds of the journal, what they cost. */
import { readFile } from 'node:fs/promises';
import type { Actor, CheckpointRecord } from '#contract/image/session.ts';
import { WorkbenchError } from '#core/base/error.ts';
import type { LispImage } from '#core/lisp/image.ts';
import type { DefinitionJournal } from '../definitions/definition-journal.ts';
import type { Journal } from './journal.ts';
import { RedoLog, type Answered, type ImageState, type KeptBeside } from './redo-log.ts';

/** Several can have the same copy; its process is another one each time it was gone back to. */
export interface Checkpoint extends CheckpointRecord, ImageState {
  /** True where a person or client asked for it: those that are made before evaluations never push it out. */
  readonly asked: boolean;
}

/** The checkpoints kept that were asked for. */
export const MOST_ASKED = 20;

export interface CheckpointLimits {
  /** Checkpoints kept that nobody asked for. */
  readonly most: number;
  /** Bytes that all of them together may take beside what they share with the image. */
  readonly memory: () => number;
  /** Milliseconds in which nobody evaluates before a copy makes the redo log needless: after it each page that is written is copied once. */
  readonly idleMs: number;
  /** Milliseconds that an evaluation in the redo log may have taken; as usual when left out. */
  readonly redoMs?: number | undefined;
}

/** A state of the image that can be had now. */
interface Copied extends ImageState {
  readonly at: number;
  /** The image's count of changes when the copy was asked for. */
  readonly changes: number;
}

/** A copy that was made while nobody waited. */
interface Ahead {
  readonly image: LispImage;
  readonly changes: number;
  readonly label: string;
  readonly actor: Actor;
  readonly asked: Promise<Copied | null>;
  /** The frozen copy of the process; null until it exists. */
  copied: Copied | null;
}

/** Between one measurement and the next. */
const MEASURE_MS = 2_000;
/**
 * Milliseconds until a checkpoint's process is ended: the kernel takes its memory apart, and what runs now should not wait for
 * that.
 */
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
  /** The id of a checkpoint that must not be dropped now. */
  #needed: number | null = null;
  #problem: string | null = null;
  #ahead: Ahead | null = null;
  readonly #log: RedoLog;
  #idle: NodeJS.Timeout | null = null;
  #measuring = false;

  constructor(journal: Journal, definitions: DefinitionJournal, limits: CheckpointLimits, onChange: () => void) {
    this.#journal = journal;
    this.#definitions = definitions;
    this.#limits = limits;
    this.#log = new RedoLog(limits.redoMs);
    this.#onChange = onChange;
  }

  get records(): CheckpointRecord[] {
    return this.#kept.map(({ pid: _pid, base: _base, redo: _redo, asked: _asked, ...record }) => record);
  }

  get problem(): string | null {
    return this.#problem;
  }

  /**
   * The checkpoint at which `image` goes on when it crashed: the one it came from. After going back that is not the newest, which holds
   * what was undone. A copy that was made ahead is newer than all, and becomes one of them; so does the
   * state after what is in the redo log.
   */
  latest(image: LispImage): Checkpoint | null {
    const ahead = this.#ahead;
    this.#ahead = null;
    const { state, last } = this.#log;
    if (ahead?.copied && image.holds(ahead.copied.pid)) this.#keep(ahead.copied, ahead.label, ahead.actor);
    else if (state && last && image.holds(state.pid)) this.#keep({ ...state, at: Date.now() }, last.label, last.actor);
    this.#dropOldest(image);
    const kept = this.#kept.filter(({ pid }) => image.holds(pid));
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
    if (!found) throw new WorkbenchError('not-found', `Checkpoint ${id} no longer exists.`);
    return found;
  }

  /**
   * Makes one, and lets the oldest go when there are too many. Null, with `problem`, where the image cannot be copied now.
   * `context` is the one that is about to evaluate, if any: before that the latest copy and the redo log will do. `asked` is true where
   * somebody asked for it, so that it stays.
   */
  async make(
    image: LispImage,
    label: string,
    actor: Actor,
    { context, asked = false }: { context?: string; asked?: boolean } = {},
  ): Promise<CheckpointRecord | null> {
    this.#endIdle();
    const copied =
      (await this.#takeAhead(image)) ??
      (context === undefined ? null : this.#logged(image)) ??
      (await this.#copy(image, false));
    if ('reason' in copied) {
      this.#problem = copied.reason;
      this.#onChange();
      return null;
    }
    this.#problem = null;
    if (copied.redo.length === 0) this.#beginLog(image, copied);
    const record = this.#keep(copied, label, actor, asked);
    this.#dropOldest(image);
    this.#onChange();
    this.#measureSoon(image);
    return record;
  }

  /** Takes the answer to each evaluation, before the image is asked anything else. */
  answered(image: LispImage, answered: Answered): void {
    this.#log.add(image, answered, () => this.#beside());
  }

  /**
   * Copies the image while nobody waits for it: the next checkpoint is that copy, unless something changes the image before.
   * Should the image crash before, it goes on there; the checkpoint is then called `label`. Where the redo log will do, that is
   * done when nobody evaluates for a while.
   */
  prepareNext(image: LispImage, label: string, actor: Actor): void {
    this.#endIdle();
    setImmediate(() => this.#log.look()); // once the answer is out
    if (!this.#log.covers(image) || !this.#log.hasRoom) return this.#copyAhead(image, label, actor);
    this.#idle = setTimeout(() => {
      if (image.alive && this.#log.covers(image)) this.#copyAhead(image, label, actor);
    }, this.#limits.idleMs).unref();
  }

  #copyAhead(image: LispImage, label: string, actor: Actor): void {
    if (this.#ahead && isCurrent(this.#ahead, image)) return;
    this.#letAheadGo();
    const asked = this.#copy(image, true).then(
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

  /** The image goes on from the copy that the checkpoint `id` has; `copy` now holds what that held. */
  woken(id: number, copy: number): Checkpoint {
    const { pid } = this.find(id);
    this.#kept = this.#kept.map((each) => (each.pid === pid ? { ...each, pid: copy } : each));
    this.#latest = id;
    this.#endIdle();
    this.#letAheadGo();
    this.#log.end();
    this.#onChange();
    return this.find(id);
  }

  /** Cuts a checkpoint's redo log to its first `made` evaluations: the others cannot be made again. */
  cutRedo(id: number, made: number): Checkpoint {
    this.#kept = this.#kept.map((each) => (each.id === id ? { ...each, redo: each.redo.slice(0, made) } : each));
    return this.find(id);
  }

  /** Forgets a checkpoint whose process was ended from outside. */
  forget(id: number): void {
    const { pid } = this.find(id);
    this.#kept = this.#kept.filter((each) => each.pid !== pid);
    this.#onChange();
  }

  /** The image is over, and its copies with it. */
  clear(): void {
    this.#endIdle();
    this.#kept = [];
    this.#ahead = null;
    this.#log.end();
    this.#latest = null;
    this.#problem = null;
  }

  async #copy(image: LispImage, idle: boolean): Promise<Copied | { reason: string }> {
    const { changes } = image;
    const made = await image.checkpoint(idle);
    if ('reason' in made) return made;
    return { pid: made.pid, at: Date.now(), changes, base: this.#beside(), redo: [] };
  }

  /** The present state of the image by the latest copy and the redo log, where they are enough; else null. */
  #logged(image: LispImage): Copied | null {
    const { state } = this.#log;
    return state && this.#log.covers(image) ? { ...state, at: Date.now(), changes: image.changes } : null;
  }

  #beginLog(image: LispImage, { changes, pid, base }: Copied): void {
    const before = this.#log.state?.pid;
    if (before === pid) return;
    this.#log.begin(image, changes, pid, base);
    if (before !== undefined) this.#release(image, before);
  }

  /** The journal takes each answer in as it comes, so it has all definitions of before what the image is asked next. */
  #beside(): KeptBeside {
    return { journal: this.#journal.state(), definitions: this.#definitions.state() };
  }

  #endIdle(): void {
    if (this.#idle) clearTimeout(this.#idle);
    this.#idle = null;
  }

  #keep(
    { pid, at, base, redo }: Omit<Copied, 'changes'>,
    label: string,
    actor: Actor,
    asked = false,
  ): CheckpointRecord {
    const record = { id: (this.#lastId += 1), at, label, actor, memory: null };
    this.#kept.push({ ...record, pid, base, redo, asked });
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
    for (const pid of new Set(this.#kept.map((each) => each.pid))) {
      const share = await shareOf(pid);
      const [first] = this.#kept.filter((each) => each.pid === pid);
      this.#kept = this.#kept.map((each) =>
        each.pid === pid ? { ...each, memory: each.id === first?.id ? (share ?? each.memory ?? 0) : 0 } : each,
      );
    }
    const total = (): number => this.#kept.reduce((sum, each) => sum + (each.memory ?? 0), 0);
    while (total() > this.#limits.memory() && this.#kept.length > 1)
      this.#drop(image, this.#oldest(false) ?? this.#oldest(true)!);
    this.#onChange();
  }

  #dropOldest(image: LispImage): void {
    const count = (asked: boolean): number => this.#kept.filter((each) => each.asked === asked).length;
    while (count(false) > this.#limits.most) this.#drop(image, this.#oldest(false)!);
    while (count(true) > MOST_ASKED) this.#drop(image, this.#oldest(true)!);
  }

  /** The oldest that was asked for, or that was not, and that may be dropped. */
  #oldest(asked: boolean): Checkpoint | undefined {
    return this.#kept.find((each) => each.asked === asked && each.id !== this.#needed);
  }

  #drop(image: LispImage, oldest: Checkpoint): void {
    const heir = this.#kept.find(({ id, pid }) => id !== oldest.id && pid === oldest.pid);
    this.#kept = this.#kept
      .filter((each) => each !== oldest)
      .map((each) => (each === heir ? { ...each, memory: oldest.memory } : each));
    this.#release(image, oldest.pid);
  }

  /** Ends a copy that no checkpoint is held by any longer. */
  #release(image: LispImage, pid: number): void {
    if (this.#kept.some((each) => each.pid === pid) || this.#log.state?.pid === pid) return;
    setTimeout(() => image.drop(pid), END_MS).unref();
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
