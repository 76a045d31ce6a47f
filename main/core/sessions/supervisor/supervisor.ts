/** The supervisor of one image: starts it when it is first needed, restarts it with backoff when it dies, resumes it at a checkpoint, says when it cannot. */
import type { OutputStream } from '#contract/image/evaluation.ts';
import { Emitter } from '#core/base/emitter.ts';
import { messageOf, WorkbenchError } from '#core/base/error.ts';
import { describeEnd, endError, endReasons, type ImageEnd } from '#core/lisp/image-end.ts';
import type { LispImage, Woken } from '#core/lisp/image.ts';
import type { ImageEvent } from '#core/lisp/messages.ts';
import { redo, isPassedOnInRedo } from '../checkpoints/redo.ts';
import type { RedoEntry } from '../checkpoints/redo-log.ts';
import { removeLeftTemporary, removeTemporary } from '#core/lisp/start/temporary-folders.ts';
import { ConnectionFault, isPassing } from '#core/lisp/start/start-fault.ts';
import { watch, type Heartbeat } from '#core/lisp/watchdog.ts';
import { startImage, sendRules, type ImageFacts, type ImageStartOptions } from './image-start.ts';

/** The point at which an image goes on whose process has ended. */
export interface ResumePoint {
  /** The id of the checkpoint. */
  readonly checkpoint: number;
  /** The process that is the copy of that checkpoint. */
  readonly copy: number;
  /** The evaluations that are made again in the woken copy. */
  readonly redo: readonly RedoEntry[];
}

/** An image went on at a checkpoint. */
export interface Rewound {
  readonly checkpoint: number;
  readonly woken: Woken;
  /** Sentences about what did not come back. */
  readonly missing: readonly string[];
  /** The end of the process before; `planned` when that was the purpose. */
  readonly end: ImageEnd;
  readonly planned: boolean;
}

interface SupervisorEvents {
  starting: void;
  /** The core has to be built before the image can start. */
  building: void;
  started: ImageFacts;
  event: ImageEvent;
  'process-output': { stream: OutputStream; text: string };
  beat: Heartbeat;
  /** The image does not answer, since that time; `stopped` by a signal. The next beat ends it. */
  silent: { since: number; stopped: boolean };
  /** The image ended. `planned` when we replaced it on purpose. */
  ended: { end: ImageEnd; planned: boolean };
  /** The live process ended and the copy that a checkpoint has goes on; `copy` is another one of it. Nothing was made again yet. */
  woken: { checkpoint: number; copy: number };
  rewound: Rewound;
  /** The init file did not load; the image goes on without what it would have done. */
  'init-failed': { message: string };
  /** No image could be started; `message` says what to do. */
  failed: { message: string; lacksSbcl: boolean };
}

/** An image that ends this soon after it was ready is not started again by itself more than a few times in a row. */
const SHORT_LIFE_MS = 3_000;
const SHORT_LIVES = 5;

const FIRST_LATER_MS = 500;
const LONGEST_LATER_MS = 15_000;
/** So often in a row a connection to a target is tried again by itself. */
const FAR_TRIES = 5;

export class ImageSupervisor {
  readonly events = new Emitter<SupervisorEvents>();
  readonly #options: ImageStartOptions;
  readonly #whereTo: (image: LispImage, made: number | null) => ResumePoint | null;
  #current: Promise<LispImage> | null = null;
  #living: LispImage | null = null;
  #planned = new WeakSet<LispImage>();
  /** The image whose live process was ended so that a checkpoint goes on. */
  #goingBack: LispImage | null = null;
  /** The image in which something is evaluated again, and how many of it ended well so far. */
  #redoing: { readonly image: LispImage; made: number } | null = null;
  #redone: number | null = null;
  #disposed = false;
  #shortLives = 0;
  /** The next try after a start that failed; `begun` when its time has come. */
  #later: { readonly timer: NodeJS.Timeout; readonly begun: PromiseWithResolvers<void> } | null = null;
  #laterMs = FIRST_LATER_MS;
  #farTries = 0;

  /**
   * `whereTo` tells where the image goes on when the live process has ended; null when a fresh one shall take its place. Where that was
   * while evaluations were made again, `made` is how many ended well.
   */
  constructor(options: ImageStartOptions, whereTo: (image: LispImage, made: number | null) => ResumePoint | null) {
    this.#options = options;
    this.#whereTo = whereTo;
  }

