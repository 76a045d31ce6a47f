/**
 * The page's names for objects and debuggers of several images. Each image counts its own from 1, so a name from an image other than the
 * shared one also contains the image's number. Names from the shared image are unchanged.
 */
import { WorkbenchError } from '#core/base/error.ts';
import type { Session } from '#core/sessions/session.ts';
import type { Sessions } from '#core/sessions/sessions.ts';

/** The number of handles reserved for one image; no image reaches it. */
const RANGE = 2 ** 32;

export class ImageAddresses {
  readonly #sessions: Sessions;
  readonly #numbers = new WeakMap<Session, number>();
  #last = 0;

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
    this.#numbers.set(sessions.main, 0);
  }

  /** Replaces the handles in a message from an image with the page's handles. */
  told<Told>(session: Session, told: Told): Told {
    const first = this.#numberOf(session) * RANGE;
    return first === 0 ? told : (shifted(told, first) as Told);
  }

  /** Returns the image of a handle and the handle's number in that image; null for an image that no longer exists. */
  object(handle: number): { session: Session | null; handle: number } {
    return { session: this.#numbered(Math.floor(handle / RANGE)), handle: handle % RANGE };
  }

  /** Returns the page's id for a debugger of an image. */
  debuggerId(session: Session, id: string): string {
    const number = this.#numberOf(session);
    return number === 0 ? id : `${number}/${id}`;
  }

  /** Returns the image of a debugger, and its id there. @throws WorkbenchError `not-found` if the image no longer exists. */
  debugger(id: string): { session: Session; id: string } {
    const found = /^(\d{1,9})\/(.*)$/s.exec(id);
    const session = this.#numbered(found ? Number(found[1]) : 0);
    if (!session) throw new WorkbenchError('not-found', 'The image of this debugger has ended.');
    return { session, id: found ? found[2]! : id };
  }

  #numberOf(session: Session): number {
    const known = this.#numbers.get(session);
    if (known !== undefined) return known;
    this.#last += 1;
    this.#numbers.set(session, this.#last);
    return this.#last;
  }

  #numbered(number: number): Session | null {
    return this.#sessions.all.find((session) => this.#numbers.get(session) === number) ?? null;
  }
}

/** Returns the value with `first` added to each handle in it. */
function shifted(value: unknown, first: number): unknown {
  if (Array.isArray(value)) return value.map((each) => shifted(each, first));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      typeof each === 'number' && (name === 'handle' || name === 'keyHandle') ? each + first : shifted(each, first),
    ]),
  );
}
