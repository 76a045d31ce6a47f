/** Keeps one image alive: starts it when it is first needed, starts a fresh one when it dies, says when it cannot. */
import { PERSON, type LackingFeature, type Sandbox } from '#contract/session.ts';
import { Emitter } from '#core/emitter.ts';
import { messageOf, WorkbenchError } from '#core/error.ts';
import { describeEnd, type ImageEnd } from '#core/lisp/image-end.ts';
import { LispImage, type Woken } from '#core/lisp/image.ts';
import type { ImageEvent } from '#core/lisp/messages.ts';
import { discardRuntime, type Runtime } from '#core/lisp/runtime.ts';
import { removeTemporary } from '#core/lisp/temporary.ts';
import { prepareWall, writableFolder, type WallPlaces } from '#core/lisp/wall.ts';
import { watch, type Heartbeat } from '#core/lisp/watchdog.ts';

export interface KeeperOptions {
  /** Finds SBCL and its core; may build it. Called for each new image. */
  readonly runtime: () => Promise<Runtime>;
  readonly directory: () => string;
  readonly environment: NodeJS.ProcessEnv;
  readonly heapMegabytes: number;
  /** Whether systems of its directory may be found; left out, they may. */
  readonly trusted?: () => boolean;
  /** A Lisp file that each new image loads before anything else; null for none. What it prints is process output. */
  readonly initFile?: string | null;
  /** What each new image's sandbox goes by; null, or left out, for none. Where it cannot be had no image starts. */
  readonly wall?: () => WallPlaces | null;
}

interface KeeperEvents {
  starting: void;
  started: { lisp: string; lacking: readonly LackingFeature[]; pid: number; sandbox: Sandbox | null };
  event: ImageEvent;
  'process-output': string;
  beat: Heartbeat;
  /** The image ended. `planned` when we replaced it on purpose. */
  ended: { end: ImageEnd; planned: boolean };
  /** The live process ended and its copy `copy` goes on. `planned` when that was the purpose. */
  rewound: { copy: number; woken: Woken; end: ImageEnd; planned: boolean };
  /** The init file did not load; the image goes on without what it would have done. */
  'init-failed': { message: string };
  /** No image could be started; `message` says what to do. */
  failed: { message: string };
}

/** An image that ends this soon after it was ready is not started again by itself more than a few times in a row. */
const SHORT_LIFE_MS = 3_000;
const SHORT_LIVES = 5;

const INIT_MS = 60_000;

export class ImageKeeper {
  readonly events = new Emitter<KeeperEvents>();
  readonly #options: KeeperOptions;
  readonly #chooseCopy: (image: LispImage) => number | null;
  #current: Promise<LispImage> | null = null;
  #living: LispImage | null = null;
  #planned = new WeakSet<LispImage>();
  /** Its live process was ended so that a checkpoint goes on. */
  #goingBack: LispImage | null = null;
  #disposed = false;
  #shortLives = 0;

  /** `chooseCopy` tells which checkpoint goes on when the live process has ended; null when none shall. */
  constructor(options: KeeperOptions, chooseCopy: (image: LispImage) => number | null) {
    this.#options = options;
    this.#chooseCopy = chooseCopy;
  }

  /** The image if one is running and ready. */
  get living(): LispImage | null {
    return this.#living;
  }

  /**
   * The running image, started when there is none.
   * @throws WorkbenchError `no-sbcl` or `no-image`.
   */
  image(): Promise<LispImage> {
    if (this.#disposed) return Promise.reject(new WorkbenchError('no-image', 'The workbench is closing.'));
    this.#current ??= this.#start();
    return this.#current;
  }

  /** Ends the running image on purpose and starts a fresh one. `reason` answers whatever was running. */
  async replace(reason: string): Promise<LispImage> {
    // One that just starts, or goes back to a checkpoint, would not be fresh either.
    const old = this.#living ?? (await this.#current?.catch(() => null));
    if (old) {
      this.#planned.add(old);
      old.kill(reason);
      await old.ended;
    }
    return this.image();
  }

  /**
   * Ends the live process on purpose, so that the checkpoint that is chosen goes on. `reason` answers whatever was running.
   * @throws WorkbenchError `no-image` when the checkpoint is gone.
   */
  async rewind(reason: string): Promise<Woken> {
    const image = await this.image();
    this.#goingBack = image;
    const { promise, resolve, reject } = Promise.withResolvers<Woken>();
    const stop = this.events.on('rewound', ({ woken }) => resolve(woken));
    void image.ended.then((end) => reject(new WorkbenchError('no-image', describeEnd(end))));
    try {
      image.endLife(reason);
      return await promise;
    } finally {
      stop();
      this.#goingBack = null;
    }
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    const image = this.#living ?? (await this.#current?.catch(() => null)) ?? null;
    if (!image) return;
    this.#planned.add(image);
    image.kill('The workbench is closing.');
    await image.ended;
  }

  #startAgain(): void {
    if (this.#shortLives < SHORT_LIVES) {
      this.image().catch(() => {}); // told by `failed`
      return;
    }
    this.#shortLives = 0;
    this.events.emit('failed', {
      message: `The image ended ${SHORT_LIVES} times in a row as soon as it was up. The next evaluation starts it again.`,
    });
  }

