/** The checkpoints of an image: each with its label, the state of the journal at its creation, and its memory use. */
import { readFile } from 'node:fs/promises';
import type { Actor, CheckpointRecord } from '#contract/image/session.ts';
import { WorkbenchError } from '#core/base/error.ts';
import type { LispImage } from '#core/lisp/image.ts';
import type { DefinitionJournal } from '../definitions/definition-journal.ts';
import type { Journal } from './journal.ts';
import { RedoLog, type Answered, type ImageState, type KeptBeside } from './redo-log.ts';

/** Several checkpoints can share a process, which is replaced each time the image goes back to it. */
export interface Checkpoint extends CheckpointRecord, ImageState {
  /** True if a person or client requested it. Automatic checkpoints never displace it. */
  readonly asked: boolean;
}

/** The maximum number of requested checkpoints. */
export const MOST_ASKED = 20;

export interface CheckpointLimits {
  /** The maximum number of automatic checkpoints. */
  readonly most: number;
  /** The maximum number of bytes for all checkpoints together, without memory that they share with the image. */
  readonly memory: () => number;
  /**
   * The idle time in milliseconds after which a new checkpoint process replaces the redo log. The replacement is delayed, because after it
   * each memory page is copied at its first write.
   */
  readonly idleMs: number;
  /** The maximum duration in milliseconds of an evaluation in the redo log; the default if omitted. */
  readonly redoMs?: number | undefined;
}

/** A state of the image that is available now. */
interface Copied extends ImageState {
  readonly at: number;
  /** The image's count of changes when the fork was requested. */
  readonly changes: number;
}

/** A checkpoint process that was created in advance. */
interface Ahead {
  readonly image: LispImage;
  readonly changes: number;
  readonly label: string;
  readonly actor: Actor;
  readonly asked: Promise<Copied | null>;
  /** The frozen process; null until it exists. */
  copied: Copied | null;
}

/** The time between two measurements, in milliseconds. */
const MEASURE_MS = 2_000;
/**
 * The delay in milliseconds before a checkpoint's process is ended. The kernel has to free its memory, and current work should not wait for
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
  /** The checkpoint that was created last, or to which the image went back last: the origin of the image's present state. */
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
   * Returns the checkpoint at which `image` continues after a crash: the origin of its state. After going back, this is an older
   * checkpoint, because the newest one contains the undone work. A process created in advance is newer than all checkpoints and becomes
   * one, and so does the state after the redo log.
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

  /** Protects a checkpoint from being dropped; null ends the protection. */
  need(id: number | null): void {
    this.#needed = id;
  }

  /** Returns the checkpoint with this id. @throws WorkbenchError `not-found`. */
  find(id: number): Checkpoint {
    const found = this.#kept.find((each) => each.id === id);
    if (!found) throw new WorkbenchError('not-found', `Checkpoint ${id} no longer exists.`);
    return found;
  }

  /**
   * Creates a checkpoint, and drops the oldest ones if there are too many. Returns null and sets `problem` if the image cannot be forked
   * now. `context` is the context that is about to evaluate, if any; in that case the latest process and the redo log suffice. `asked` is
   * true for a requested checkpoint, which automatic ones do not displace.
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

  /** Records the answer to each evaluation before the image gets another request. */
  answered(image: LispImage, answered: Answered): void {
    this.#log.add(image, answered, () => this.#beside());
  }

  /**
   * Forks the image while no action waits for it. The next checkpoint uses this process, unless the image changes first. If the image
   * crashes before the next checkpoint, it continues from this process, which becomes a checkpoint with the label `label`. If the redo log
   * suffices, the fork is delayed until the image is idle.
   */
  prepareNext(image: LispImage, label: string, actor: Actor): void {
    this.#endIdle();
    setImmediate(() => this.#log.look()); // after the answer was sent
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
      // Later requests may already be in the journal, but are not in the forked process.
      const kept = this.#ahead === ahead && isCurrent(ahead, image);
      if (kept) ahead.copied = copied;
      else if (copied) image.drop(copied.pid);
      if (this.#ahead === ahead && ahead.copied === null) this.#ahead = null;
    });
  }

  /** Records that the image continues from the process of checkpoint `id`; `copy` is the new process with the same state. */
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

  /** Cuts a checkpoint's redo log to its first `made` evaluations, because the others cannot be repeated. */
  cutRedo(id: number, made: number): Checkpoint {
    this.#kept = this.#kept.map((each) => (each.id === id ? { ...each, redo: each.redo.slice(0, made) } : each));
    return this.find(id);
  }

  /** Removes a checkpoint whose process was ended from outside. */
  forget(id: number): void {
    const { pid } = this.find(id);
    this.#kept = this.#kept.filter((each) => each.pid !== pid);
    this.#onChange();
  }

  /** Removes all checkpoints, because the image and their processes have ended. */
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

  /** Returns the image's present state as the latest process and the redo log, if these are sufficient; otherwise null. */
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

  /**
   * Returns the journal's state. The journal records each answer immediately, so it contains all definitions from before the image's next
   * request.
   */
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

  /** Returns the process created in advance, if the image has not changed since. */
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
   * Measures after a delay, one process at a time. The kernel reads all pages of each process, and the program's file operations wait
   * during that. Many checkpoints in a row cause only one measurement.
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

  /** Returns the oldest requested or automatic checkpoint that may be dropped. */
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

  /** Ends a process that no checkpoint uses any more. */
  #release(image: LispImage, pid: number): void {
    if (this.#kept.some((each) => each.pid === pid) || this.#log.state?.pid === pid) return;
    setTimeout(() => image.drop(pid), END_MS).unref();
  }
}

function isCurrent({ image, changes }: Ahead, now: LispImage): boolean {
  return image === now && changes === now.changes;
}

/** Returns the bytes of a process, with shared memory counted in proportion; null if the system does not report it. */
async function shareOf(pid: number): Promise<number | null> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(text)?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}
