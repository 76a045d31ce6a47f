/**
 * States of an image, from the start of its first process until none is left, and what each event does in each state. Pure: the effects
 * are lists of data that `LispImage` carries out.
 *
 * An image can have several lives, one process after another: when the live process ends, a copy of it (a checkpoint) can continue as the
 * image. Only the exit of the first process is reported by the system; later processes are not children of this program, and report
 * how they end themselves.
 */
import { describeEnd, endReasons, type Exit, type ImageEnd } from './image-end.ts';

/** The process that is the image now. @internal */
export interface Life {
  /** Process id; that of the program which started the image until the image has reported its own. */
  readonly pid: number;
  /** False until the image has reported the id of its first process, where the program that was started is another one. */
  readonly named: boolean;
  /** True for the first process, whose exit the system reports. */
  readonly first: boolean;
  /** The process said that it is about to exit. */
  readonly exiting: boolean;
  /** How the process ended, by the system. */
  readonly exit: Exit | null;
  /** How the process ends, by its own account. */
  readonly said: Exit | null;
  /** Why this program ends it; `withoutCopies` is used if no copy can continue. */
  readonly reason: { readonly words: string; readonly withoutCopies: string } | null;
}

/** An end after which a copy may continue. */
interface EndedLife {
  readonly end: ImageEnd;
  /** How the image ended if no copy continues. */
  readonly withoutCopies: string;
}

export type Lifecycle =
  /** A process is the image. */
  | { readonly at: 'living'; readonly life: Life }
  /** A copy reported that the first process has ended; the system has not reported its exit code yet. */
  | { readonly at: 'awaiting-exit'; readonly life: Life }
  /** The live process ended and copies are left: one has to be woken, or the image killed. */
  | { readonly at: 'between'; readonly last: EndedLife }
  /** A copy was asked to continue and has not answered yet. */
  | { readonly at: 'waking'; readonly copy: number; readonly last: EndedLife }
  /** All processes were told to end. `life` is the process that was the image then; null between two lives. */
  | { readonly at: 'ending'; readonly life: Life | null; readonly exit: Exit; readonly reason: string }
  /** No process is left. */
  | { readonly at: 'over'; readonly end: ImageEnd };

export type StateEvent =
  /** The first process reported its id. */
  | { readonly on: 'named'; readonly pid: number }
  /** The live process said how it is about to exit. */
  | { readonly on: 'exiting'; readonly exit: Exit }
  /** The live process said which signal ends it. */
  | { readonly on: 'signalled'; readonly exit: Exit }
  /** The process `pid` reported that the live one has ended; `known` if it is in the table of copies. */
  | { readonly on: 'end-reported'; readonly pid: number; readonly known: boolean }
  /** The live process does not exist any more, and no copy reported it. */
  | { readonly on: 'vanished' }
  /** The system, or the shell on a target, reported how the first process ended. */
  | { readonly on: 'exited'; readonly exit: Exit }
  /** No process holds the wire any more. `exit` is used if nothing else is known, `lost` says that a connection was lost. */
  | { readonly on: 'closed'; readonly exit: Exit; readonly lost: string | null }
  /** The first process could not be started. */
  | { readonly on: 'start-failed'; readonly reason: string }
  /** This program ends the live process, so that a copy continues. */
  | { readonly on: 'end-life'; readonly reason: string; readonly withoutCopies: string }
  /** This program ends all processes. */
  | { readonly on: 'kill'; readonly reason: string }
  /** This program has chosen the copy that continues; `runs` is false if its process has ended. */
  | { readonly on: 'wake'; readonly copy: number; readonly runs: boolean }
  /** The woken copy did not report in time. */
  | { readonly on: 'wake-late'; readonly copy: number; readonly runs: boolean }
  /** A signal to this process found that it has ended. */
  | { readonly on: 'signal-failed'; readonly pid: number }
  /** The process `pid` reported that it is the image from now on. */
  | { readonly on: 'live'; readonly pid: number };

export type Effect =
  /** Ends one process. */
  | { readonly do: 'end-process'; readonly pid: number }
  /** Adds a copy whose reply never arrived to the table, to be ended as soon as there is a later one. */
  | { readonly do: 'adopt-copy'; readonly pid: number }
  /** Asks a copy to continue as the image. */
  | { readonly do: 'wake'; readonly copy: number }
  /** Ends all processes; `live` is the one that is the image, null between two lives. */
  | { readonly do: 'end-all'; readonly live: number | null }
  /** Bounds the wait for the end of the wire: a program that the image started may hold it open. */
  | { readonly do: 'close-soon' }
  /** Another process is the image. */
  | { readonly do: 'begin-life' }
  /** The live process has ended and copies are left. */
  | { readonly do: 'report-life-over'; readonly end: ImageEnd }
  /** The image is over; `live` is the process that was it last. */
  | { readonly do: 'report-over'; readonly end: ImageEnd; readonly live: number | null };

/** Facts beside the state that a transition depends on. */
export interface Surroundings {
  /** Number of copies in the table. */
  readonly copies: number;
  /** Tail of what the processes wrote to their standard output and error. */
  readonly lastWords: string;
}

export interface Transition {
  readonly state: Lifecycle;
  readonly effects: readonly Effect[];
}

const UNKNOWN: Exit = { code: null, signal: null };

/** The state of an image whose first process has just been started; `named` is false if `pid` is not yet that of the image itself. */
export function started(pid: number, named: boolean): Lifecycle {
  return { at: 'living', life: { ...newLife(pid), named, first: true } };
}

/** Returns what `event` makes of `state`. An event that has no meaning in a state changes nothing. */
export function transition(state: Lifecycle, event: StateEvent, around: Surroundings): Transition {
  if (state.at === 'over') return unchanged(state);
  return (RULES[event.on] as Rule<StateEvent>)(state, event, around);
}

type NotOver = Exclude<Lifecycle, { at: 'over' }>;
type Rule<Event extends StateEvent> = (state: NotOver, event: Event, around: Surroundings) => Transition;

/** Rules for each event, by the states in which it means something. */
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
    // The live process is ended before a copy continues: two that live would both read the wire.
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
    // The copy has reported that it is the image, and nothing after that.
    return state.at === 'living' && state.life.pid === copy ? kill(state, endReasons.wokeTooLate) : unchanged(state);
  },

  'signal-failed': (state, { pid }) =>
    state.at === 'waking' && state.copy === pid ? kill(state, state.last.withoutCopies) : unchanged(state),

  live: (state, { pid }) =>
    state.at === 'waking' && state.copy === pid
      ? { state: { at: 'living', life: newLife(pid) }, effects: [{ do: 'begin-life' }] }
      : unchanged(state),
};

/** Ends a life after which a copy can continue. */
function endLife(life: Life, { lastWords }: Surroundings): Transition {
  const end: ImageEnd = { ...exitOf(life), lastWords, reason: life.reason?.words ?? null };
  const withoutCopies = life.reason?.withoutCopies ?? endReasons.copyEndedToo(describeEnd(end));
  return { state: { at: 'between', last: { end, withoutCopies } }, effects: [{ do: 'report-life-over', end }] };
}

function kill(state: NotOver, reason: string): Transition {
  if (state.at === 'ending') return unchanged(state);
  const endAll: Effect = { do: 'end-all', live: livePid(state) };
  // The exit of the first process bounds the wait for the wire; after that nothing else would.
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

/** Returns the process that is the image, or was it when all were told to end; null between two lives. */
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
