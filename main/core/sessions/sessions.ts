/** All images of a workbench: the one that is always there, and further ones, each a process with a queue of its own. */
import { Emitter } from '#core/emitter.ts';
import { WorkbenchError } from '#core/error.ts';
import type { LifeOptions } from './life.ts';
import { Session } from './session.ts';

export class Sessions {
  readonly events = new Emitter<{ opened: Session; closed: Session }>();
  /** The one that the person sees and that clients share by default. */
  readonly main: Session;
  readonly #options: LifeOptions;
  readonly #further = new Map<string, Session>();

  constructor(name: string, options: LifeOptions) {
    this.#options = options;
    this.main = new Session(name, options);
  }

  get all(): Session[] {
    return [this.main, ...this.#further.values()];
  }

  /** @throws WorkbenchError `not-found`. */
  find(id: string): Session {
    const found = this.all.find((session) => session.id === id);
    if (!found) throw new WorkbenchError('not-found', 'There is no such image any more.');
    return found;
  }

  /**
   * A further image. What `options` leaves out is as in the main one; its image starts with the first evaluation.
   * @throws WorkbenchError `invalid` when the name is taken.
   */
  open(name: string, options: Partial<LifeOptions> = {}): Session {
    if (this.all.some((session) => session.name === name))
      throw new WorkbenchError('invalid', `There is an image named ${name} already.`);
    const session = new Session(name, { ...this.#options, ...options });
    this.#further.set(session.id, session);
    this.events.emit('opened', session);
    return session;
  }

  /** Ends a further image. @throws WorkbenchError `refused` for the main one, `not-found`. */
  async close(id: string): Promise<void> {
    const session = this.find(id);
    if (session === this.main) throw new WorkbenchError('refused', 'This image stays as long as the workbench.');
    this.#further.delete(id);
    await session.dispose();
    this.events.emit('closed', session);
  }

  async dispose(): Promise<void> {
    await Promise.all(this.all.map((session) => session.dispose()));
  }
}
