/**
 * Values that the window shows as handles: those of the evaluations in the person's transcript, agents' included. Each is held in the
 * image for its evaluation until that leaves the transcript, or until there are too many.
 */
import type { Session } from '#core/sessions/session.ts';

/** Evaluations whose values are held: as many as the transcript has entries. */
const MOST = 500;

export class ShownValues {
  readonly #session: Pick<Session, 'tell'>;
  readonly #most: number;
  readonly #held = new Set<string>();

  constructor(session: Pick<Session, 'tell'>, most = MOST) {
    this.#session = session;
    this.#most = most;
  }

  /** Notes that the values of an evaluation are held; the oldest are released when there are too many. */
  add(evaluation: string): void {
    this.#held.add(evaluation);
    for (const oldest of this.#held) {
      if (this.#held.size <= this.#most) return;
      this.release(oldest);
    }
  }

  /** Releases the values of an evaluation that was added. */
  release(evaluation: string): void {
    if (this.#held.delete(evaluation)) this.#session.tell('release', { holder: evaluation });
  }

  /** The image is another one, and holds none of them. */
  clear(): void {
    this.#held.clear();
  }
}
