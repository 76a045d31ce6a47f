/**
 * Starts images with their core and sandbox, the project's trust, and the person's init file. A failure of the init file does not prevent
 * the start.
 */
import { randomUUID } from 'node:crypto';
import type { OutputStream } from '#contract/image/evaluation.ts';
import { PERSON } from '#contract/clients/known-actors.ts';
import type { ConditionRecord } from '#contract/image/condition.ts';
import type { LackingFeature, Sandbox } from '#contract/image/session.ts';
import type { LibraryTool } from '#contract/image/library-tool.ts';
import { messageOf, WorkbenchError } from '#core/base/error.ts';
import { endReasons } from '#core/lisp/image-end.ts';
import { LispImage } from '#core/lisp/image.ts';
import { LocalHost } from '#core/lisp/local-host.ts';
import type { ImageTarget } from '#core/targets/targets.ts';
import type { SessionLibraries } from '../systems/library-requests.ts';
import type { ImageEvent } from '#core/lisp/messages.ts';
import type { ImageMemory } from '#core/lisp/process.ts';
import { discardRuntime, type Runtime } from '#core/lisp/start/runtime.ts';
import { prepareSandbox, writableFolder, type SandboxPaths } from '#core/lisp/start/sandbox.ts';

export interface ImageStartOptions {
  /** Finds SBCL and its core for each new image. Calls `building` if the core has to be built first. */
  readonly runtime: (building?: () => void) => Promise<Runtime>;
  readonly directory: () => string;
  readonly environment: NodeJS.ProcessEnv;
  /** Returns the memory sizes for each new image. */
  readonly memory: () => ImageMemory;
  /** Returns true if systems of the session's directory may be found; true if omitted. */
  readonly trusted?: () => boolean;
  /** Informs an image that has just started or continued whether the person's own effects wait. */
  readonly tellRules?: (image: LispImage) => Promise<void>;
  /** The libraries for the image; if omitted, it uses no library tool, and nothing is installed for it. */
  readonly libraries?: SessionLibraries;
  /** Returns the Lisp file that a new image loads before anything else; null if there is none. Its output is process output. */
  readonly initFile?: () => string | null;
  /** Returns the paths of each new image's sandbox; null or omitted for no sandbox. If the sandbox is unavailable, no image starts. */
  readonly sandbox?: () => SandboxPaths | null;
  /**
   * Returns the target that each new image runs on; null or omitted for this machine. If it throws, no image starts.
   * @throws WorkbenchError `not-found` if no target has the chosen name.
   */
  readonly target?: () => ImageTarget | null;
  /** Returns the name of the target chosen for new images, even if no such target exists; null or omitted for this machine. */
  readonly wantedTarget?: () => string | null;
}

/** The facts about a running image. */
export interface ImageFacts {
  readonly lisp: string;
  readonly lacking: readonly LackingFeature[];
  readonly pid: number;
  readonly sandbox: Sandbox | null;
  /** Name of the target that the image runs on; null for this machine. */
  readonly target: string | null;
  /** The library tool that the image uses; null for none. */
  readonly libraryTool: LibraryTool | null;
  /** Sentences about settings that do not apply to the image. */
  readonly notices: readonly string[];
}

/** The listener to all events of an image, from the moment it starts. */
export interface StartListener {
  event(event: ImageEvent, image: LispImage): void;
  processOutput(chunk: { stream: OutputStream; text: string }): void;
  /** Called when the core has to be built first. */
  building(): void;
  /**
   * Called before a starting image evaluates code as the person (the library tool or the init file). `evaluation` is the id of that
   * evaluation.
   */
  initStarting(evaluation: string): void;
  /** Called when the library tool or the init file did not load. The image continues without it. */
  initFailed(message: string): void;
}

const INIT_MS = 60_000;

/** The start-up steps that run the person's code. If a step ends the image, the next attempt to start skips that step. */
interface InitSteps {
  readonly libraries: boolean;
  readonly initFile: string | null;
}

/**
 * Starts an image and waits until it is ready. If the image does not start from a cached core, the core is built again, once.
 * @throws WorkbenchError `no-sbcl` or `no-image` with advice.
 */
