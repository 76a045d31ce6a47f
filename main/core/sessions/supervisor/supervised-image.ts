/**
 * An image that the supervisor has started. It is watched, it continues at a checkpoint when its process ends, and its end is reported.
 * `supervision.ts` decides what each event means.
 */
import type { Emitter } from '#core/base/emitter.ts';
import type { ImageEnd } from '#core/lisp/image-end.ts';
import type { LispImage } from '#core/lisp/image.ts';
import type { ImageEvent } from '#core/lisp/messages.ts';
import { removeTemporary } from '#core/lisp/start/temporary-folders.ts';
import { watch } from '#core/lisp/watchdog.ts';
import { isPassedOnInRedo, redo } from '../checkpoints/redo.ts';
import { sendRules, type ImageStartOptions } from './image-start.ts';
import {
  serving,
  supervise,
  type ResumePoint,
  type Supervision,
  type SupervisionEffect,
  type SupervisionEvent,
} from './supervision.ts';
import type { SupervisorEvents } from './supervisor-events.ts';

/** The part of the supervisor that its images use. */
export interface ImageOwner {
  readonly options: ImageStartOptions;
  readonly events: Emitter<SupervisorEvents>;
  /** Returns the point at which the image continues; null if a fresh image must replace it. */
  resumePoint(image: LispImage, made: number | null): ResumePoint | null;
  /** Returns true if the image is being ended on purpose: `for good`, or `at all`, which includes a return to a checkpoint. */
  isEndedOnPurpose(why: 'for good' | 'at all'): boolean;
  /** True if no other image is wanted, because the supervisor is closing. */
  readonly closing: boolean;
  /** Resolves with the image; starts a fresh one if there is none. */
  image(): Promise<LispImage>;
  /** Sets the image that callers get from now on; null if one has to be started. */
  setCurrent(image: Promise<LispImage> | null): void;
  startAgain(): void;
  giveUp(): void;
}

export class SupervisedImage {
  readonly #image: LispImage;
  readonly #owner: ImageOwner;
  readonly #pids = new Set<number>();
  #state: Supervision;
  #stopWatching: () => void = () => {};

  /** Supervises an image that is ready; `shortLives` is the count from the previous image. */
  constructor(image: LispImage, shortLives: number, owner: ImageOwner) {
    this.#image = image;
    this.#owner = owner;
    this.#state = serving(performance.now(), shortLives);
    this.#watch();
    image.events.on('life-over', (end) => this.#take({ on: 'life-over', ...this.#endNow(end, 'at all') }));
    image.events.on('end', (end) => this.#take({ on: 'over', ...this.#endNow(end, 'for good') }));
  }

  /** The image while its process is serving; otherwise null. */
  get living(): LispImage | null {
    return this.#state.at === 'serving' || this.#state.at === 'redoing' ? this.#image : null;
  }

  /** The number of processes in a row that ended soon after they were ready. */
  get shortLives(): number {
    return this.#state.shortLives;
  }

  /** The number of evaluations that are repeated in the checkpoint chosen last; null if a fresh image replaces this one. */
  get redone(): number | null {
    return this.#state.redone;
  }

  /** Returns false for events of evaluations that this image repeats: they were reported the first time. */
  passes(event: ImageEvent, image: LispImage): boolean {
    const isRedoing = this.#state.at === 'redoing' && this.#state.made !== null;
    return image !== this.#image || !isRedoing || isPassedOnInRedo(event);
  }

  #endNow(end: ImageEnd, why: 'for good' | 'at all') {
    const planned = this.#owner.isEndedOnPurpose(why);
    return { end, now: performance.now(), planned, closing: this.#owner.closing };
  }

  #take(event: SupervisionEvent): void {
    const { state, effects } = supervise(this.#state, event);
    this.#state = state;
    for (const effect of effects) this.#carryOut(effect);
  }

  #carryOut(effect: SupervisionEffect): void {
    switch (effect.do) {
      case 'watch':
        this.#watch();
        break;
      case 'stop-watching':
        this.#stopWatching();
        break;
      case 'find-checkpoint': {
        const point = this.#owner.resumePoint(this.#image, effect.made);
        this.#take(point === null ? { on: 'no-checkpoint' } : { on: 'checkpoint-found', point });
        break;
      }
      case 'wake':
        this.#owner.events.emit('starting', undefined);
        this.#owner.setCurrent(this.#goBack(effect.point));
        break;
      case 'abandon':
        // Callers that request an image now must not get the ended one.
        this.#owner.setCurrent(this.#image.ended.then(() => this.#owner.image()));
        this.#image.kill(effect.reason);
        break;
      case 'report-rewound': {
        const { checkpoint, woken, end, unmade } = effect;
        const missing = [...woken.missing, ...notMadeAgain(unmade)];
        const planned = this.#owner.isEndedOnPurpose('at all');
        this.#owner.events.emit('rewound', { checkpoint, woken, missing, end, planned });
        break;
      }
      case 'report-ended':
        void removeTemporary(this.#pids, this.#owner.options.environment);
        this.#owner.setCurrent(null);
        this.#owner.events.emit('ended', { end: effect.end, planned: effect.planned });
        break;
      case 'start-again':
        this.#owner.startAgain();
        break;
      case 'give-up':
        this.#owner.giveUp();
        break;
    }
  }

  #watch(): void {
    if (this.#image.pid !== null) this.#pids.add(this.#image.pid);
    this.#stopWatching();
    this.#stopWatching = watch(this.#image, {
      beat: (beat) => this.#owner.events.emit('beat', beat),
      silent: (since, stopped) => this.#owner.events.emit('silent', { since, stopped }),
    });
  }

  async #goBack({ checkpoint, copy, redo: entries }: ResumePoint): Promise<LispImage> {
    const image = this.#image;
    const { options, events } = this.#owner;
    const woken = await image.wake(copy);
    this.#take({ on: 'woken', now: performance.now() });
    const { life } = this.#state;
    const target = image.target === null ? null : (options.target?.() ?? null);
    await sendRules(image, options, target).catch(() => {}); // the checkpoint's own rules are outdated
    events.emit('woken', { checkpoint, copy: woken.copy });
    if (entries.length > 0) {
      const made = (count: number): void => this.#take({ on: 'made-again', count });
      made(0);
      await redo(image, entries, made);
    }
    this.#take({ on: 'redone', life, checkpoint, woken });
    // If the woken checkpoint has ended in the meantime, the image continues at another one, or a fresh image takes its place.
    return this.#state.at === 'serving' && this.#state.life === life ? image : this.#owner.image();
  }
}

function notMadeAgain(count: number): string[] {
  if (count === 0) return [];
  return [
    `${count} evaluation${count === 1 ? '' : 's'} after it could not be repeated, so ${count === 1 ? 'its' : 'their'} changes are undone too.`,
  ];
}
