/**
 * Values that the window shows as handles: the values of evaluations in the person's transcript, including agents' evaluations. The image
 * holds them until the evaluation leaves the transcript, or until there are too many.
 */
import type { Session } from '#core/sessions/session.ts';

/** The maximum number of evaluations whose values are held; it equals the transcript's size. */
const MOST = 500;

export class ShownValues {
  readonly #session: Pick<Session, 'tell'>;
  readonly #most: number;
  readonly #held = new Set<string>();

  constructor(session: Pick<Session, 'tell'>, most = MOST) {
    this.#session = session;
    this.#most = most;
  }

  /** Records that the values of an evaluation are held. Releases the oldest ones if there are too many. */
  add(evaluation: string): void {
    this.#held.add(evaluation);
    for (const oldest of this.#held) {
      if (this.#held.size <= this.#most) return;
      this.release(oldest);
    }
  }

  /** Releases the values of a recorded evaluation. */
  release(evaluation: string): void {
    if (this.#held.delete(evaluation)) this.#session.tell('release', { holder: evaluation });
  }

  /** Clears the list, because a different image does not hold the values. */
  clear(): void {
    this.#held.clear();
  }
}
