/** The targets on which images can run, and how an image is started on one of them. */
import type { Target } from '#contract/target.ts';
import { WorkbenchError } from '#core/base/error.ts';
import type { ImageMemory } from '#core/lisp/process.ts';
import { here, onTarget, PathTranslation, targetThere, type Roots } from './paths.ts';
import { prepare } from './preparation.ts';
import { TargetHost } from './target-host.ts';
import { tryTarget } from './trial.ts';

export interface TargetsOptions {
  /** Returns the targets that can be chosen by name. */
  readonly list: () => readonly Target[];
  /** Returns the project's folder on this machine; null if none is open. */
  readonly project: () => string | null;
  /** The engine's sources. */
  readonly sources: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** The parts of a target that a session uses to start its images there. */
export interface ImageTarget {
  readonly name: string;
  /** Returns the project's folder on this machine; null if none is open. */
  readonly project: () => string | null;
  /**
   * Finds SBCL and the engine's core on the target, and returns the host that starts an image there. Calls `building` if the core has to be
   * built. With `anew` it is always built.
   * @throws WorkbenchError `no-sbcl`, or `no-image` as a ConnectionFault, with advice.
   */
  prepare(memory: ImageMemory, building: () => void, anew: boolean): Promise<TargetHost>;
}

export class Targets {
  readonly #options: TargetsOptions;
  /** The folders for cores that were created because a target had no such folder, by the target's name. */
  readonly #caches = new Map<string, string>();
  /**
   * The targets on which images were started, each with its folder of cores, without duplicates. Effects of code in these images contain
   * names from these targets.
   */
  readonly #used = new Map<string, { readonly target: Target; readonly cache: string }>();

  constructor(options: TargetsOptions) {
    this.#options = options;
  }

  /** Returns the target with that name; null for this machine, whose name is empty. @throws WorkbenchError `not-found`. */
  named(name: string): ImageTarget | null {
    if (name === '') return null;
    const found = this.#options.list().find((target) => target.name === name);
    if (!found)
      throw new WorkbenchError(
        'not-found',
        `The settings have no target named ${name}, so no image was started. Add it there, or choose another place for this image.`,
      );
    return this.at(found);
  }

  /** Refuses the name of a file on a target, which cannot be opened here. @throws WorkbenchError `refused`. */
  refuseFile(name: string): void {
    const found = onTarget(
      name,
      this.#options.list().map((target) => target.name),
    );
    if (found)
      throw new WorkbenchError(
        'refused',
        `This file is on the target ${found.target}, but not on this machine: ${found.file}. Only files in the project's folder are on both.`,
      );
  }

  /**
   * Returns the names that effects at the targets use for this machine's folders and for the folders in which the targets store cores. A
   * target may be this machine, or share its files. On any other target, rules about these names do no harm.
   */
  foldersThere(folders: readonly string[]): string[] {
    return [...this.#used.values()].flatMap(({ target, cache }) =>
      [...folders, cache].map((folder) => here(folder, this.#rootsOf(target))),
    );
  }

  /** Returns the forms in which an address may appear in the effects of each target. */
  addressesThere(address: string): string[] {
    const names = new Set([...this.#used.values()].map(({ target }) => target.name));
    return [...names].map((name) => targetThere(name, address));
  }

  /** Tries a target step by step. Images and programs that already run there are not ended. */
  try(target: Target, memory: ImageMemory): ReturnType<typeof tryTarget> {
    const { sources, environment } = this.#options;
    return tryTarget({ target, directory: this.#directoryOf(target), sources, environment, memory });
  }

  at(target: Target): ImageTarget {
    const { project } = this.#options;
    return { name: target.name, project, prepare: (...given) => this.#prepare(target, ...given) };
  }

  /** Returns the folder on the target in which an image starts; null for the home folder. */
  #directoryOf({ directory }: Target): string | null {
    return directory || this.#options.project();
  }

  async #prepare(target: Target, memory: ImageMemory, building: () => void, anew: boolean): Promise<TargetHost> {
    const { sources, environment } = this.#options;
    const directory = this.#directoryOf(target);
    const prepared = await prepare({
      target,
      directory,
      sources,
      environment,
      cache: this.#caches.get(target.name) ?? null,
      anew,
      reached: (step) => step === 'building' && building(),
    });
    if (!prepared.cache.endsWith('/lisp-workbench')) this.#caches.set(target.name, prepared.cache);
    this.#used.set(JSON.stringify([target.name, target.directory, prepared.cache]), { target, cache: prepared.cache });
    const paths = new PathTranslation(() => this.#rootsOf(target));
    return new TargetHost({ target, prepared, directory, memory, environment, paths });
  }

  #rootsOf(target: Target): Roots {
    const project = this.#options.project();
    return { target: target.name, here: project, there: target.directory || project };
  }
}
