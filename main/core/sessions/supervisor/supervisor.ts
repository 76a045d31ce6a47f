/**
 * The supervisor of one image: it starts the image when it is first needed, restarts it with backoff when its process dies, resumes it at a
 * checkpoint, and reports if that is impossible.
 */
import { Emitter } from '#core/base/emitter.ts';
import { messageOf, WorkbenchError } from '#core/base/error.ts';
import { endError, endReasons } from '#core/lisp/image-end.ts';
import type { LispImage } from '#core/lisp/image.ts';
import { ConnectionFault, isPassing } from '#core/lisp/start/start-fault.ts';
import { removeLeftTemporary } from '#core/lisp/start/temporary-folders.ts';
import { startImage, type ImageStartOptions } from './image-start.ts';
import { SupervisedImage } from './supervised-image.ts';
import { SHORT_LIVES, type ResumePoint } from './supervision.ts';
import type { Rewound, SupervisorEvents } from './supervisor-events.ts';

const FIRST_LATER_MS = 500;
const LONGEST_LATER_MS = 15_000;
/** The number of times in a row that a connection to a target is retried automatically. */
const FAR_TRIES = 5;

export class ImageSupervisor {
  readonly events = new Emitter<SupervisorEvents>();
  readonly #options: ImageStartOptions;
  readonly #resumePoint: (image: LispImage, made: number | null) => ResumePoint | null;
  #current: Promise<LispImage> | null = null;
  /** The image that was started last. */
  #supervised: SupervisedImage | null = null;
  #planned = new WeakSet<LispImage>();
  /** The image whose process was ended in order to return to a checkpoint. */
  #goingBack: LispImage | null = null;
  #disposed = false;
  /** The next attempt after a failed start; `begun` resolves when that attempt begins. */
  #later: { readonly timer: NodeJS.Timeout; readonly begun: PromiseWithResolvers<void> } | null = null;
  #laterMs = FIRST_LATER_MS;
  #farTries = 0;

  /**
   * `resumePoint` returns the point at which the image continues after its process has ended; null if a fresh image must replace it. `made`
   * is the number of evaluations that were repeated successfully, if the process ended while evaluations were being repeated.
   */
  constructor(options: ImageStartOptions, resumePoint: (image: LispImage, made: number | null) => ResumePoint | null) {
    this.#options = options;
    this.#resumePoint = resumePoint;
  }

  /**
   * The number of evaluations that are repeated in the checkpoint that replaces an image that has just ended; null if a fresh image
   * replaces it.
   */
  get redone(): number | null {
    return this.#supervised?.redone ?? null;
  }

  /** The image if one is running and ready. */
  get living(): LispImage | null {
    return this.#supervised?.living ?? null;
  }

