/** Evaluations of clients that were answered and wait in the debugger. They have no turn, so the scheduler does not track them. */
import type { Actor } from '#contract/image/session.ts';

export interface HeldEvaluation {
  readonly evaluation: string;
  readonly actor: Actor;
  /** The call for which the evaluation is running code now, in a frame or after a restart; null while it waits. */
  readonly call: string | null;
  /** Ends the code that the evaluation is running. If no code is running, ends the evaluation's wait. */
  interrupt(): void;
  /** Shortens the evaluation's wait, because another client works in the image and no checkpoint is possible until the wait ends. */
  crowd(): void;
  /** Ends the evaluation on all levels of the debugger; resolves when that is done. */
  abandon(): Promise<void>;
}

export class HeldEvaluations {
  readonly #held = new Set<HeldEvaluation>();

  /** Adds an evaluation. The returned function removes it after it has ended. */
  add(held: HeldEvaluation): () => void {
    this.#held.add(held);
    return () => this.#held.delete(held);
  }

  /** The held evaluations that are running code, each with the call that it runs for. */
  get busy(): { readonly call: string; readonly actor: Actor }[] {
    return [...this.#held].flatMap(({ call, actor }) => (call === null ? [] : [{ call, actor }]));
  }

  /** Returns the call for which a held evaluation is running code; null if it is not running code, or is not held. */
  callOf(evaluation: string): string | null {
    return [...this.#held].find((each) => each.evaluation === evaluation)?.call ?? null;
  }

  /** Returns the actors of held evaluations for which `isMeant` returns true, without duplicates. */
  of(isMeant: (actor: Actor) => boolean): Actor[] {
    return [...new Map([...this.#held].map(({ actor }) => [actor.id, actor])).values()].filter(isMeant);
  }

  /** Records that this client works in the image, which shortens the waits of evaluations that are held for other clients. */
  crowd(by: Actor): void {
    for (const held of this.#held) if (held.actor.id !== by.id) held.crowd();
  }

  /** Ends all evaluations for whose actor `isMeant` returns true, on all levels of the debugger. */
  abandon(isMeant: (actor: Actor) => boolean): void {
    for (const held of this.#held) if (isMeant(held.actor)) void held.abandon();
  }

  /**
   * Interrupts the code of one evaluation; with null, of the latest evaluation that is running code. Returns false if there is nothing to
   * interrupt.
   */
  interrupt(evaluation: string | null): boolean {
    const target = [...this.#held].findLast(
      (each) => each.call !== null && (evaluation ?? each.evaluation) === each.evaluation,
    );
    target?.interrupt();
    return target !== undefined;
  }
}
