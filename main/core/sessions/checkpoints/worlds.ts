/** Saved images on disk: each has a core file, and beside it a description and the journal. */
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { writeFileAtomic } from '#core/base/atomic-write.ts';
import { nameInId, UNKNOWN_CLIENT } from '#contract/clients/actor-id.ts';
import { actor, type Actor } from '#contract/image/session.ts';
import { WorkbenchError } from '#core/base/error.ts';
import type { LispImage } from '#core/lisp/image.ts';
import type { Runtime } from '#core/lisp/start/runtime.ts';
import { sourcePlace } from '#contract/image/evaluation.ts';
import type { JournalState } from './journal.ts';
import { saveInCopy } from './save-in-copy.ts';

const UNKNOWN_LOADER: Actor = { id: UNKNOWN_CLIENT, kind: 'client', name: nameInId(UNKNOWN_CLIENT) };

const journalEntry = z.object({
  actor,
  operator: z.string(),
  name: z.string(),
  package: z.string(),
  text: z.string(),
  source: sourcePlace.nullable(),
});

/** Earlier versions stored only the name, so the actor is unknown. */
const loadedSystem = z.union([
  z.object({ name: z.string(), actor, denied: z.array(z.string()), files: z.array(z.string()).default([]) }),
  z.string().transform((name) => ({ name, actor: UNKNOWN_LOADER, denied: [] })),
]);

const worldFacts = z.object({
  version: z.literal(1),
  name: z.string(),
  savedAt: z.number(),
  /** The engine's core on which the saved image is based. Only the same program on the same SBCL can continue the saved image. */
  engine: z.string(),
  entries: z.array(journalEntry),
  systems: z.array(loadedSystem),
});

export interface World {
  readonly name: string;
  readonly savedAt: number;
  readonly bytes: number;
  /** The reason why the saved image cannot be opened; null if it can be opened. */
  readonly problem: string | null;
}

const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,79}$/u;

export class Worlds {
  readonly #folder: string;
  readonly #underway = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns the saved images, newest first. Invalid files are left out. */
  async list(runtime: Runtime): Promise<World[]> {
    const names = (await readdir(this.#folder).catch(() => [])).filter((name) => name.endsWith('.json'));
    const worlds = await Promise.all(names.map((name) => this.#describe(name.slice(0, -5), runtime)));
    return worlds.filter((world) => world !== null).toSorted((one, other) => other.savedAt - one.savedAt);
  }

  /**
   * Saves the image, which continues to run while it is saved.
   * @throws WorkbenchError `invalid` for a name that is not a valid file name, `refused` if the image cannot be forked now, `system` if the
   * file could not be written.
   */
  async save(image: LispImage, name: string, runtime: Runtime, journal: JournalState): Promise<void> {
    const file = this.#file(name);
    if (this.#underway.has(name)) throw new WorkbenchError('refused', `The world ${name} is already being saved.`);
    this.#underway.add(name);
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await saveInCopy(image, file, {
        request: (unfinished) => image.request('save-world', { file: unfinished }),
        beforeItStands: async () => {
          const facts = { version: 1, name, savedAt: Date.now(), engine: path.basename(runtime.core), ...journal };
          await writeFileAtomic(`${this.#folder}/${name}.json`, JSON.stringify(facts), { mode: 0o600 });
        },
      });
    } finally {
      this.#underway.delete(name);
    }
  }

  /**
   * Returns the core to start from, and the saved journal.
   * @throws WorkbenchError `not-found`, or `refused` if another program version or SBCL saved it.
   */
  async open(name: string, runtime: Runtime): Promise<{ core: string; journal: JournalState }> {
    const world = await this.#describe(name, runtime);
    if (!world) throw new WorkbenchError('not-found', `There is no saved world ${name}.`);
    if (world.problem !== null) throw new WorkbenchError('refused', world.problem);
    const { entries, systems } = (await this.#facts(name))!;
    return { core: this.#file(name), journal: { entries, systems } };
  }

  async remove(name: string): Promise<void> {
    await rm(this.#file(name), { force: true });
    await rm(`${this.#folder}/${name}.json`, { force: true });
  }

  #file(name: string): string {
    if (!NAME.test(name))
      throw new WorkbenchError('invalid', 'A name can contain only letters, digits, spaces, dots and dashes.');
    return path.join(this.#folder, `${name}.core`);
  }

  async #describe(name: string, runtime: Runtime): Promise<World | null> {
    const facts = NAME.test(name) ? await this.#facts(name) : null;
    if (!facts) return null;
    const size = await stat(this.#file(name)).catch(() => null);
    const problem =
      size === null
        ? 'Its core file is missing.'
        : facts.engine === path.basename(runtime.core)
          ? null
          : 'It was saved by another version of the program or of SBCL.';
    return { name, savedAt: facts.savedAt, bytes: size?.size ?? 0, problem };
  }

  async #facts(name: string): Promise<z.infer<typeof worldFacts> | null> {
    const text = await readFile(path.join(this.#folder, `${name}.json`), 'utf8').catch(() => null);
    if (text === null) return null;
    try {
      return worldFacts.parse(JSON.parse(text));
    } catch {
      return null;
    }
  }
}