  /**
   * The number of evaluations that are made again in the checkpoint which takes the place of an image that has just ended; null when a
   * fresh image takes its place.
   */
  get redone(): number | null {
    return this.#redone;
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
    if (this.#disposed) return Promise.reject(new WorkbenchError('no-image', endReasons.closing));
    this.#current ??= this.#start();
    return this.#current;
  }

  /** Resolves with true as soon as a start that failed is tried again by itself; with false at once where it is not. Keeps the process alive meanwhile. */
  async triedAgain(): Promise<boolean> {
    if (this.#later === null) return false;
    this.#later.timer.ref();
    await this.#later.begun.promise;
    return !this.#disposed;
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
   * Ends the live process on purpose, so that the checkpoint that is chosen goes on. `reason` answers whatever was running; `gone` does
   * when no checkpoint is there to go on.
   * @returns the checkpoint at which it goes on: another one where the chosen one has just ended.
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
    const image = this.#living ?? (await this.#current?.catch(() => null)) ?? null;
    if (!image) return;
    this.#planned.add(image);
    image.kill(endReasons.closing);
    await image.ended;
  }

  #startAgain(): void {
    if (this.#shortLives < SHORT_LIVES) {
      this.image().catch(() => {}); // told by `failed`
      return;
    }
    this.#shortLives = 0;
    this.events.emit('failed', {
      lacksSbcl: false,
      message: `The image ended ${SHORT_LIVES} times in a row as soon as it was up. The next evaluation starts it again.`,
    });
  }

  async #start(): Promise<LispImage> {
    this.events.emit('starting', undefined);
    try {
      const started = await startImage(this.#options, {
        event: (event, image) => this.#pass(event, image),
        processOutput: (chunk) => this.events.emit('process-output', chunk),
        building: () => this.events.emit('building', undefined),
        initFailed: (message) => this.events.emit('init-failed', { message }),
      });
      this.#adopt(started.image);
      this.events.emit('started', started.facts);
      this.#laterMs = FIRST_LATER_MS;
      this.#farTries = 0;
      return started.image;
    } catch (error) {
      this.#current = null;
      const again = isPassing(error) && !this.#disposed && this.#mayTryAgain(error);
      this.events.emit('failed', {
        message: again ? `${messageOf(error)} It is tried again.` : withNextStep(error),
        lacksSbcl: error instanceof WorkbenchError && error.code === 'no-sbcl',
      });
      if (again) this.#tryLater();
      throw error;
    }
  }

  /** A lack on this machine passes by itself; whether a target comes back nobody knows. */
  #mayTryAgain(error: unknown): boolean {
    if (!(error instanceof ConnectionFault)) return true;
    this.#farTries += 1;
    if (this.#farTries <= FAR_TRIES) return true;
    this.#farTries = 0;
    this.#laterMs = FIRST_LATER_MS;
    return false;
  }

  /** Tries to start again later: what the system lacked may be there by then. */
  #tryLater(): void {
    if (this.#later === null) {
      const timer = setTimeout(() => {
        if (!this.#disposed) this.image().catch(() => {}); // told by `failed`
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

  /** Passes events on, but for those that an image tells while evaluations are made again: they were told the first time. */
  #pass(event: ImageEvent, image: LispImage): void {
    if (this.#redoing?.image !== image || isPassedOnInRedo(event)) this.events.emit('event', event);
  }

  async #redo(image: LispImage, entries: readonly RedoEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const redoing = { image, made: 0 };
    this.#redoing = redoing;
    try {
      await redo(image, entries, (count) => {
        redoing.made = count;
      });
    } finally {
      this.#redoing = null;
    }
  }

  #adopt(image: LispImage): void {
    let startedAt = 0; // monotonic
    let stopWatching = (): void => {};
    void removeLeftTemporary(this.#options.environment);
    const pids = new Set<number>();
    let life = { over: false };
    let cause: ImageEnd | null = null; // why it goes back, however often it then ends
    let unmade = 0; // evaluations that could not be made again
    const live = (): void => {
      life = { over: false };
      if (image.pid !== null) pids.add(image.pid);
      this.#living = image;
      startedAt = performance.now();
      stopWatching = watch(image, {
        beat: (beat) => this.events.emit('beat', beat),
        silent: (since, stopped) => this.events.emit('silent', { since, stopped }),
      });
    };
    const countLife = (planned: boolean): void => {
      this.#shortLives = performance.now() - startedAt < SHORT_LIFE_MS && !planned ? this.#shortLives + 1 : 0;
    };
    live();
    const goOn = async ({ checkpoint, copy, redo: again }: ResumePoint, end: ImageEnd): Promise<LispImage> => {
      const woken = await image.wake(copy);
      live();
      const mine = life;
      const target = image.target === null ? null : (this.#options.target?.() ?? null);
      await sendRules(image, this.#options, target).catch(() => {}); // what the copy knows of it is of long ago
      this.events.emit('woken', { checkpoint, copy: woken.copy });
      await this.#redo(image, again);
      // The woken copy has ended meanwhile: the image goes on at another one, or a fresh image takes its place.
      if (mine.over) return this.image();
      const missing = [...woken.missing, ...notMadeAgain(unmade)];
      [cause, unmade] = [null, 0];
      this.events.emit('rewound', { checkpoint, woken, missing, end, planned: isPlanned() });
      return image;
    };
    const isPlanned = (): boolean => this.#planned.has(image) || this.#goingBack === image;
    image.events.on('life-over', (end) => {
      stopWatching();
      this.#living = null;
      life.over = true;
      countLife(isPlanned());
      // A checkpoint that ends as soon as it is woken is no place to go back to.
      const stay = this.#disposed || this.#shortLives >= SHORT_LIVES;
      const made = this.#redoing?.made ?? null;
      const back = stay ? null : this.#whereTo(image, made);
      if (made !== null) unmade += (this.#redone ?? made) - made;
      this.#redone = back?.redo.length ?? null;
      if (back === null) {
        // Whoever asks for an image now must not get the one that is over.
        this.#current = image.ended.then(() => this.image());
        this.#current.catch(() => {}); // told by `failed`
        return image.kill(describeEnd(end));
      }
      this.events.emit('starting', undefined);
      cause ??= end;
      this.#current = goOn(back, cause);
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

function notMadeAgain(count: number): string[] {
  if (count === 0) return [];
  return [
    `${count} evaluation${count === 1 ? '' : 's'} that had come after it could not be made again: what ${count === 1 ? 'it' : 'they'} did is undone too.`,
  ];
}

/** The words of a fault, with when a target is tried again that is not tried again by itself. */
function withNextStep(error: unknown): string {
  const words = messageOf(error);
  return error instanceof ConnectionFault && error.passing
    ? `${words} It is not tried again by itself: the next evaluation does, or a restart of the image.`
    : words;
}
