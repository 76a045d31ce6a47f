/** All images of a workbench: the shared one, which always exists, and additional ones. Each is a process with its own queue. */
import { Emitter } from '#core/base/emitter.ts';
import { WorkbenchError } from '#core/base/error.ts';
import type { SessionOptions } from './supervisor/recovery.ts';
import { Session } from './session.ts';

export class Sessions {
  readonly events = new Emitter<{ opened: Session; closed: Session }>();
  /** The image that the person sees and that clients use by default. */
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

  /** Returns the session with this id. @throws WorkbenchError `not-found`. */
  find(id: string): Session {
    const found = this.all.find((session) => session.id === id);
    if (!found) throw new WorkbenchError('not-found', 'This image no longer exists.');
    return found;
  }

  /**
   * Opens an additional image. Omitted `options` have the main image's values. The process starts with the first evaluation.
   * @throws WorkbenchError `invalid` if the name is taken.
   */
  open(name: string, options: Partial<SessionOptions> = {}): Session {
    if (this.all.some((session) => session.name === name))
      throw new WorkbenchError('invalid', `An image named ${name} already exists.`);
    const session = new Session(name, { ...this.#options, ...options });
    this.#further.set(session.id, session);
    this.events.emit('opened', session);
    return session;
  }

  /** Creates an image for a task of the workbench itself. It is not listed; the caller ends it with `end`. */
  unlisted(name: string): { session: Session; end: () => Promise<void> } {
    const session = new Session(name, { ...this.#options, checkpoints: false });
    this.#unlisted.add(session);
    const end = async (): Promise<void> => {
      this.#unlisted.delete(session);
      await session.dispose();
    };
    return { session, end };
  }

  /** Renames an additional image. @throws WorkbenchError `refused` for the main one, `not-found`, `invalid` if the name is taken. */
  rename(id: string, name: string): void {
    const session = this.find(id);
    if (session === this.main) throw new WorkbenchError('refused', 'The main image cannot be renamed.');
    if (session.name === name) return;
    if (this.all.some((other) => other.name === name))
      throw new WorkbenchError('invalid', `An image named ${name} already exists.`);
    session.name = name;
  }

  /** Returns the image in which an evaluation is running or waiting; the main one if no image knows the evaluation. */
  running(evaluation: string): Session {
    return this.all.find(({ underway }) => underway.some((turn) => turn.evaluation === evaluation)) ?? this.main;
  }

  /** Ends an additional image. @throws WorkbenchError `refused` for the main one, `not-found`. */
  async close(id: string): Promise<void> {
    const session = this.find(id);
    if (session === this.main)
      throw new WorkbenchError('refused', 'The main image cannot be closed while the workbench is running.');
    this.#further.delete(id);
    await session.dispose();
    this.events.emit('closed', session);
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.all, ...this.#unlisted].map((session) => session.dispose()));
  }
}
