/**
 * The person's REPLs. Each is a context in an image, with its own current package, reader and printer settings, and `*`, `+`, `/` (decision
 * 22). The first one always exists. The person can open more in the shared image and in additional images.
 */
import { randomUUID } from 'node:crypto';
import { FIRST_REPL } from '#contract/image/shared-image.ts';
import { MOST_REPLS } from '#contract/limits.ts';
import type { KeptRepls, ReplRecord } from '#contract/image/repl.ts';
import { Emitter } from '#core/base/emitter.ts';
import { messageOf, WorkbenchError } from '#core/base/error.ts';
import type { Session } from '#core/sessions/session.ts';
import type { Sessions } from '#core/sessions/sessions.ts';
import type { PersonImages } from './images.ts';

interface Repl {
  readonly id: string;
  name: string;
  readonly session: Session;
  package: string;
  /** The package to enter once the image has it; null if there is none, or if an evaluation has run since. */
  wanted: string | null;
}

const HOME_PACKAGE = 'COMMON-LISP-USER';

export class PersonRepls {
  readonly events = new Emitter<{ changed: void }>();
  readonly #sessions: Sessions;
  readonly #images: PersonImages;
  readonly #open = new Map<string, Repl>();

  constructor(sessions: Sessions, images: PersonImages) {
    this.#sessions = sessions;
    this.#images = images;
    this.#add(FIRST_REPL, 'REPL', sessions.main);
    this.#follow(sessions.main);
    sessions.events.on('opened', (session) => this.#follow(session));
  }

  list(): ReplRecord[] {
    return [...this.#open.values()].map(recordOf);
  }

  /**
   * Opens a REPL in an image, or in the shared image for null. @throws WorkbenchError `refused` if there are too many REPLs, `not-found` if
   * there is no such image.
   */
  open(image: string | null, name?: string): ReplRecord {
    const session = image === null ? this.#sessions.main : this.#sessions.find(image);
    if (this.#open.size >= MOST_REPLS)
      throw new WorkbenchError('refused', `${MOST_REPLS} REPLs are open. Close one of them first.`);
    const repl = this.#add(randomUUID(), name ?? this.#freeName(), session);
    this.#changed();
    return recordOf(repl);
  }

  /**
   * Starts another image with a REPL. The image gets this name, or the next free one for null, and runs on the named target, or on this
   * machine for null.
   * @throws WorkbenchError `not-found` if there is no such target, `refused` if there are too many images, `invalid` if the name is
   * invalid.
   */
  openImage(name: string | null, target: string | null = null): ReplRecord {
    const session = this.#images.open(name, target);
    session.start().catch(() => {}); // reported as the image's problem
    return this.open(session.id, session.name);
  }

  /** Renames an image, and the REPLs in it that have the image's old name. */
  renameImage(image: string, name: string): void {
    const before = this.#sessions.find(image).name;
    this.#images.rename(image, name);
    for (const repl of this.#open.values()) if (repl.session.id === image && repl.name === before) repl.name = name;
    this.#changed();
  }

  /** Ends an additional image and closes its REPLs. */
  async endImage(image: string): Promise<void> {
    const session = this.#sessions.find(image);
    await this.#images.end(image);
    for (const { id } of this.#of(session)) this.#open.delete(id);
    this.#changed();
  }

  rename(id: string, name: string): void {
    this.#find(id).name = name;
    this.#changed();
  }

  /** Closes a REPL and interrupts its evaluations. @throws WorkbenchError `refused` for the first one. */
  close(id: string): void {
    const { session } = this.#find(id);
    if (id === FIRST_REPL) throw new WorkbenchError('refused', 'The first REPL cannot be closed.');
    const context = contextOf(id);
    for (const turn of session.underway) if (turn.context === context) void session.interrupt(turn.evaluation);
    session.forget(context);
    this.#open.delete(id);
    this.#changed();
  }

  /** Returns the image and context of a REPL. @throws WorkbenchError `not-found` if it was closed, or if its image has ended. */
  place(id: string): { session: Session; context: string } {
    const { session } = this.#find(id);
    return { session: this.#sessions.find(session.id), context: contextOf(id) };
  }

  /** Records the current package of a REPL after an evaluation. */
  answered(id: string, inPackage: string): void {
    const repl = this.#open.get(id);
    if (!repl || (repl.package === inPackage && repl.wanted === null)) return;
    repl.package = inPackage;
    repl.wanted = null;
    this.#changed();
  }

  /**
   * Makes a package the current one of a REPL: at once if its image has the package, otherwise when the package appears. Until then the
   * current package is COMMON-LISP-USER. @throws WorkbenchError `not-found` if the REPL was closed.
   */
  async enterPackage(id: string, inPackage: string): Promise<void> {
    const repl = this.#find(id);
    repl.wanted = HOME_PACKAGE;
    await this.#enter(repl, HOME_PACKAGE);
    repl.wanted = inPackage === HOME_PACKAGE ? null : inPackage;
    await this.#enter(repl, HOME_PACKAGE);
  }

  /** Opens the REPLs and images that existed at the end of the previous run; images start with their first evaluation. */
  restore({ images, repls, targets }: Pick<KeptRepls, 'images' | 'repls' | 'targets'>): void {
    for (const name of images) this.#reopen(name, targets && Object.hasOwn(targets, name) ? targets[name]! : null);
    for (const { id, name, image, package: wanted } of repls) {
      const session = this.#sessions.all.find((each) =>
        image === null ? each === this.#sessions.main : each.name === image,
      );
      if (!session) continue;
      const repl = this.#open.get(id) ?? this.#add(id, name, session);
      repl.name = name;
      repl.wanted = wanted === HOME_PACKAGE ? null : wanted;
    }
    this.#changed();
  }

  /** Opens an image from an earlier run. Leaves it out if its name is now invalid or taken. */
  #reopen(name: string, target: string | null): void {
    try {
      this.#images.reopen(name, target);
    } catch (error) {
      process.emitWarning(messageOf(error));
    }
  }

  #add(id: string, name: string, session: Session): Repl {
    const repl: Repl = { id, name, session, package: HOME_PACKAGE, wanted: null };
    this.#open.set(id, repl);
    return repl;
  }

  #follow(session: Session): void {
    session.events.on('lifecycle', ({ change }) => {
      if (change === 'started')
        for (const repl of this.#of(session)) {
          // A new image has the package only after the lost definitions are evaluated again.
          if (repl.package !== HOME_PACKAGE) repl.wanted = repl.package;
          void this.#enter(repl, HOME_PACKAGE);
        }
      if (change === 'rewound') for (const repl of this.#of(session)) void this.#askPackage(repl);
    });
    // The package may appear later, with the system that defines it.
    session.events.on('definitions-changed', ({ packages }) => {
      for (const repl of this.#of(session))
        if (repl.wanted !== null && packages.includes(repl.wanted)) void this.#enter(repl, repl.package);
    });
  }

  async #enter(repl: Repl, inPackage: string): Promise<void> {
    repl.package = inPackage;
    const { wanted } = repl;
    const entered =
      wanted === null ? null : await repl.session.enterPackage(contextOf(repl.id), wanted).catch(() => null);
    if (entered !== null && repl.wanted !== null) {
      repl.package = entered;
      if (entered === wanted) repl.wanted = null;
    }
    this.#changed();
  }

  async #askPackage(repl: Repl): Promise<void> {
    const asked = { context: contextOf(repl.id) };
    const reply = await repl.session.lookUpIfUp('current-package', asked).catch(() => null);
    if (reply) this.answered(repl.id, reply.package);
  }

  #of(session: Session): Repl[] {
    return [...this.#open.values()].filter((repl) => repl.session === session);
  }

  #find(id: string): Repl {
    const repl = this.#open.get(id);
    if (!repl) throw new WorkbenchError('not-found', 'This REPL was closed.');
    return repl;
  }

  #freeName(): string {
    for (let number = 2; ; number += 1)
      if ([...this.#open.values()].every(({ name }) => name !== `REPL ${number}`)) return `REPL ${number}`;
  }

  #changed(): void {
    this.events.emit('changed', undefined);
  }
}

/** Returns the context of a REPL in its image. */
function contextOf(id: string): string {
  return id === FIRST_REPL ? FIRST_REPL : `repl ${id}`;
}

function recordOf({ id, name, session, package: inPackage, wanted }: Repl): ReplRecord {
  return { id, name, image: session.id, package: inPackage, wanted };
}
