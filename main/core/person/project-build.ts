/** Builds the project from its files in a separate image, and compares the result with the shared image. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BuildComparison } from '#contract/image/builds.ts';
import type { PackageDefinitions } from '#contract/image/definition.ts';
import { PERSON } from '#contract/clients/known-actors.ts';
import { WorkbenchError } from '#core/base/error.ts';
import { buildDifferences } from '#core/sessions/definitions/build-differences.ts';
import { deviationsOf } from '#core/sessions/definitions/deviation-rules.ts';
import { isInside } from '#core/sessions/definitions/deviations.ts';
import type { Session } from '#core/sessions/session.ts';
import type { Sessions } from '#core/sessions/sessions.ts';
import { stateOf } from '#core/sessions/systems/loads.ts';

const MOST_SHOWN = 2_000;
const MOST_DEFINITIONS = 50_000;
const MOST_FILES = 500;

const NOT_BUILT =
  'The system was not built, because an agent loaded it and one of its effects was denied. Load it again yourself, with all its files, to allow the effect.';

interface Built {
  readonly systems: readonly string[];
  /** The folder of the project. */
  readonly root: string;
}

export class ProjectBuild {
  readonly #sessions: Sessions;
  readonly #root: () => string | null;
  /** Cancels the running build. */
  #cancel: (() => void) | null = null;

  constructor(sessions: Sessions, root: () => string | null) {
    this.#sessions = sessions;
    this.#root = root;
  }

  /**
   * Compiles the project's loaded systems again in a clean image, and returns the differences from the shared image. Returns null if no
   * image is running, or if the build was cancelled.
   * @throws WorkbenchError `refused` if no system of the project is loaded, or if a build is already running.
   */
  async compare(): Promise<BuildComparison | null> {
    if (this.#cancel !== null)
      throw new WorkbenchError('refused', 'A build is already running. Wait until it ends, or cancel it.');
    const { promise: cancelled, resolve: cancel } = Promise.withResolvers<null>();
    // From here on the build can be cancelled, because a busy image may take long to list its systems.
    this.#cancel = () => cancel(null);
    try {
      const what = await Promise.race([cancelled, this.#what()]);
      return what === null ? null : await this.#inItsOwn(what, cancelled);
    } finally {
      this.#cancel = null;
    }
  }

  /** Cancels the running build, if there is one. */
  cancel(): void {
    this.#cancel?.();
  }

  /** Returns the systems to build; null if no image is running. */
  async #what(): Promise<Built | null> {
    const { main } = this.#sessions;
    const root = this.#root();
    const listed = await main.lookUpIfUp('systems', {});
    if (listed === null) return null;
    if (root === null) throw new WorkbenchError('refused', 'No folder is open. Open the folder of your project first.');
    const own = listed.systems.filter(({ origin, loaded }) => origin === 'project' && loaded).map(({ name }) => name);
    const systems = [...new Set([...main.systems.filter((name) => own.includes(name)), ...own])];
    if (systems.length === 0)
      throw new WorkbenchError('refused', 'No system of this folder is loaded. Load one first.');
    return { systems, root };
  }

  async #inItsOwn(what: Built, cancelled: Promise<null>): Promise<BuildComparison | null> {
    const compiled = await mkdtemp(path.join(tmpdir(), 'build-'));
    const { session, end } = this.#sessions.unlisted('build');
    try {
      return await Promise.race([cancelled, this.#built(session, { ...what, compiled })]);
    } finally {
      await end();
      await rm(compiled, { recursive: true, force: true });
    }
  }

  async #built(
    session: Session,
    { systems, root, compiled }: Built & { readonly compiled: string },
  ): Promise<BuildComparison> {
    await session.start();
    await compileInto(session, compiled, [...new Set([root, await realpath(root)])]);
    const failed: BuildComparison['failed'] = [];
    const files: BuildComparison['files'] = [];
    const { main } = this.#sessions;
    // The build runs with the person's rights, so it leaves out systems whose effects the person denied when an agent loaded them.
    const without = main.loads.filter(({ denied }) => denied.length > 0).map(({ name }) => name);
    for (const system of systems) {
      if (without.includes(system)) {
        failed.push({ system, message: NOT_BUILT });
        continue;
      }
      const { reply } = await session.compileSystem({ ...who(), system, force: null, without });
      const { state, message } = stateOf(reply);
      if (state !== 'loaded') failed.push({ system, message: message ?? 'The build failed.' });
      files.push(...(reply.result?.files ?? []));
      files.push(...(reply.result?.sound ?? []).map((file) => ({ file, diagnostics: [] })));
    }
    const all = { packages: null, text: null, most: MOST_DEFINITIONS, room: MOST_DEFINITIONS };
    const { packages: build } = await session.lookUp('definitions', all);
    const { packages: image } = await main.lookUp('definitions', all);
    const compared = filesOf([...build, ...image], root).map((file) => ({ file, text: null }));
    const { definitions: states } = await main.lookUp('definition-states', { files: compared, package: null });
    const { deviations } = deviationsOf(image, states);
    const differences = buildDifferences({ image, build }, deviations, root);
    return {
      systems: [...systems],
      failed,
      files,
      differences: differences.slice(0, MOST_SHOWN),
      more: Math.max(0, differences.length - MOST_SHOWN),
      compared: build.reduce((sum, { definitions }) => sum + definitions.length, 0),
    };
  }
}

/**
 * Redirects the output of the project's own compilations to another folder. Files that were compiled in an image with more definitions
 * would prove nothing about a clean build.
 */
async function compileInto(session: Session, folder: string, roots: readonly string[]): Promise<void> {
  const directory = (name: string): string =>
    `(uiop:parse-native-namestring ${JSON.stringify(`${name}/`)} :ensure-directory t)`;
  const mappings = roots.map(
    (root) => `(list (uiop:wilden ${directory(root)}) (list ${directory(folder)} :implementation))`,
  );
  const code = `(asdf:initialize-output-translations (list* :output-translations ${mappings.join(' ')} '(:inherit-configuration)))`;
  const { report } = await session.evaluate({ ...who(), code, package: null, source: null, interactive: false });
  if (report.status !== 'ok')
    throw new WorkbenchError('refused', report.condition?.message ?? 'The image for the build could not be started.');
}

function who() {
  return { evaluation: randomUUID(), actor: PERSON, context: PERSON.id };
}

/** Returns the project's files in which these definitions are. */
function filesOf(packages: readonly PackageDefinitions[], root: string): string[] {
  const files = packages.flatMap(({ definitions }) => definitions.flatMap(({ source }) => source?.file ?? []));
  return [...new Set(files)].filter((file) => isInside(file, root)).slice(0, MOST_FILES);
}
