/** Automatic checkpoints before evaluations of agents and before loads, so that their changes can be undone. */
import type { Actor } from '#contract/image/session.ts';
import type { LispImage } from '#core/lisp/image.ts';
import type { Checkpoints } from './checkpoints.ts';
import type { Answered } from './redo-log.ts';

/** The code that is about to run. */
export interface Preparing {
  readonly actor: Actor;
  readonly context: string;
  /** True if the code certainly does not change the image, which means that no checkpoint is needed. */
  readonly readsOnly?: boolean;
}

export class AutomaticCheckpoints {
  readonly #checkpoints: Checkpoints;
  readonly #on: boolean;
  readonly #made: (label: string) => void;
  /** The number of evaluations so far, used in the labels of checkpoints. */
  #count = 0;

  /** `on` enables checkpoints. `made` is called with the label of each checkpoint. */
  constructor(checkpoints: Checkpoints, on: boolean, made: (label: string) => void) {
    this.#checkpoints = checkpoints;
    this.#on = on;
    this.#made = made;
  }

  /**
   * Creates the checkpoint before an evaluation or load, which `what` describes. If that fails, `Checkpoints.problem` gives the reason, and
   * the evaluation runs anyway.
   */
  async prepare(image: LispImage, { actor, context, readsOnly = false }: Preparing, what?: string): Promise<void> {
    this.#count += 1;
    if (!this.#on || readsOnly) return;
    const label = `before ${this.#named(actor, what)}`;
    const made = await this.#checkpoints.make(image, label, actor, { context }).catch(() => null);
    if (made) this.#made(label);
  }

  /** Records the answer to an evaluation before the image gets another request. */
  answered(image: LispImage | null, { actor, ...answered }: Omit<Answered, 'label'>): void {
    if (this.#on && image)
      this.#checkpoints.answered(image, { ...answered, actor, label: `after ${this.#named(actor)}` });
  }

  /** Creates the next checkpoint in advance, while the agent considers the last answer and no action waits for it. */
  prepareNext(image: LispImage | null, { actor, readsOnly = false }: Omit<Preparing, 'context'>, what?: string): void {
    if (!this.#on || readsOnly || !image || image.exiting) return;
    this.#checkpoints.prepareNext(image, `after ${this.#named(actor, what)}`, actor);
  }

  #named(actor: Actor, what = `evaluation ${this.#count}`): string {
    return `${actor.kind === 'person' ? 'your' : `${actor.name}'s`} ${what}`;
  }
}