export async function startImage(
  options: ImageStartOptions,
  listener: StartListener,
): Promise<{ image: LispImage; facts: ImageFacts }> {
  const target = options.target?.() ?? null;
  if (target !== null) return launchAt(target, options, listener, true);
  return launch(options, listener, true, { libraries: true, initFile: options.initFile?.() ?? null });
}

/** Starts an image on a target. If the image does not start from the target's core, the core is built again, once. */
async function launchAt(
  target: ImageTarget,
  options: ImageStartOptions,
  listener: StartListener,
  mayRebuild: boolean,
): Promise<{ image: LispImage; facts: ImageFacts }> {
  const host = await target.prepare(options.memory(), () => listener.building(), !mayRebuild);
  const image = new LispImage(host);
  image.events.on('event', (event) => listener.event(event, image));
  image.events.on('process-output', (chunk) => listener.processOutput(chunk));
  try {
    const ready = await image.ready;
    await sendRules(image, options, target);
    const { libraryTool } = await setUpLibraries(image, options, listener);
    const { name } = target;
    const { lacking } = ready;
    const lisp = `${ready.lisp} ${ready.version}`;
    const pid = image.shownPid(ready.pid);
    const facts = { lisp, lacking, pid, sandbox: null, target: name, libraryTool, notices: noticesAt(name, options) };
    return { image, facts };
  } catch (error) {
    image.kill(messageOf(error));
    const end = await image.ended;
    if (image.fault !== null) throw new WorkbenchError('no-image', end.reason!, { cause: image.fault });
    if (host.fault?.passing) throw host.fault;
    if (mayRebuild && host.began) return launchAt(target, options, listener, false);
    if (host.fault) throw host.fault;
    const said = end.lastWords || messageOf(error);
    throw new WorkbenchError('no-image', `SBCL on the target ${target.name} started, but the image did not. ${said}`, {
      cause: error,
    });
  }
}

/** Returns sentences about settings of this machine that do not apply to a target. */
function noticesAt(target: string, { initFile, sandbox }: ImageStartOptions): string[] {
  const init = initFile?.() ?? null;
  return [
    ...(init === null
      ? []
      : [`The init file ${init} is on this machine, so it was not loaded on the target ${target}.`]),
    ...(sandbox?.()
      ? [
          `The sandbox works only on this machine; on the target ${target}, the image is isolated only by its host or container.`,
        ]
      : []),
  ];
}

async function launch(
  options: ImageStartOptions,
  listener: StartListener,
  mayRebuild: boolean,
  steps: InitSteps,
): Promise<{ image: LispImage; facts: ImageFacts }> {
  const { initFile } = steps;
  const runtime = await options.runtime(() => listener.building());
  const directory = options.directory();
  const paths = options.sandbox?.() ?? null;
  const sandbox = paths && (await prepareSandbox(paths, options.environment, directory));
  const { environment } = options;
  const memory = options.memory();
  const image = new LispImage(new LocalHost({ runtime, directory, environment, memory, sandbox, initFile }));
  image.events.on('event', (event) => listener.event(event, image));
  image.events.on('process-output', (chunk) => listener.processOutput(chunk));
  try {
    const ready = await image.ready;
    await sendRules(image, options, null);
    const again = async (left: InitSteps, why: string): Promise<{ image: LispImage; facts: ImageFacts }> => {
      image.kill(why);
      await image.ended;
      return launch(options, listener, mayRebuild, left);
    };
    const { libraryTool, alive } = steps.libraries ? await setUpLibraries(image, options, listener) : WITHOUT_LIBRARIES;
    if (!alive) return await again({ ...steps, libraries: false }, endReasons.libraryTool);
    if (initFile !== null && !(await loadInit(image, initFile, listener)))
      return await again({ ...steps, initFile: null }, endReasons.initFile);
    const sandbox = paths && { folder: writableFolder(directory, paths) };
    const lisp = `${ready.lisp} ${ready.version}`;
    const { lacking, pid } = ready;
    return { image, facts: { lisp, lacking, pid, sandbox, target: null, libraryTool, notices: [] } };
  } catch (error) {
    const end = await image.ended;
    if (image.fault !== null) throw new WorkbenchError('no-image', end.reason!, { cause: image.fault });
    if (mayRebuild) {
      await discardRuntime(runtime); // the cached core may be damaged: build it again, once
      return launch(options, listener, false, steps);
    }
    throw new WorkbenchError(
      'no-image',
      `SBCL ${runtime.sbcl.version} started, but the image did not. ${end.lastWords || messageOf(error)}`,
      { cause: error },
    );
  }
}

