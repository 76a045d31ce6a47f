/**
 * States of an image, from the start of its first process until none is left, and what each event does in each state. Pure: the effects
 * are lists of data that `LispImage` carries out.
 *
 * An image can have several lives, one process after another: when the live process ends, a copy of it (a checkpoint) can continue as the
 * image. Only the exit of the first process is reported by the system; later processes are not children of this program, and report
 * how they end themselves.
 */
import { describeEnd, endReasons, type Exit, type ImageEnd } from './image-end.ts';

/** The process that is the image now. */
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

export type ImageState =
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
  /** Ends all processes. */
  | { readonly do: 'end-all' }
  /** Bounds the wait for the end of the wire: a program that the image started may hold it open. */
  | { readonly do: 'close-soon' }
  /** Another process is the image. */
  | { readonly do: 'begin-life' }
  /** The live process has ended and copies are left. */
  | { readonly do: 'report-life-over'; readonly end: ImageEnd }
  /** The image is over. */
  | { readonly do: 'report-over'; readonly end: ImageEnd };

/** What else a transition depends on. */
export interface Surroundings {
  /** Number of copies in the table. */
  readonly copies: number;
  /** What the processes wrote last to their standard output and error. */
  readonly lastWords: string;
}

export interface Transition {
  readonly state: ImageState;
  readonly effects: readonly Effect[];
}

const UNKNOWN: Exit = { code: null, signal: null };

/** The state of an image whose first process has just been started; `named` is false if `pid` is not yet that of the image itself. */
export function started(pid: number, named: boolean): ImageState {
  return { at: 'living', life: { ...newLife(pid), named, first: true } };
}

/** Returns what `event` makes of `state`. An event that has no meaning in a state changes nothing. */
export function transition(state: ImageState, event: StateEvent, around: Surroundings): Transition {
  if (state.at === 'over') return unchanged(state);
  switch (event.on) {
    case 'closed':
      return over(state, event.exit, event.lost, around);
    case 'start-failed':
      return over(state, UNKNOWN, event.reason, around);
    case 'kill':
      return kill(state, event.reason);
    case 'end-life':
      return state.at === 'living' && around.copies > 0
        ? endProcess(state.life, event)
        : kill(state, event.withoutCopies);
    case 'exited':
      return exited(state, event.exit, around);
    default:
  }
  switch (state.at) {
    case 'living':
      return whileLiving(state, event, around);
    case 'between':
      if (event.on !== 'wake') return unchanged(state);
      if (!event.runs) return kill(state, state.last.withoutCopies);
      return { state: { at: 'waking', copy: event.copy, last: state.last }, effects: [{ do: 'wake', copy: event.copy }] };
    case 'waking':
      return whileWaking(state, event);
    default:
      return unchanged(state);
  }
}

function whileLiving(state: ImageState & { at: 'living' }, event: StateEvent, around: Surroundings): Transition {
  const { life } = state;
  switch (event.on) {
    case 'named':
      return life.named ? unchanged(state) : living({ ...life, pid: event.pid, named: true });
    case 'exiting':
      return living({ ...life, exiting: true, said: event.exit });
    case 'signalled':
      return living({ ...life, said: event.exit });
    case 'vanished':
      return endLife(life, around);
    case 'wake-late':
      // It has reported that it is the image, and nothing after that.
      return event.copy === life.pid ? kill(state, endReasons.wokeTooLate) : unchanged(state);
    case 'end-reported':
      return endReported(state, event, around);
    default:
      return unchanged(state);
  }
}

function endReported(
  state: ImageState & { at: 'living' },
  { pid, known }: StateEvent & { on: 'end-reported' },
  around: Surroundings,
): Transition {
  const { life } = state;
  if (pid === life.pid) return unchanged(state);
  if (!known && around.copies === 0) return { state, effects: [{ do: 'end-process', pid }] };
  const adopted: readonly Effect[] = known ? [] : [{ do: 'adopt-copy', pid }];
  // The live process is ended before a copy continues: two that live would both read the wire.
  const effects: readonly Effect[] = [...adopted, { do: 'end-process', pid: life.pid }];
  if (life.first && life.exit === null) return { state: { at: 'awaiting-exit', life }, effects };
  const ended = endLife(life, around);
  return { ...ended, effects: [...effects, ...ended.effects] };
}

function whileWaking(state: ImageState & { at: 'waking' }, event: StateEvent): Transition {
  const { copy, last } = state;
  switch (event.on) {
    case 'live':
      return event.pid === copy
        ? { state: { at: 'living', life: newLife(copy) }, effects: [{ do: 'begin-life' }] }
        : unchanged(state);
    case 'signal-failed':
      return event.pid === copy ? kill(state, last.withoutCopies) : unchanged(state);
    case 'wake-late':
      return event.copy === copy
        ? kill(state, event.runs ? endReasons.wokeTooLate : last.withoutCopies)
        : unchanged(state);
    default:
      return unchanged(state);
  }
}

function exited(state: ImageState, exit: Exit, around: Surroundings): Transition {
  if (!('life' in state) || !state.life?.first) return unchanged(state);
  const life = { ...state.life, exit };
  if (state.at === 'awaiting-exit') return endLife(life, around);
  return { state: { ...state, life } as ImageState, effects: around.copies === 0 ? [{ do: 'close-soon' }] : [] };
}

function endProcess(life: Life, { reason, withoutCopies }: StateEvent & { on: 'end-life' }): Transition {
  const why = life.reason ?? { words: reason, withoutCopies };
  return { state: { at: 'living', life: { ...life, reason: why } }, effects: [{ do: 'end-process', pid: life.pid }] };
}

/** Ends a life after which a copy can continue. */
function endLife(life: Life, { lastWords }: Surroundings): Transition {
  const end: ImageEnd = { ...exitOf(life), lastWords, reason: life.reason?.words ?? null };
  const withoutCopies = life.reason?.withoutCopies ?? endReasons.copyEndedToo(describeEnd(end));
  return { state: { at: 'between', last: { end, withoutCopies } }, effects: [{ do: 'report-life-over', end }] };
}

function kill(state: ImageState, reason: string): Transition {
  if (state.at === 'over' || state.at === 'ending') return unchanged(state);
  const effects: readonly Effect[] = [{ do: 'end-all' }];
  if ('life' in state) {
    const { life } = state;
    const why = life.reason?.withoutCopies ?? reason;
    return { state: { at: 'ending', life, exit: UNKNOWN, reason: why }, effects };
  }
  const { code, signal } = state.last.end;
  return { state: { at: 'ending', life: null, exit: { code, signal }, reason }, effects };
}

function over(state: ImageState, fallback: Exit, lost: string | null, { lastWords }: Surroundings): Transition {
  if (state.at === 'over') return unchanged(state);
  const end: ImageEnd = { ...finalExit(state, fallback), lastWords, reason: finalReason(state) ?? lost };
  return { state: { at: 'over', end }, effects: [{ do: 'report-over', end }] };
}

function finalExit(state: Exclude<ImageState, { at: 'over' }>, fallback: Exit): Exit {
  if (state.at === 'between' || state.at === 'waking') return { code: state.last.end.code, signal: state.last.end.signal };
  if (state.life === null) return (state as ImageState & { at: 'ending' }).exit;
  return state.life.exit ?? state.life.said ?? fallback;
}

function finalReason(state: Exclude<ImageState, { at: 'over' }>): string | null {
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

function unchanged(state: ImageState): Transition {
  return { state, effects: [] };
}
