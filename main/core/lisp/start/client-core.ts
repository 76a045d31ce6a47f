/** Cores that contain the person's Quicklisp client. Loading the client at each start would take a quarter of a second. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { buildInto, type Runtime } from './runtime.ts';

export class ClientCores {
  readonly #sources: string;
  readonly #cache: string;
  /** The cores whose build was tried in this process. */
  readonly #tried = new Set<string>();

  constructor(sources: string, cache: string) {
    this.#sources = sources;
    this.#cache = cache;
  }

  /** Returns the runtime with a core that contains the client, if that core exists; otherwise returns `runtime`. */
  async with(runtime: Runtime, setup: string): Promise<Runtime> {
    const core = await this.#coreFor(runtime, setup);
    return core !== null && existsSync(core) ? { ...runtime, core } : runtime;
  }

  /** Builds the core that contains the client, unless it exists or its build was tried before. Images can start during the build. */
  async prepare(runtime: Runtime, setup: string): Promise<void> {
    const core = await this.#coreFor(runtime, setup);
    if (core === null || existsSync(core) || this.#tried.has(core)) return;
    this.#tried.add(core);
    await buildInto(runtime.sbcl, this.#sources, core, { client: setup });
  }

  /** Returns the core's file, whose name changes with the engine, SBCL and the client; null if the client cannot be read. */
  async #coreFor({ sbcl, core }: Runtime, setup: string): Promise<string | null> {
    try {
      const client = path.join(path.dirname(setup), 'quicklisp');
      const names = (await readdir(client)).filter((name) => /\.(lisp|asd)$/.test(name)).toSorted();
      const hash = createHash('sha256').update(`${sbcl.identity}\n${core}\n${(await stat(core)).mtimeMs}\n${setup}\n`);
      for (const file of [setup, ...names.map((name) => path.join(client, name))])
        hash.update(file).update(await readFile(file));
      return path.join(this.#cache, `engine-client-${hash.digest('hex').slice(0, 24)}.core`);
    } catch {
      return null;
    }
  }
}
