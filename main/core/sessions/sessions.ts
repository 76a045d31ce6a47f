/** All images of a workbench: the one that is always there, and further ones, each a process with a queue of its own. */
import { Emitter } from '#core/base/emitter.ts';
import { WorkbenchError } from '#core/base/error.ts';
import type { SessionOptions } from './supervisor/recovery.ts';
import { Session } from './session.ts';

export class Sessions {
  readonly events = new Emitter<{ opened: Session; closed: Session }>();
  /** The one that the person sees and that clients share by default. */
  readonly main: Session;
  readonly #options: SessionOptions;
  readonly #further = new Map<string, Session>();
  readonly #unlisted = new Set<Session>();

  constructor(name: string, options: SessionOptions) {
    this.#options = options;
    this.main = new Session(name, options);
  }

  get all(): Session[] {
    return [this.main, ...this.#further.values()];
  }

  /** @throws WorkbenchError `not-found`. */
  find(id: string): Session {
    const found = this.all.find((session) => session.id === id);
    if (!found) throw new WorkbenchError('not-found', 'This image no longer exists.');
    return found;
  }

  /**
   * A further image. What `options` leaves out is as in the main one; its image starts with the first evaluation.
   * @throws WorkbenchError `invalid` when the name is taken.
   */
  open(name: string, options: Partial<SessionOptions> = {}): Session {
    if (this.all.some((session) => session.name === name))
      throw new WorkbenchError('invalid', `An image named ${name} already exists.`);
    const session = new Session(name, { ...this.#options, ...options });
    this.#further.set(session.id, session);
    this.events.emit('opened', session);
    return session;
  }

  /** An image for a task of the workbench itself: it is listed nowhere, and whoever asked for it ends it with `end`. */
  unlisted(name: string): { session: Session; end: () => Promise<void> } {
    const session = new Session(name, { ...this.#options, checkpoints: false });
    this.#unlisted.add(session);
    const end = async (): Promise<void> => {
      this.#unlisted.delete(session);
      await session.dispose();
    };
    return { session, end };
  }

  /** Gives a further image another name. @throws WorkbenchError `refused` for the main one, `not-found`, `invalid` when the name is taken. */
  rename(id: string, name: string): void {
    const session = this.find(id);
    if (session === this.main) throw new WorkbenchError('refused', 'The main image cannot be renamed.');
    if (session.name === name) return;
    if (this.all.some((other) => other.name === name))
      throw new WorkbenchError('invalid', `An image named ${name} already exists.`);
    session.name = name;
  }

  /** The image in which an evaluation is under way; the main one where none knows it. */
  running(evaluation: string): Session {
    return this.all.find(({ underway }) => underway.some((turn) => turn.evaluation === evaluation)) ?? this.main;
  }

  /** Ends a further image. @throws WorkbenchError `refused` for the main one, `not-found`. */
  async close(id: string): Promise<void> {
    const session = this.find(id);
    if (session === this.main) throw new WorkbenchError('refused', 'The main image cannot be closed while the workbench is running.');
    this.#further.delete(id);
    await session.dispose();
    this.events.emit('closed', session);
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.all, ...this.#unlisted].map((session) => session.dispose()));
  }
}