  /**
   * Returns the running image, or starts one.
   * @throws WorkbenchError `no-sbcl` or `no-image`.
   */
  image(): Promise<LispImage> {
    if (this.#disposed) return Promise.reject(new WorkbenchError('no-image', endReasons.closing));
    this.#current ??= this.#start();
    return this.#current;
  }

  /**
   * Resolves with true when a failed start is retried automatically, or with false at once if it is not retried. Keeps this program's
   * process alive until then.
   */
  async triedAgain(): Promise<boolean> {
    if (this.#later === null) return false;
    this.#later.timer.ref();
    await this.#later.begun.promise;
    return !this.#disposed;
  }

  /** Ends the running image on purpose and starts a fresh one. Running evaluations are answered with `reason`. */
  async replace(reason: string): Promise<LispImage> {
    // Also waits for an image that is still starting or rewinding, because that image would not be fresh either.
    const old = this.living ?? (await this.#current?.catch(() => null));
    if (old) {
      this.#planned.add(old);
      old.kill(reason);
      await old.ended;
    }
    return this.image();
  }

  /**
   * Ends the running process on purpose, so that the chosen checkpoint continues. Running evaluations are answered with `reason`, or with
   * `gone` if no checkpoint can continue.
   * @returns the checkpoint at which the image continues: another one if the chosen one has just ended.
   * @throws WorkbenchError `no-image`, with `gone`.
   */
  async rewind(reason: string, gone: string): Promise<Pick<Rewound, 'checkpoint' | 'missing'>> {
    const image = await this.image();
    this.#goingBack = image;
    const { promise, resolve, reject } = Promise.withResolvers<Rewound>();
    const stop = this.events.on('rewound', resolve);
    void image.ended.then((end) => reject(endError(end)));
    try {
      image.endLife(reason, gone);
      return await promise;
    } finally {
      stop();
      this.#goingBack = null;
    }
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    this.#endLater();
    const image = this.living ?? (await this.#current?.catch(() => null)) ?? null;
    if (!image) return;
    this.#planned.add(image);
    image.kill(endReasons.closing);
    await image.ended;
  }

  async #start(): Promise<LispImage> {
    this.events.emit('starting', undefined);
    try {
      const started = await startImage(this.#options, {
        event: (event, image) => {
          if (this.#supervised?.passes(event, image) ?? true) this.events.emit('event', event);
        },
        processOutput: (chunk) => this.events.emit('process-output', chunk),
        building: () => this.events.emit('building', undefined),
        initStarting: (evaluation) => this.events.emit('init-starting', { evaluation }),
        initFailed: (message) => this.events.emit('init-failed', { message }),
      });
      this.#supervise(started.image);
      this.events.emit('started', started.facts);
      this.#laterMs = FIRST_LATER_MS;
      this.#farTries = 0;
      return started.image;
    } catch (error) {
      this.#current = null;
      const again = isPassing(error) && !this.#disposed && this.#mayTryAgain(error);
      this.events.emit('failed', {
        message: again ? `${messageOf(error)} The start is tried again.` : withNextStep(error),
        lacksSbcl: error instanceof WorkbenchError && error.code === 'no-sbcl',
      });
      if (again) this.#tryLater();
      throw error;
    }
  }

  /** A shortage on this machine counts as temporary, but a target may never become available again. */
  #mayTryAgain(error: unknown): boolean {
    if (!(error instanceof ConnectionFault)) return true;
    this.#farTries += 1;
    if (this.#farTries <= FAR_TRIES) return true;
    this.#farTries = 0;
    this.#laterMs = FIRST_LATER_MS;
    return false;
  }

  /** Tries to start again later: the system may have the missing resources by then. */
  #tryLater(): void {
    if (this.#later === null) {
      const timer = setTimeout(() => {
        if (!this.#disposed) this.image().catch(() => {}); // reported by `failed`
        this.#endLater();
      }, this.#laterMs).unref();
      this.#later = { timer, begun: Promise.withResolvers() };
    }
    this.#laterMs = Math.min(this.#laterMs * 2, LONGEST_LATER_MS);
  }

  #endLater(): void {
    if (this.#later === null) return;
    clearTimeout(this.#later.timer);
    this.#later.begun.resolve();
    this.#later = null;
  }

  #supervise(image: LispImage): void {
    void removeLeftTemporary(this.#options.environment);
    const isPlanned = (): boolean => this.#planned.has(image);
    const isClosing = (): boolean => this.#disposed;
    this.#supervised = new SupervisedImage(image, this.#supervised?.shortLives ?? 0, {
      options: this.#options,
      events: this.events,
      resumePoint: this.#resumePoint,
      isEndedOnPurpose: (why) => isPlanned() || (why === 'at all' && this.#goingBack === image),
      get closing() {
        return isClosing();
      },
      image: () => this.image(),
      setCurrent: (current) => {
        this.#current = current;
        current?.catch(() => {}); // reported by `ended` or `failed`
      },
      startAgain: () => void this.image().catch(() => {}), // reported by `failed`
      giveUp: () =>
        this.events.emit('failed', {
          lacksSbcl: false,
          message: endReasons.endedAtOnce(SHORT_LIVES),
        }),
    });
  }
}

/** Returns the message of a fault. For a temporary connection fault that is not retried automatically, adds what the person can do. */
function withNextStep(error: unknown): string {
  const words = messageOf(error);
  return error instanceof ConnectionFault && error.passing
    ? `${words} The program will not try to start the image again automatically. Evaluate something, or restart the image.`
    : words;
}
