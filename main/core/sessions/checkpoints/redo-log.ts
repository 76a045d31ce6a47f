/**
 * The redo log of an image: the evaluations since its latest checkpoint process that can be repeated in it. While nothing else has changed
 * the image, that process and the log describe its state, and no other process is needed.
 */
import type { DefinitionEntry } from '#contract/image/definition.ts';
import type { Actor } from '#contract/image/session.ts';
import type { LispImage } from '#core/lisp/image.ts';
import type { OperationReply, OperationRequest } from '#core/lisp/messages.ts';
import type { JournalState } from './journal.ts';

/** The journal and the definition history that belong to one state of the image. They go back together with the image. */
export interface KeptBeside {
  readonly journal: JournalState;
  readonly definitions: readonly DefinitionEntry[];
}

export interface RedoEntry {
  readonly fields: OperationRequest<'evaluate'>;
  readonly after: KeptBeside;
}

/** A state of the image: a checkpoint process, and the evaluations after it. */
export interface ImageState {
  /** The id of the checkpoint process. */
  readonly pid: number;
  /** The journal and the definition history when the process was forked. */
  readonly base: KeptBeside;
  readonly redo: readonly RedoEntry[];
}

/** An answered evaluation. */
export interface Answered {
  readonly fields: OperationRequest<'evaluate'>;
  readonly reply: Pick<OperationReply<'evaluate'>, 'redoable' | 'timing'>;
  readonly actor: Actor;
  /** True if the evaluation certainly did not change the image. */
  readonly readsOnly: boolean;
  /** The label of a checkpoint directly after the evaluation. */
  readonly label: string;
}

/**
 * The maximum number of evaluations in a redo log; its other limits follow. Repeating the evaluations takes time while the user waits for
 * the image, so beyond these limits another checkpoint process is better.
 */
const MOST_ENTRIES = 100;
const MOST_CHARACTERS = 500_000;
const LONGEST_MS = 50;
/** The limit for the total time of all evaluations in the log, as a multiple of the limit for one evaluation. */
const MOST_LONGEST = 5;
/** The maximum number of journal entries stored for all intermediate states, each of which has its own array. */
const MOST_KEPT = 1_000_000;

/** Matches names with which code may reach outside the image without detection. */
const INNER = /alien|cffi|sb-(?:c|int|impl|kernel|sys|unix|vm|win32):/i;

export class RedoLog {
  #image: LispImage | null = null;
  /** The image's number of changes (`LispImage.changes`) when the log was last complete. */
  #changes = 0;
  #state: ImageState | null = null;
  #last: Pick<Answered, 'actor' | 'label'> | null = null;
  #milliseconds = 0;
  #characters = 0;
  #kept = 0;
  /** Images that have run code that may reach outside the image without detection. */
  readonly #opaque = new WeakSet<LispImage>();
  /** The maximum duration in milliseconds of one evaluation in the log. */
  readonly #longestMs: number;

  constructor(longestMs = LONGEST_MS) {
    this.#longestMs = longestMs;
  }

  /** Starts a log for the latest process forked from `image`; `changes` is the image's count of changes at that time. */
  begin(image: LispImage, changes: number, pid: number, base: KeptBeside): void {
    this.#image = image;
    this.#changes = changes;
    this.#state = { pid, base, redo: [] };
    this.#last = null;
    this.#milliseconds = 0;
    this.#characters = 0;
    this.#kept = 0;
  }

  end(): void {
    this.#image = null;
    this.#state = null;
  }

  /** The latest process and the evaluations after it; null if there is none. The log may be incomplete, see `covers`. */
  get state(): ImageState | null {
    return this.#state;
  }

  /** The actor of the latest evaluation in the log, and the label of the state after it; null if the log is empty. */
  get last(): Pick<Answered, 'actor' | 'label'> | null {
    return this.#last;
  }

  /** Returns true if the log contains everything that happened since the fork. */
  covers(image: LispImage): boolean {
    return this.#image === image && this.#state !== null && image.changes === this.#changes;
  }

  /** Ends the log if its process has been ended from outside. The check is slow, so it runs when no action waits for it. */
  look(): void {
    if (this.#state && !this.#image?.holds(this.#state.pid)) this.end();
  }

  /** True if another evaluation fits into the log before the next fork. */
  get hasRoom(): boolean {
    const entries = this.#state?.redo.length ?? 0;
    const quick = this.#milliseconds < this.#longestMs * MOST_LONGEST;
    return quick && this.#characters < MOST_CHARACTERS && this.#kept < MOST_KEPT && entries < MOST_ENTRIES;
  }

  /** Adds an answered evaluation if it is a client's, is repeatable, and directly follows the last recorded change. */
  add(image: LispImage, { fields, reply, actor, readsOnly, label }: Answered, beside: () => KeptBeside): void {
    if (INNER.test(fields.code)) this.#opaque.add(image);
    if (readsOnly) return;
    const state = this.#state;
    const next =
      actor.kind === 'client' && state !== null && this.#image === image && image.changes === this.#changes + 1;
    if (!next || !reply.redoable || this.#opaque.has(image) || reply.timing.realMs > this.#longestMs || !this.hasRoom)
      return;
    const after = beside();
    this.#changes = image.changes;
    this.#state = {
      ...state,
      redo: [...state.redo, { fields: { ...fields, interactive: false, keepValues: false }, after }],
    };
    this.#last = { actor, label };
    this.#milliseconds += reply.timing.realMs;
    if (after.journal !== keptAfter(state).journal) this.#kept += after.journal.entries.length;
    this.#characters += fields.code.length;
  }
}

/** Returns the journal and the definition history that belong to `state`. */
export function keptAfter({ base, redo }: ImageState): KeptBeside {
  return redo.at(-1)?.after ?? base;
}
