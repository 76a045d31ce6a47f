/**
 * The redo log of an image: the evaluations since its latest copy that can be made again in that copy. As long as nothing else
 * happened since, the copy and the log are how the image is, and no other copy is needed.
 */
import type { DefinitionEntry } from '#contract/image/definition.ts';
import type { Actor } from '#contract/image/session.ts';
import type { LispImage } from '#core/lisp/image.ts';
import type { OperationReply, OperationRequest } from '#core/lisp/messages.ts';
import type { JournalState } from './journal.ts';

/** The journal and the history of definitions as they were when the image was in some state; they go back with it. */
export interface KeptBeside {
  readonly journal: JournalState;
  readonly definitions: readonly DefinitionEntry[];
}

export interface RedoEntry {
  readonly fields: OperationRequest<'evaluate'>;
  readonly after: KeptBeside;
}

/** The state of an image: a copy, and what was evaluated after it. */
export interface ImageState {
  /** The process that is the copy. */
  readonly pid: number;
  /** Journal and history of definitions when the copy was made. */
  readonly base: KeptBeside;
  readonly redo: readonly RedoEntry[];
}

/** An evaluation that was answered. */
export interface Answered {
  readonly fields: OperationRequest<'evaluate'>;
  readonly reply: Pick<OperationReply<'evaluate'>, 'redoable' | 'timing'>;
  readonly actor: Actor;
  /** True when the evaluation surely left the image as it was. */
  readonly readsOnly: boolean;
  /** The label of a checkpoint right after the evaluation. */
  readonly label: string;
}

/**
 * Limits of a redo log: its evaluations take their time again, when the image has ended and everybody waits; beyond these another
 * copy is better.
 */
const MOST_ENTRIES = 100;
const MOST_CHARACTERS = 500_000;
const LONGEST_MS = 50;
/** The time of all its evaluations together, as a multiple of the longest one's. */
const MOST_LONGEST = 5;
/** Entries of the journal that are kept for all states in between, each of which has an array of its own. */
const MOST_KEPT = 1_000_000;

/** Names by which code may reach outside of the image where the image does not notice. */
const INNER = /alien|cffi|sb-(?:c|int|impl|kernel|sys|unix|vm|win32):/i;

export class RedoLog {
  #image: LispImage | null = null;
  /** The number of changes that the image had seen (`LispImage.changes`) when the log was last true of it. */
  #changes = 0;
  #state: ImageState | null = null;
  #last: Pick<Answered, 'actor' | 'label'> | null = null;
  #milliseconds = 0;
  #characters = 0;
  #kept = 0;
  /** Images in which code was evaluated that may reach outside unnoticed. */
  readonly #opaque = new WeakSet<LispImage>();
  /** Milliseconds that one evaluation in the log may have taken. */
  readonly #longestMs: number;

  constructor(longestMs = LONGEST_MS) {
    this.#longestMs = longestMs;
  }

  /** The latest copy of `image`, made when that had seen so many changes, and what came after it. */
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

  /** The copy and what came after it; null when there is none. More may have happened since, see `covers`. */
  get state(): ImageState | null {
    return this.#state;
  }

  /** The actor of the latest evaluation in the log, and the label of the state after it; null when the log is empty. */
  get last(): Pick<Answered, 'actor' | 'label'> | null {
    return this.#last;
  }

  /** True when the log holds everything that happened since the copy. */
  covers(image: LispImage): boolean {
    return this.#image === image && this.#state !== null && image.changes === this.#changes;
  }

  /** Forgets a copy whose process somebody has ended. Asking takes a while: it is done when nobody waits. */
  look(): void {
    if (this.#state && !this.#image?.holds(this.#state.pid)) this.end();
  }

  /** True when another evaluation may follow before the next copy. */
  get hasRoom(): boolean {
    const entries = this.#state?.redo.length ?? 0;
    const quick = this.#milliseconds < this.#longestMs * MOST_LONGEST;
    return quick && this.#characters < MOST_CHARACTERS && this.#kept < MOST_KEPT && entries < MOST_ENTRIES;
  }

  /** Takes in what was just answered, where it is a client's, can be made again, and nothing else happened since the one before. */
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

/** Journal and history of definitions that go with `state`. */
export function keptAfter({ base, redo }: ImageState): KeptBeside {
  return redo.at(-1)?.after ?? base;
}
