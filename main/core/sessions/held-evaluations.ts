/** Evaluations of clients that were answered and wait in the debugger. They have no turn, so the scheduler does not know them. */
import type { Actor } from '#contract/image/session.ts';

export interface HeldEvaluation {
  readonly evaluation: string;
  readonly actor: Actor;
  /** The call for which it runs code now, in a frame or because a restart was taken; null while it waits. */
  readonly call: string | null;
  /** Ends the code that it runs, or its wait if it runs none. */
  interrupt(): void;
  /** Another client works in the image, for which no checkpoint can be made meanwhile: it waits for less long from now on. */
  crowd(): void;
  /** Unwinds it from all levels of the debugger; resolves when that is done. */
  abandon(): Promise<void>;
}

export class HeldEvaluations {
  readonly #held = new Set<HeldEvaluation>();

  /** Adds an evaluation; the returned function removes it when it has ended. */
  add(held: HeldEvaluation): () => void {
    this.#held.add(held);
    return () => this.#held.delete(held);
  }

  /** The held evaluations that run code now, each with the call that it does so for. */
  get busy(): { readonly call: string; readonly actor: Actor }[] {
    return [...this.#held].flatMap(({ call, actor }) => (call === null ? [] : [{ call, actor }]));
  }

  /** Returns the call for which a held evaluation runs code now; null when it runs none, or is none. */
  callOf(evaluation: string): string | null {
    return [...this.#held].find((each) => each.evaluation === evaluation)?.call ?? null;
  }

  /** The actors of held evaluations that are meant, each once. */
  of(isMeant: (actor: Actor) => boolean): Actor[] {
    return [...new Map([...this.#held].map(({ actor }) => [actor.id, actor])).values()].filter(isMeant);
  }

  /** Notes that this client works in the image: evaluations that others hold wait for less long. */
  crowd(by: Actor): void {
    for (const held of this.#held) if (held.actor.id !== by.id) held.crowd();
  }

  /** Unwinds all whose actor is meant. */
  abandon(isMeant: (actor: Actor) => boolean): void {
    for (const held of this.#held) if (isMeant(held.actor)) void held.abandon();
  }

  /** Interrupts the code of one evaluation, or with null of the latest that runs any. False when there is nothing to interrupt. */
  interrupt(evaluation: string | null): boolean {
    const target = [...this.#held].findLast(
      (each) => each.call !== null && (evaluation ?? each.evaluation) === each.evaluation,
    );
    target?.interrupt();
    return target !== undefined;
  }
}