  async #start(): Promise<LispImage> {
    this.events.emit('starting', undefined);
    try {
      return await this.#launch(true, this.#options.initFile ?? null);
    } catch (error) {
      this.#current = null;
      this.events.emit('failed', { message: messageOf(error) });
      throw error;
    }
  }

  async #launch(mayRebuild: boolean, initFile: string | null): Promise<LispImage> {
    const runtime = await this.#options.runtime();
    const directory = this.#options.directory();
    const places = this.#options.wall?.() ?? null;
    const wall = places && (await prepareWall(places, this.#options.environment, directory));
    const { environment, heapMegabytes } = this.#options;
    const image = new LispImage({ runtime, directory, environment, heapMegabytes, wall, initFile });
    image.events.on('event', (event) => this.events.emit('event', event));
    image.events.on('process-output', (text) => this.events.emit('process-output', text));
    try {
      const ready = await image.ready;
      await this.#tellTrust(image);
      if (initFile !== null && !(await this.#loadInit(image, initFile))) {
        image.kill('The init file ended the image.');
        await image.ended;
        return await this.#launch(mayRebuild, null);
      }
      this.#adopt(image);
      const sandbox = places && { folder: writableFolder(directory, places) };
      const lisp = `${ready.lisp} ${ready.version}`;
      this.events.emit('started', { lisp, lacking: ready.lacking, pid: ready.pid, sandbox });
      return image;
    } catch (error) {
      const end = await image.ended;
      if (mayRebuild) {
        await discardRuntime(runtime); // a cached core may be damaged: once, build it anew
        return this.#launch(false, initFile);
      }
      throw new WorkbenchError(
        'no-image',
        `SBCL ${runtime.sbcl.version} started but the image did not come up. ${end.lastWords || messageOf(error)}`,
        { cause: error },
      );
    }
  }

  async #tellTrust(image: LispImage): Promise<void> {
    const { trusted } = this.#options;
    if (trusted) await image.request('trust-project', { trusted: trusted() });
  }

  /** False when the file ended the image, which then must not load it again. */
  async #loadInit(image: LispImage, file: string): Promise<boolean> {
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
    const why = condition
      ? `${condition.type}: ${condition.message}`
      : `It took longer than ${INIT_MS / 1000} seconds.`;
    this.events.emit('init-failed', { message: `The init file ${file} did not load. ${why}` });
    return image.alive && !image.exiting;
  }

  #adopt(image: LispImage): void {
    let startedAt = 0;
    let stopWatching = (): void => {};
    const pids = new Set<number>();
    const live = (): void => {
      if (image.pid !== null) pids.add(image.pid);
      this.#living = image;
      startedAt = Date.now();
      stopWatching = watch(image, (beat) => this.events.emit('beat', beat));
    };
    const countLife = (planned: boolean): void => {
      this.#shortLives = Date.now() - startedAt < SHORT_LIFE_MS && !planned ? this.#shortLives + 1 : 0;
    };
    live();
    image.events.on('life-over', (end) => {
      stopWatching();
      this.#living = null;
      const planned = this.#planned.has(image) || this.#goingBack === image;
      countLife(planned);
      // A checkpoint that ends as soon as it is woken is no place to go back to.
      const copy = this.#disposed || this.#shortLives >= SHORT_LIVES ? null : this.#chooseCopy(image);
      if (copy === null) return image.kill(describeEnd(end));
      this.events.emit('starting', undefined);
      this.#current = image.wake(copy).then(async (woken) => {
        live();
        await this.#tellTrust(image).catch(() => {}); // what the copy knows of it is of long ago
        this.events.emit('rewound', { copy, woken, end, planned });
        return image;
      });
      this.#current.catch(() => {}); // told by `ended`
    });
    image.events.on('end', (end) => {
      void removeTemporary(pids, this.#options.environment);
      stopWatching();
      this.#living = null;
      this.#current = null;
      const planned = this.#planned.has(image);
      this.events.emit('ended', { end, planned });
      countLife(planned);
      if (!planned && !this.#disposed) this.#startAgain();
    });
  }
}

function lispString(text: string): string {
  return `"${text.replaceAll(/["\\]/g, (char) => `\\${char}`)}"`;
}