/**
 * Informs the image of its rules before any evaluation: whether and where systems of its project may be found, and whether the person's own
 * effects wait. A checkpoint may date from a time when the rules were different.
 */
export async function sendRules(
  image: LispImage,
  { trusted, directory, sandbox, tellRules }: ImageStartOptions,
  target: Pick<ImageTarget, 'project'> | null,
): Promise<void> {
  await tellRules?.(image);
  if (!trusted) return;
  // The folder of images without a project exists only on this machine.
  const folder = target === null ? directory() : target.project();
  const place = folder === null || (target === null && sandbox?.()) ? {} : { directory: folder };
  await image.request('trust-project', { trusted: trusted(), ...place });
}

const WITHOUT_LIBRARIES = { libraryTool: null, alive: true };

/** Makes the image use its library tool. `alive` is false if that ended the image, which then must not be tried again. */
async function setUpLibraries(
  image: LispImage,
  { libraries, trusted }: ImageStartOptions,
  listener: StartListener,
): Promise<{ libraryTool: LibraryTool | null; alive: boolean }> {
  if (!libraries) return WITHOUT_LIBRARIES;
  const fields = {
    preferred: libraries.tool(),
    trusted: trusted?.() ?? true,
    clientsToo: image.librariesThere === null,
    distHome: image.librariesThere?.folder ?? libraries.client.home.folder,
  };
  const { reply, problem } = await runAtStart(image, listener, (run) =>
    image.request('set-up-libraries', { ...run, ...fields }),
  );
  if (problem !== null) listener.initFailed(`The library tool could not be set up. ${problem}`);
  return { libraryTool: reply?.result?.tool ?? null, alive: problem === null || isUsable(image) };
}

/** Returns false if the file ended the image, which then must not load the file again. */
async function loadInit(image: LispImage, file: string, listener: StartListener): Promise<boolean> {
  const code = `(progn (load ${lispString(file)}) (values))`;
  const evaluation = { code, package: null, interactive: false, source: null, valueLimit: 1000, keepValues: false };
  const { problem } = await runAtStart(image, listener, (run) => image.request('evaluate', { ...run, ...evaluation }));
  if (problem === null) return true;
  listener.initFailed(`The init file ${file} could not be loaded. ${problem}`);
  return isUsable(image);
}

/** Runs code as the person and interrupts it after a minute. `problem` says why it did not end normally; null if it did. */
async function runAtStart<Reply extends { readonly status: string; readonly condition: ConditionRecord | null }>(
  image: LispImage,
  listener: StartListener,
  request: (run: typeof RUN_AT_START & { readonly evaluation: string }) => Promise<Reply>,
): Promise<{ reply: Reply | null; problem: string | null }> {
  const evaluation = `init-${randomUUID()}`;
  listener.initStarting(evaluation);
  const late = setTimeout(() => void image.request('interrupt', { evaluation }).catch(() => {}), INIT_MS);
  try {
    const reply = await request({ ...RUN_AT_START, evaluation });
    const { status, condition } = reply;
    if (status === 'ok') return { reply, problem: null };
    if (condition) return { reply, problem: `${condition.type}: ${condition.message}` };
    return { reply, problem: `Loading took longer than ${INIT_MS / 1000} seconds.` };
  } catch (error) {
    return { reply: null, problem: `IMAGE-LOST: ${messageOf(error)}` };
  } finally {
    clearTimeout(late);
  }
}

const RUN_AT_START = {
  context: 'init',
  actor: PERSON.id,
  outputLimit: 100_000,
  onError: 'report',
  guard: false,
} as const;

function isUsable(image: LispImage): boolean {
  return image.alive && !image.exiting;
}

function lispString(text: string): string {
  return `"${text.replaceAll(/["\\]/g, (char) => `\\${char}`)}"`;
}
