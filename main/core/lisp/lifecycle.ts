/**
 * The states of an image, from the start of its first process until there is no process left, and the transitions between them. Pure:
 * effects are lists of data that `LispImage` executes.
 *
 * An image can have several lives, one process after another: when the live process ends, a checkpoint's process can continue as the image.
 * The system reports only the exit of the first process. Later processes are not children of this program, and report their own end.
 */
import { describeEnd, endReasons, type Exit, type ImageEnd } from './image-end.ts';

/** The process that is currently the image. @internal */
export interface Life {
  /** The process id. Until the image has reported its own id, this is the id of the program that started the image. */
  readonly pid: number;
  /** True if `pid` is the id of the image's own first process. False while `pid` is the id of another program that starts the image. */
  readonly named: boolean;
  /** True for the first process, whose exit the system reports. */
  readonly first: boolean;
  /** True if the process has reported that it is about to exit. */
  readonly exiting: boolean;
  /** The end of the process, as the system reported it. */
  readonly exit: Exit | null;
  /** The end of the process, as the process itself announced it. */
  readonly said: Exit | null;
  /** The reason why this program ends the process; `withoutCopies` is used if no checkpoint can continue. */
  readonly reason: { readonly words: string; readonly withoutCopies: string } | null;
}

/** An end after which a checkpoint may continue. */
interface EndedLife {
  readonly end: ImageEnd;
  /** The reason to give for the end of the image if no checkpoint takes over. */
  readonly withoutCopies: string;
}

export type Lifecycle =
  /** A process is running as the image. */
  | { readonly at: 'living'; readonly life: Life }
  /** A checkpoint's process has reported that the first process ended; the system has not reported the exit code yet. */
  | { readonly at: 'awaiting-exit'; readonly life: Life }
  /** The live process ended and there are checkpoints: one must be woken, or the image killed. */
  | { readonly at: 'between'; readonly last: EndedLife }
  /** A checkpoint was asked to continue and has not answered yet. */
  | { readonly at: 'waking'; readonly copy: number; readonly last: EndedLife }
  /** All processes were asked to end. `life` is the process that was the image at that time; null between two lives. */
  | { readonly at: 'ending'; readonly life: Life | null; readonly exit: Exit; readonly reason: string }
  /** No process is left. */
  | { readonly at: 'over'; readonly end: ImageEnd };

export type StateEvent =
  /** The first process reported its id. */
  | { readonly on: 'named'; readonly pid: number }
  /** The live process reported how it is about to exit. */
  | { readonly on: 'exiting'; readonly exit: Exit }
  /** The live process reported the signal that ends it. */
  | { readonly on: 'signalled'; readonly exit: Exit }
  /** The process `pid` reported that the live process has ended; `known` is true if `pid` is in the table of checkpoints. */
  | { readonly on: 'end-reported'; readonly pid: number; readonly known: boolean }
  /** The live process no longer exists, and no checkpoint's process reported it. */
  | { readonly on: 'vanished' }
  /** The system, or the shell on a target, reported how the first process ended. */
  | { readonly on: 'exited'; readonly exit: Exit }
  /** No process has the wire open any more. `exit` is used if nothing else is known about the end; `lost` describes a lost connection. */
  | { readonly on: 'closed'; readonly exit: Exit; readonly lost: string | null }
  /** The first process could not be started. */
  | { readonly on: 'start-failed'; readonly reason: string }
  /** This program ends the live process so that a checkpoint can continue. */
  | { readonly on: 'end-life'; readonly reason: string; readonly withoutCopies: string }
  /** This program ends all processes. */
  | { readonly on: 'kill'; readonly reason: string }
  /** This program has chosen a checkpoint to continue; `runs` is false if the checkpoint's process has ended. */
  | { readonly on: 'wake'; readonly copy: number; readonly runs: boolean }
  /** The woken checkpoint did not report in time; `runs` is false if its process has ended. */
  | { readonly on: 'wake-late'; readonly copy: number; readonly runs: boolean }
  /** A failed signal has shown that this process has ended. */
  | { readonly on: 'signal-failed'; readonly pid: number }
  /** The process `pid` reported that it is now the image. */
  | { readonly on: 'live'; readonly pid: number };

