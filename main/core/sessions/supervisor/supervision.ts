/**
 * The states of an image under supervision: from the end of its process to the checkpoint at which it continues, or to the fresh image that
 * replaces it. Pure: the effects are data that `SupervisedImage` carries out.
 */
import { describeEnd, type ImageEnd } from '#core/lisp/image-end.ts';
import type { Woken } from '#core/lisp/image.ts';
import type { RedoEntry } from '../checkpoints/redo-log.ts';

/** The point at which an image continues after its process has ended. */
export interface ResumePoint {
  /** The id of the checkpoint. */
  readonly checkpoint: number;
  /** The id of that checkpoint's process. */
  readonly copy: number;
  /** The evaluations that are repeated in the woken checkpoint. */
  readonly redo: readonly RedoEntry[];
}

/** Facts to report when the image has returned to a checkpoint. They are still valid if a checkpoint ends during the return. */
interface GoingBack {
  /** The end of the process that last served as the image. */
  readonly cause: ImageEnd;
  /** Number of evaluations that could not be repeated. */
  readonly unmade: number;
}

interface Common {
  /** Number of processes in a row that ended soon after they were ready. */
  readonly shortLives: number;
  /** Number of processes that have served as the image so far. */
  readonly life: number;
  /** Number of evaluations to repeat in the checkpoint chosen last; null if a fresh image replaces this one. */
  readonly redone: number | null;
}

export type Supervision = Common &
  (
    | /** The process has been serving as the image since a monotonic time in milliseconds. */ {
        readonly at: 'serving';
        readonly since: number;
      }
    | /** The process has ended; a checkpoint is being looked for. */ {
        readonly at: 'choosing';
        readonly end: ImageEnd;
        readonly back: GoingBack;
      }
    | /** The checkpoint's process is being woken. */ { readonly at: 'waking'; readonly back: GoingBack }
    | /** The checkpoint's process is now the image; evaluations are being repeated. `made` is the number that succeeded; null before the first request. */ {
        readonly at: 'redoing';
        readonly since: number;
        readonly made: number | null;
        readonly back: GoingBack;
      }
    | /** There is no checkpoint: the remaining processes of the image are being ended. */ { readonly at: 'abandoned' }
    | { readonly at: 'over' }
  );

export type SupervisionEvent =
  /**
   * The running process ended and checkpoints are left. `planned` is true if the process was ended on purpose, `closing` is true if no
   * other image is wanted.
   */
  | {
      readonly on: 'life-over';
      readonly end: ImageEnd;
      readonly now: number;
      readonly planned: boolean;
      readonly closing: boolean;
    }
  /** The answer to `find-checkpoint`. */
  | { readonly on: 'checkpoint-found'; readonly point: ResumePoint }
  | { readonly on: 'no-checkpoint' }
  /** The checkpoint's process has continued as the image. */
  | { readonly on: 'woken'; readonly now: number }
  /** The number of evaluations that have been repeated. */
  | { readonly on: 'made-again'; readonly count: number }
  /** All evaluations have been repeated in the process with the number `life`. */
  | { readonly on: 'redone'; readonly life: number; readonly checkpoint: number; readonly woken: Woken }
  /** No process is left. */
  | {
      readonly on: 'over';
      readonly end: ImageEnd;
      readonly now: number;
      readonly planned: boolean;
      readonly closing: boolean;
    };

export type SupervisionEffect =
  | { readonly do: 'watch' }
  | { readonly do: 'stop-watching' }
  /** Looks for the checkpoint at which the image continues; `made` evaluations were repeated in the previous one. */
  | { readonly do: 'find-checkpoint'; readonly made: number | null }
  | { readonly do: 'wake'; readonly point: ResumePoint }
  /** Ends the remaining processes of the image. */
  | { readonly do: 'abandon'; readonly reason: string }
  | {
      readonly do: 'report-rewound';
      readonly checkpoint: number;
      readonly woken: Woken;
      readonly end: ImageEnd;
      readonly unmade: number;
    }
  | { readonly do: 'report-ended'; readonly end: ImageEnd; readonly planned: boolean }
  | { readonly do: 'start-again' }
  /** Too many images in a row ended soon after their start, so no image is started until one is requested. */
  | { readonly do: 'give-up' };

export interface SupervisionStep {
  readonly state: Supervision;
  readonly effects: readonly SupervisionEffect[];
}

