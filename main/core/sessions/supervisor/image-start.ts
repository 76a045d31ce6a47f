/** Starting an image: its core, its sandbox, trust in the project, and the person's init file, which must not keep it from coming up. */
import type { OutputStream } from '#contract/evaluation.ts';
import { PERSON } from '#contract/known-actors.ts';
import type { LackingFeature, Sandbox } from '#contract/session.ts';
import { messageOf, WorkbenchError } from '#core/error.ts';
import { LispImage } from '#core/lisp/image.ts';
import type { ImageEvent } from '#core/lisp/messages.ts';
import type { ImageMemory } from '#core/lisp/process.ts';
import { discardRuntime, type Runtime } from '#core/lisp/runtime.ts';
import { prepareSandbox, writableFolder, type SandboxPaths } from '#core/lisp/sandbox.ts';

export interface ImageStartOptions {
  /** Finds SBCL and its core for each new image. Calls `building` where the core has to be built first. */
  readonly runtime: (building?: () => void) => Promise<Runtime>;
  readonly directory: () => string;
  readonly environment: NodeJS.ProcessEnv;
  /** Returns the sizes for each new image. */
  readonly memory: () => ImageMemory;
  /** Returns true when systems of the session's directory may be found; left out, they may. */
  readonly trusted?: () => boolean;
  /** Returns the Lisp file that a new image loads before anything else; null for none. What it prints is process output. */
  readonly initFile?: () => string | null;
  /**
   * Returns the paths of each new image's sandbox; null, or left out, for no sandbox. Where a sandbox cannot be had no image
   * starts.
   */
  readonly sandbox?: () => SandboxPaths | null;
}

/** The facts of an image that is up. */
export interface ImageFacts {
  readonly lisp: string;
  readonly lacking: readonly LackingFeature[];
  readonly pid: number;
  readonly sandbox: Sandbox | null;
}

/** The listener to everything that an image tells from its first moment on. */
export interface StartListener {
  event(event: ImageEvent, image: LispImage): void;
  processOutput(chunk: { stream: OutputStream; text: string }): void;
  /** The core is being built first. */
  building(): void;
  /** The init file did not load; the image goes on without what it would have done. */
  initFailed(message: string): void;
}

const INIT_MS = 60_000;

/**
 * Starts an image and waits until it is ready. A cached core that does not come up is built anew once.
 * @throws WorkbenchError `no-sbcl` or `no-image` with what to do.
 */
export async function startImage(
  options: ImageStartOptions,
  listener: StartListener,
): Promise<{ image: LispImage; facts: ImageFacts }> {
  return launch(options, listener, true, options.initFile?.() ?? null);
}

async function launch(
  options: ImageStartOptions,
  listener: StartListener,
  mayRebuild: boolean,
  initFile: string | null,
): Promise<{ image: LispImage; facts: ImageFacts }> {
  const runtime = await options.runtime(() => listener.building());
  const directory = options.directory();
  const paths = options.sandbox?.() ?? null;
  const sandbox = paths && (await prepareSandbox(paths, options.environment, directory));
  const { environment } = options;
  const image = new LispImage({ runtime, directory, environment, memory: options.memory(), sandbox, initFile });
  image.events.on('event', (event) => listener.event(event, image));
  image.events.on('process-output', (chunk) => listener.processOutput(chunk));
  try {
    const ready = await image.ready;
    await sendTrust(image, options);
    if (initFile !== null && !(await loadInit(image, initFile, listener))) {
      image.kill('The init file ended the image.');
      await image.ended;
      return await launch(options, listener, mayRebuild, null);
    }
    const sandbox = paths && { folder: writableFolder(directory, paths) };
    const lisp = `${ready.lisp} ${ready.version}`;
    return { image, facts: { lisp, lacking: ready.lacking, pid: ready.pid, sandbox } };
  } catch (error) {
    const end = await image.ended;
    if (image.fault !== null) throw new WorkbenchError('no-image', end.reason!, { cause: image.fault });
    if (mayRebuild) {
      await discardRuntime(runtime); // a cached core may be damaged: once, build it anew
      return launch(options, listener, false, initFile);
    }
    throw new WorkbenchError(
      'no-image',
      `SBCL ${runtime.sbcl.version} started but the image did not come up. ${end.lastWords || messageOf(error)}`,
      { cause: error },
    );
  }
}

/** Tells the image whether systems of its project may be found, and where that is: a copy may be of a time before it was another folder. */
export async function sendTrust(image: LispImage, { trusted, directory, sandbox }: ImageStartOptions): Promise<void> {
  if (!trusted) return;
  const place = sandbox?.() ? {} : { directory: directory() };
  await image.request('trust-project', { trusted: trusted(), ...place });
}

/** False when the file ended the image, which then must not load it again. */
async function loadInit(image: LispImage, file: string, listener: StartListener): Promise<boolean> {
  const code = `(progn (load ${lispString(file)}) (values))`;
  const late = setTimeout(() => void image.request('interrupt', { evaluation: 'init' }).catch(() => {}), INIT_MS);
  const loaded = image.request('evaluate', {
    evaluation: 'init',
    context: 'init',
    actor: PERSON.id,
    code,
    package: null,
    interactive: false,
    source: null,
    outputLimit: 100_000,
    valueLimit: 1000,
    keepValues: false,
    onError: 'report',
    guard: false,
  });
  const { condition, status } = await loaded
    .catch((error: unknown) => ({ status: 'lost', condition: { type: 'IMAGE-LOST', message: messageOf(error) } }))
    .finally(() => clearTimeout(late));
  if (status === 'ok') return true;
  const why = condition ? `${condition.type}: ${condition.message}` : `It took longer than ${INIT_MS / 1000} seconds.`;
  listener.initFailed(`The init file ${file} did not load. ${why}`);
  return image.alive && !image.exiting;
}

function lispString(text: string): string {
  return `"${text.replaceAll(/["\\]/g, (char) => `\\${char}`)}"`;
}