export type Effect =
  /** Ends one process. */
  | { readonly do: 'end-process'; readonly pid: number }
  /** Adds a checkpoint's process to the table although its reply never arrived. The process ends as soon as there is a later checkpoint. */
  | { readonly do: 'adopt-copy'; readonly pid: number }
  /** Asks a checkpoint's process to continue as the image. */
  | { readonly do: 'wake'; readonly copy: number }
  /** Ends all processes; `live` is the current process of the image, null between two lives. */
  | { readonly do: 'end-all'; readonly live: number | null }
  /** Starts the time limit after which the wire counts as closed, because a program that the image started may keep the wire open. */
  | { readonly do: 'close-soon' }
  /** Another process is now the image. */
  | { readonly do: 'begin-life' }
  /** The live process has ended and there are checkpoints. */
  | { readonly do: 'report-life-over'; readonly end: ImageEnd }
  /** The image is over; `live` is its last process. */
  | { readonly do: 'report-over'; readonly end: ImageEnd; readonly live: number | null };

/** The facts that a transition needs in addition to the state. */
export interface Surroundings {
  /** The number of checkpoints in the table. */
  readonly copies: number;
  /** The last output of the processes on standard output and standard error. */
  readonly lastWords: string;
}

export interface Transition {
  readonly state: Lifecycle;
  readonly effects: readonly Effect[];
}

const UNKNOWN: Exit = { code: null, signal: null };

/** Returns the state of an image whose first process has just been started. `named` is false if `pid` is not yet the image's own id. */
export function started(pid: number, named: boolean): Lifecycle {
  return { at: 'living', life: { ...newLife(pid), named, first: true } };
}

/** Returns the transition from `state` for `event`. An event that does not apply in `state` leaves it unchanged. */
export function transition(state: Lifecycle, event: StateEvent, around: Surroundings): Transition {
  if (state.at === 'over') return unchanged(state);
  return (RULES[event.on] as Rule<StateEvent>)(state, event, around);
}

type NotOver = Exclude<Lifecycle, { at: 'over' }>;
type Rule<Event extends StateEvent> = (state: NotOver, event: Event, around: Surroundings) => Transition;

/** The rule for each event. Each rule checks whether its event applies in the current state. */
const RULES: { readonly [On in StateEvent['on']]: Rule<StateEvent & { on: On }> } = {
  named: (state, { pid }) =>
    state.at === 'living' && !state.life.named ? living({ ...state.life, pid, named: true }) : unchanged(state),

  exiting: (state, { exit }) =>
    state.at === 'living' ? living({ ...state.life, exiting: true, said: exit }) : unchanged(state),

  signalled: (state, { exit }) => (state.at === 'living' ? living({ ...state.life, said: exit }) : unchanged(state)),

  vanished: (state, _, around) => (state.at === 'living' ? endLife(state.life, around) : unchanged(state)),

  'end-reported'(state, { pid, known }, around) {
    if (state.at !== 'living' || pid === state.life.pid) return unchanged(state);
    const { life } = state;
    if (!known && around.copies === 0) return { state, effects: [{ do: 'end-process', pid }] };
    const adopted: readonly Effect[] = known ? [] : [{ do: 'adopt-copy', pid }];
    // The live process is ended before a checkpoint continues, because two live processes would both read the wire.
    const effects: readonly Effect[] = [...adopted, { do: 'end-process', pid: life.pid }];
    if (life.first && life.exit === null) return { state: { at: 'awaiting-exit', life }, effects };
    const ended = endLife(life, around);
    return { ...ended, effects: [...effects, ...ended.effects] };
  },

  exited(state, { exit }, around) {
    if (!('life' in state) || !state.life?.first) return unchanged(state);
    const life = { ...state.life, exit };
    if (state.at === 'awaiting-exit') return endLife(life, around);
    return { state: { ...state, life }, effects: around.copies === 0 ? [{ do: 'close-soon' }] : [] };
  },

  closed: (state, { exit, lost }, around) => over(state, exit, lost, around),

  'start-failed': (state, { reason }, around) => over(state, UNKNOWN, reason, around),

  'end-life'(state, { reason, withoutCopies }, around) {
    if (state.at !== 'living' || around.copies === 0) return kill(state, withoutCopies);
    const life = { ...state.life, reason: state.life.reason ?? { words: reason, withoutCopies } };
    return { state: { at: 'living', life }, effects: [{ do: 'end-process', pid: life.pid }] };
  },

  kill: (state, { reason }) => kill(state, reason),

  wake(state, { copy, runs }) {
    if (state.at !== 'between') return unchanged(state);
    if (!runs) return kill(state, state.last.withoutCopies);
    return { state: { at: 'waking', copy, last: state.last }, effects: [{ do: 'wake', copy }] };
  },

  'wake-late'(state, { copy, runs }) {
    if (state.at === 'waking' && state.copy === copy)
      return kill(state, runs ? endReasons.wokeTooLate : state.last.withoutCopies);
    // The checkpoint's process has reported that it is the image, but has not sent anything afterwards.
    return state.at === 'living' && state.life.pid === copy ? kill(state, endReasons.wokeTooLate) : unchanged(state);
  },

  'signal-failed': (state, { pid }) =>
    state.at === 'waking' && state.copy === pid ? kill(state, state.last.withoutCopies) : unchanged(state),

  live: (state, { pid }) =>
    state.at === 'waking' && state.copy === pid
      ? { state: { at: 'living', life: newLife(pid) }, effects: [{ do: 'begin-life' }] }
      : unchanged(state),
};

