/** Automatic checkpoints: before what an agent evaluates, or a load, so that there is a way back whenever it goes wrong. */
import type { Actor } from '#contract/image/session.ts';
import type { LispImage } from '#core/lisp/image.ts';
import type { Checkpoints } from './checkpoints.ts';
import type { Answered } from './redo-log.ts';

/** The code that is about to run. */
export interface Preparing {
  readonly actor: Actor;
  readonly context: string;
  /** True when the code surely leaves the image as it is, and needs no checkpoint. */
  readonly readsOnly?: boolean;
}

export class AutomaticCheckpoints {
  readonly #checkpoints: Checkpoints;
  readonly #on: boolean;
  readonly #made: (label: string) => void;
  /** Evaluations so far, by which checkpoints are named. */
  #count = 0;

  /** `on`: whether any are made. `made` is called with the label of each. */
  constructor(checkpoints: Checkpoints, on: boolean, made: (label: string) => void) {
    this.#checkpoints = checkpoints;
    this.#on = on;
    this.#made = made;
  }

  /**
   * Makes the checkpoint that goes before an evaluation or a load, which `what` names. Where it cannot be made,
   * `Checkpoints.problem` says why: an evaluation does not fail because there is no way back.
   */
  async prepare(image: LispImage, { actor, context, readsOnly = false }: Preparing, what?: string): Promise<void> {
    this.#count += 1;
    if (!this.#on || readsOnly) return;
    const label = `before ${this.#named(actor, what)}`;
    const made = await this.#checkpoints.make(image, label, actor, { context }).catch(() => null);
    if (made) this.#made(label);
  }

  /** Takes in the answer to an evaluation, before the image is asked anything else. */
  answered(image: LispImage | null, { actor, ...answered }: Omit<Answered, 'label'>): void {
    if (this.#on && image)
      this.#checkpoints.answered(image, { ...answered, actor, label: `after ${this.#named(actor)}` });
  }

  /** Copies the image ahead of the next evaluation, while an agent that has just been answered thinks and nobody waits for the copy. */
  prepareNext(image: LispImage | null, { actor, readsOnly = false }: Omit<Preparing, 'context'>, what?: string): void {
    if (!this.#on || readsOnly || !image || image.exiting) return;
    this.#checkpoints.prepareNext(image, `after ${this.#named(actor, what)}`, actor);
  }

  #named(actor: Actor, what = `evaluation ${this.#count}`): string {
    return `${actor.kind === 'person' ? 'your' : `${actor.name}'s`} ${what}`;
  }
}