/** A process that ends sooner than this after it was ready is not replaced automatically more than a few times in a row. */
const SHORT_LIFE_MS = 3_000;
export const SHORT_LIVES = 5;

/** Returns the state of an image that has just become ready; `shortLives` is the count from the previous image. */
export function serving(now: number, shortLives: number): Supervision {
  return { at: 'serving', since: now, shortLives, life: 1, redone: null };
}

/** Returns the next state and its effects for an event. An event that does not apply in a state changes nothing. */
export function supervise(state: Supervision, event: SupervisionEvent): SupervisionStep {
  return (RULES[event.on] as Rule<SupervisionEvent>)(state, event);
}

type Rule<Event extends SupervisionEvent> = (state: Supervision, event: Event) => SupervisionStep;

const RULES: { readonly [On in SupervisionEvent['on']]: Rule<SupervisionEvent & { on: On }> } = {
  'life-over'(state, { end, now, planned, closing }) {
    if (state.at !== 'serving' && state.at !== 'redoing') return unchanged(state);
    const shortLives = shortLivesAfter(state, now, planned);
    const common = { ...commonOf(state), shortLives };
    // It is useless to return to a checkpoint whose process ends as soon as it is woken.
    if (closing || shortLives >= SHORT_LIVES) {
      const effects = [{ do: 'stop-watching' }, { do: 'abandon', reason: describeEnd(end) }] as const;
      return { state: { ...common, redone: null, at: 'abandoned' }, effects };
    }
    const made = state.at === 'redoing' ? state.made : null;
    const unmade = made === null ? 0 : (state.redone ?? made) - made;
    const back =
      state.at === 'redoing'
        ? { cause: state.back.cause, unmade: state.back.unmade + unmade }
        : { cause: end, unmade: 0 };
    return {
      state: { ...common, at: 'choosing', end, back },
      effects: [{ do: 'stop-watching' }, { do: 'find-checkpoint', made }],
    };
  },

  'checkpoint-found': (state, { point }) =>
    state.at === 'choosing'
      ? {
          state: { ...commonOf(state), redone: point.redo.length, at: 'waking', back: state.back },
          effects: [{ do: 'wake', point }],
        }
      : unchanged(state),

  'no-checkpoint': (state) =>
    state.at === 'choosing'
      ? {
          state: { ...commonOf(state), redone: null, at: 'abandoned' },
          effects: [{ do: 'abandon', reason: describeEnd(state.end) }],
        }
      : unchanged(state),

  woken: (state, { now }) =>
    state.at === 'waking'
      ? {
          state: { ...commonOf(state), life: state.life + 1, at: 'redoing', since: now, made: null, back: state.back },
          effects: [{ do: 'watch' }],
        }
      : unchanged(state),

  'made-again': (state, { count }) => unchanged(state.at === 'redoing' ? { ...state, made: count } : state),

  redone(state, { life, checkpoint, woken }) {
    if (state.at !== 'redoing' || state.life !== life) return unchanged(state);
    const { cause, unmade } = state.back;
    return {
      state: { ...commonOf(state), at: 'serving', since: state.since },
      effects: [{ do: 'report-rewound', checkpoint, woken, end: cause, unmade }],
    };
  },

  over(state, { end, now, planned, closing }) {
    if (state.at === 'over') return unchanged(state);
    const shortLives = shortLivesAfter(state, now, planned);
    const wanted = !planned && !closing;
    const isTooOften = wanted && shortLives >= SHORT_LIVES;
    const next: readonly SupervisionEffect[] = wanted ? [{ do: isTooOften ? 'give-up' : 'start-again' }] : [];
    return {
      state: { ...commonOf(state), shortLives: isTooOften ? 0 : shortLives, at: 'over' },
      effects: [{ do: 'stop-watching' }, { do: 'report-ended', end, planned }, ...next],
    };
  },
};

/** Returns the number of consecutive short lives after a process has ended. Each process counts once, when it ends. */
function shortLivesAfter(state: Supervision, now: number, planned: boolean): number {
  if (planned) return 0;
  if (!('since' in state)) return state.shortLives;
  return now - state.since < SHORT_LIFE_MS ? state.shortLives + 1 : 0;
}

function commonOf({ shortLives, life, redone }: Supervision): Common {
  return { shortLives, life, redone };
}

function unchanged(state: Supervision): SupervisionStep {
  return { state, effects: [] };
}