/** Ends a life after which a checkpoint can continue. */
function endLife(life: Life, { lastWords }: Surroundings): Transition {
  const end: ImageEnd = { ...exitOf(life), lastWords, reason: life.reason?.words ?? null };
  const withoutCopies = life.reason?.withoutCopies ?? endReasons.copyEndedToo(describeEnd(end));
  return { state: { at: 'between', last: { end, withoutCopies } }, effects: [{ do: 'report-life-over', end }] };
}

function kill(state: NotOver, reason: string): Transition {
  if (state.at === 'ending') return unchanged(state);
  const endAll: Effect = { do: 'end-all', live: livePid(state) };
  // If the first process is still running, its exit starts the time limit for closing the wire. Otherwise `close-soon` starts it.
  const isFirst = 'life' in state && state.life.first && state.life.exit === null;
  const effects: readonly Effect[] = isFirst ? [endAll] : [endAll, { do: 'close-soon' }];
  if ('life' in state) {
    const { life } = state;
    const why = life.reason?.withoutCopies ?? reason;
    return { state: { at: 'ending', life, exit: UNKNOWN, reason: why }, effects };
  }
  const { code, signal } = state.last.end;
  return { state: { at: 'ending', life: null, exit: { code, signal }, reason }, effects };
}

function over(state: NotOver, fallback: Exit, lost: string | null, { lastWords }: Surroundings): Transition {
  const end: ImageEnd = { ...finalExit(state, fallback), lastWords, reason: finalReason(state) ?? lost };
  return { state: { at: 'over', end }, effects: [{ do: 'report-over', end, live: livePid(state) }] };
}

/**
 * Returns the id of the live process; while all processes are being ended, the id of the process that was live before; null between two
 * lives.
 */
export function livePid(state: Lifecycle): number | null {
  return state.at === 'living' || state.at === 'ending' ? (state.life?.pid ?? null) : null;
}

function finalExit(state: NotOver, fallback: Exit): Exit {
  if (state.at === 'between' || state.at === 'waking')
    return { code: state.last.end.code, signal: state.last.end.signal };
  const { life } = state;
  if (life !== null) return life.exit ?? life.said ?? fallback;
  return state.at === 'ending' ? state.exit : fallback;
}

function finalReason(state: NotOver): string | null {
  if (state.at === 'ending') return state.reason;
  if (state.at === 'between' || state.at === 'waking') return state.last.withoutCopies;
  return state.life.reason?.withoutCopies ?? null;
}

function exitOf({ exit, said }: Life): Exit {
  return exit ?? said ?? UNKNOWN;
}

function newLife(pid: number): Life {
  return { pid, named: true, first: false, exiting: false, exit: null, said: null, reason: null };
}

function living(life: Life): Transition {
  return unchanged({ at: 'living', life });
}

function unchanged(state: Lifecycle): Transition {
  return { state, effects: [] };
}
