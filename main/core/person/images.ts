/** The images other than the shared one, for the person: the person's own additional images, and images of clients. */
import type { OpenDebuggers } from '#contract/image/debugger.ts';
import { MOST_IMAGES } from '#contract/limits.ts';
import type { ImageRecord } from '#contract/image/repl.ts';
import { Emitter } from '#core/base/emitter.ts';
import { WorkbenchError } from '#core/base/error.ts';
import type { Session } from '#core/sessions/session.ts';
import type { Sessions } from '#core/sessions/sessions.ts';
import type { SessionOptions } from '#core/sessions/supervisor/recovery.ts';
import { ImageAddresses } from './image-addresses.ts';
import type { PrintedOutput } from '../output/printed-output.ts';
import { ShownValues } from './shown-values.ts';

/** Matches the prefix of clients' image names. The person's images must not use it, because they would take a client's name. */
const OF_CLIENTS = /^image of /i;

type ImagePlace = Pick<SessionOptions, 'target' | 'wantedTarget'>;

/** Returns the options for an image on the named target, or on this machine for null. */
export type ImagePlaces = (target: string | null) => ImagePlace;

export class PersonImages {
  readonly events = new Emitter<{ changed: void }>();
  readonly addresses: ImageAddresses;
  readonly #sessions: Sessions;
  readonly #own = new Set<Session>();
  readonly #places: ImagePlaces;
  /** Values that the window shows, by image. */
  readonly #values = new Map<Session, ShownValues>();

  /** `places` returns the options for an image on a target. */
  constructor(sessions: Sessions, output: PrintedOutput, places: ImagePlaces) {
    this.#sessions = sessions;
    this.#places = places;
    this.addresses = new ImageAddresses(sessions);
    this.#follow(sessions.main);
    sessions.events.on('opened', (session) => {
      this.#follow(session);
      session.events.on('changed', () => this.#changed());
      this.#changed();
    });
    sessions.events.on('closed', (session) => {
      this.#own.delete(session);
      this.#values.delete(session);
      output.leave(session);
      this.#changed();
    });
  }

  /** Returns the records of all these images, in the order in which they were opened. */
  list(): ImageRecord[] {
    return this.#further.map((session) => ({
      ...session.view(),
      owner: this.#own.has(session) ? 'person' : 'client',
    }));
  }

  /** All debuggers of the shared image, and the debuggers of the person's code in other images. */
  get openDebuggers(): OpenDebuggers {
    const { debuggers, gone } = this.#sessions.main.openDebuggers;
    const further = this.#further.flatMap((session) =>
      session.openDebuggers.debuggers
        .filter(({ actor }) => actor.kind === 'person')
        .map((head) => ({ ...head, id: this.addresses.debuggerId(session, head.id) })),
    );
    return { debuggers: [...debuggers, ...further], gone };
  }

  /**
   * Opens an image that starts with its first evaluation, on the named target, or on this machine for null.
   * @throws WorkbenchError `not-found` if there is no such target, `refused` if there are too many images, `invalid` for its name.
   */
  open(name: string | null, target: string | null = null): Session {
    const place = this.#places(target);
    place.target?.(); // reports immediately that a target is missing
    return this.#open(name, place);
  }

  /** Opens an image from an earlier run. A missing target is reported when the image starts. */
  reopen(name: string, target: string | null): Session {
    return this.#open(name, this.#places(target));
  }

  #open(name: string | null, place: ImagePlace): Session {
    if (this.#own.size >= MOST_IMAGES)
      throw new WorkbenchError('refused', `You have ${MOST_IMAGES} further images. End one of them first.`);
    const session = this.#sessions.open(name === null ? this.#freeName() : allowed(name), place);
    this.#own.add(session);
    this.#changed();
    return session;
  }

  /** Renames an image of the person. @throws WorkbenchError `refused` for another actor's image, `invalid` for the name. */
  rename(id: string, name: string): void {
    this.#sessions.rename(this.#mine(id).id, allowed(name));
  }

  /** Ends an image of the person permanently. @throws WorkbenchError `refused` for another actor's image. */
  async end(id: string): Promise<void> {
    await this.#sessions.close(this.#mine(id).id);
  }

  valuesOf(session: Session): ShownValues {
    return this.#values.get(session) ?? this.#follow(session);
  }

  /** Releases the values of an evaluation, regardless of its image. */
  release(evaluation: string): void {
    for (const values of this.#values.values()) values.release(evaluation);
  }

  get #further(): Session[] {
    return this.#sessions.all.filter((session) => session !== this.#sessions.main);
  }

  #mine(id: string): Session {
    const session = this.#sessions.find(id);
    if (!this.#own.has(session))
      throw new WorkbenchError('refused', `${session.name} is not one of your additional images.`);
    return session;
  }

  #follow(session: Session): ShownValues {
    const values = new ShownValues(session);
    this.#values.set(session, values);
    session.events.on('lifecycle', ({ change }) => {
      if (change === 'started' || change === 'rewound') values.clear();
    });
    return values;
  }

  #freeName(): string {
    for (let number = 2; ; number += 1)
      if (this.#sessions.all.every(({ name }) => name !== `image ${number}`)) return `image ${number}`;
  }

  #changed(): void {
    this.events.emit('changed', undefined);
  }
}

function allowed(name: string): string {
  if (OF_CLIENTS.test(name))
    throw new WorkbenchError('invalid', 'Names that begin with “image of” are reserved for clients’ images.');
  return name;
}
