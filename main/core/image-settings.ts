/** The settings for starting an image: the SBCL, the sizes of its heap and control stack, and the init file. */
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { totalmem } from 'node:os';
import path from 'node:path';
import type { Settings, settings as settingsSchema } from '#contract/settings.ts';
import { WorkbenchError } from './base/error.ts';
import type { ImageMemory } from './lisp/process.ts';
import { ClientCores } from './lisp/start/client-core.ts';
import { ensureRuntime, type Runtime } from './lisp/start/runtime.ts';
import { findSbcl } from './lisp/start/sbcl.ts';
import type { Document } from './settings/document.ts';

export interface ImageSettingsOptions {
  readonly settings: Document<typeof settingsSchema>;
  /** The SBCL from the command line or the environment, which overrides the settings; null if neither specifies one. */
  readonly sbcl: string | null;
  /** The init file from the command line, which overrides the settings; null if the command line specifies none. */
  readonly initFile: string | null;
  /** The engine's sources. */
  readonly sources: string;
  /** The folder for cached cores. */
  readonly cache: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Returns the setup file of the Quicklisp client that the next image will use; null if it will use none. */
  readonly client: () => string | null;
}

const MEGABYTE = 1024 * 1024;

export class ImageSettings {
  readonly #options: ImageSettingsOptions;
  readonly #clientCores: ClientCores;
  /** The last runtime found, and the SBCL that was requested for it. */
  #found: { readonly wanted: string | null; readonly runtime: Runtime } | null = null;

  constructor(options: ImageSettingsOptions) {
    this.#options = options;
    this.#clientCores = new ClientCores(options.sources, options.cache);
  }

  /**
   * Finds SBCL and the core for the next image. If the image will use a Quicklisp client and a core that contains it exists, that core is
   * used.
   * @throws WorkbenchError `no-sbcl` with advice.
   */
  async runtime(building?: () => void): Promise<Runtime> {
    const runtime = await this.#engine(building);
    const client = this.#options.client();
    return client === null ? runtime : this.#clientCores.with(runtime, client);
  }

  /** Builds a core that contains the Quicklisp client of the next image, for later starts. Does nothing if it exists. */
  async prepareClient(): Promise<void> {
    const client = this.#options.client();
    if (client !== null) await this.#clientCores.prepare(await this.#engine(), client);
  }

  /**
   * Finds SBCL and the engine's core. The result is cached for each requested SBCL, so a replaced SBCL is noticed only after a restart of the
   * program.
   * @throws WorkbenchError `no-sbcl` with advice.
   */
  async #engine(building?: () => void): Promise<Runtime> {
    const { environment, sources, cache, settings } = this.#options;
    const wanted = this.#options.sbcl ?? (settings.value.sbcl || null);
    if (this.#found?.wanted === wanted && existsSync(this.#found.runtime.core)) return this.#found.runtime;
    const sbcl = await findSbcl(wanted, environment, sources).catch((error: unknown) => {
      throw this.#options.sbcl === null ? error : named(error);
    });
    const runtime = await ensureRuntime(sbcl, sources, cache, [], building);
    this.#found = { wanted, runtime };
    return runtime;
  }

  get memory(): ImageMemory {
    const { heapMegabytes, controlStackMegabytes } = this.#options.settings.value;
    return { heapMegabytes: heapMegabytes ?? usualHeapMegabytes(), controlStackMegabytes };
  }

  get initFile(): string | null {
    return this.#options.initFile ?? (this.#options.settings.value.initFile || null);
  }

  /**
   * Checks that the programs and files in a change exist before it is saved.
   * @throws WorkbenchError `no-sbcl` or `not-found` with a message for the person.
   */
  async check({ sbcl, initFile }: Partial<Settings>): Promise<void> {
    if (sbcl) await findSbcl(absolute(sbcl), this.#options.environment);
    if (initFile) {
      const found = await stat(absolute(initFile)).catch(() => null);
      if (!found?.isFile()) throw new WorkbenchError('not-found', `The file ${initFile} does not exist.`);
    }
  }
}

/** Adds advice to an error about an SBCL that was not chosen in the settings, because choosing another one there would not help. */
function named(error: unknown): unknown {
  if (!(error instanceof WorkbenchError)) return error;
  const from = 'LISP_WORKBENCH_SBCL or --sbcl selects this SBCL and overrides the one in Settings. Remove that first.';
  return new WorkbenchError(error.code, `${error.message} ${from}`, { cause: error });
}

function absolute(file: string): string {
  if (path.isAbsolute(file)) return file;
  throw new WorkbenchError('not-found', `${file} is not an absolute path. Enter the full path.`);
}

/** Returns a quarter of the memory, at least 1 GB and at most 4 GB. */
function usualHeapMegabytes(): number {
  return Math.min(4096, Math.max(1024, Math.floor(totalmem() / 4 / MEGABYTE)));
}
