import { describe, expect, it } from 'vitest';
import type { Exit } from './image-end.ts';
import { started, transition, type Effect, type Lifecycle, type Life, type StateEvent } from './lifecycle.ts';

const UNKNOWN = { code: null, signal: null };
const SEVEN = { code: 7, signal: null };
const KILLED = { code: null, signal: 'SIGKILL' } as const;
const REASON = { words: 'Back.', withoutCopies: 'Gone.' };

const FIRST: Life = { pid: 1, named: true, first: true, exiting: false, exit: null, said: null, reason: null };
const LATER: Life = { ...FIRST, pid: 2, first: false };
const END = { ...SEVEN, lastWords: '', reason: null };
const LAST = {
  end: END,
  withoutCopies:
    'The image ended with exit code 7. The checkpoint’s process, which should have continued, was ended too.',
};

const STATES = {
  unnamed: started(0, false),
  first: { at: 'living', life: FIRST },
  'first, exited': { at: 'living', life: { ...FIRST, exit: SEVEN } },
  later: { at: 'living', life: LATER },
  'awaiting-exit': { at: 'awaiting-exit', life: FIRST },
  between: { at: 'between', last: LAST },
  waking: { at: 'waking', copy: 2, last: LAST },
  ending: { at: 'ending', life: FIRST, exit: UNKNOWN, reason: 'Closing.' },
  over: { at: 'over', end: END },
} as const satisfies Record<string, Lifecycle>;
type Name = keyof typeof STATES;

const EVENTS = {
  named: { on: 'named', pid: 1 },
  exiting: { on: 'exiting', exit: SEVEN },
  signalled: { on: 'signalled', exit: KILLED },
  'end reported by a copy': { on: 'end-reported', pid: 3, known: true },
  'end reported by a process that is not a known copy': { on: 'end-reported', pid: 3, known: false },
  vanished: { on: 'vanished' },
  exited: { on: 'exited', exit: SEVEN },
  closed: { on: 'closed', exit: UNKNOWN, lost: null },
  'connection lost': { on: 'closed', exit: { code: 255, signal: null }, lost: 'Lost.' },
  'start failed': { on: 'start-failed', reason: 'No SBCL.' },
  'end of the life wanted': { on: 'end-life', reason: REASON.words, withoutCopies: REASON.withoutCopies },
  kill: { on: 'kill', reason: 'Closing.' },
  wake: { on: 'wake', copy: 2, runs: true },
  'wake of a copy that has ended': { on: 'wake', copy: 2, runs: false },
  'woken too late': { on: 'wake-late', copy: 2, runs: true },
  'ended while it was woken': { on: 'wake-late', copy: 2, runs: false },
  'signal failed': { on: 'signal-failed', pid: 2 },
  live: { on: 'live', pid: 2 },
  'live, from another process': { on: 'live', pid: 9 },
} as const satisfies Record<string, StateEvent>;
type EventName = keyof typeof EVENTS;

type Next = readonly [state: Lifecycle, ...effects: Effect[]];

const endProcess = (pid: number): Effect => ({ do: 'end-process', pid });
const endAll = (live: number | null): Effect => ({ do: 'end-all', live });

/** Returns the transition for the end of the image's process while checkpoint processes remain. */
function lifeOver(exit: Exit, words: string): Next {
  const end = { ...exit, lastWords: '', reason: null };
  const withoutCopies = `${words} The checkpoint’s process, which should have continued, was ended too.`;
  return [
    { at: 'between', last: { end, withoutCopies } },
    { do: 'report-life-over', end },
  ];
}

function over(exit: Exit, reason: string | null, live: number | null): Next {
  const end = { ...exit, lastWords: '', reason };
  return [
    { at: 'over', end },
    { do: 'report-over', end, live },
  ];
}

function ending(life: Life | null, reason: string, exit: Exit = UNKNOWN, live = life?.pid ?? null): Next {
  const soon: Effect[] = life?.first && life.exit === null ? [] : [{ do: 'close-soon' }];
  return [{ at: 'ending', life, exit, reason }, endAll(live), ...soon];
}

const SAID_NOTHING = 'The image ended without a message, possibly by SIGKILL.';
const CODE_SEVEN = 'The image ended with exit code 7.';
const UNNAMED = { ...FIRST, pid: 0, named: false };
const TOLD = { ...FIRST, exit: SEVEN };
const living = (life: Life, ...effects: Effect[]): Next => [{ at: 'living', life }, ...effects];

/** Transitions while checkpoint processes remain. An event that is missing from a state's row changes nothing. */
const TABLE: Record<Name, Partial<Record<EventName, Next>>> = {
  unnamed: {
    named: living(FIRST),
    exiting: living({ ...UNNAMED, exiting: true, said: SEVEN }),
    signalled: living({ ...UNNAMED, said: KILLED }),
    'end reported by a copy': [{ at: 'awaiting-exit', life: UNNAMED }, endProcess(0)],
    'end reported by a process that is not a known copy': [
      { at: 'awaiting-exit', life: UNNAMED },
      { do: 'adopt-copy', pid: 3 },
      endProcess(0),
    ],
    vanished: lifeOver(UNKNOWN, SAID_NOTHING),
    exited: living({ ...UNNAMED, exit: SEVEN }),
    closed: over(UNKNOWN, null, 0),
    'connection lost': over({ code: 255, signal: null }, 'Lost.', 0),
    'start failed': over(UNKNOWN, 'No SBCL.', 0),
    'end of the life wanted': living({ ...UNNAMED, reason: REASON }, endProcess(0)),
    kill: ending(UNNAMED, 'Closing.'),
  },
  first: {
    exiting: living({ ...FIRST, exiting: true, said: SEVEN }),
    signalled: living({ ...FIRST, said: KILLED }),
    'end reported by a copy': [{ at: 'awaiting-exit', life: FIRST }, endProcess(1)],
    'end reported by a process that is not a known copy': [
      { at: 'awaiting-exit', life: FIRST },
      { do: 'adopt-copy', pid: 3 },
      endProcess(1),
    ],
    vanished: lifeOver(UNKNOWN, SAID_NOTHING),
    exited: living(TOLD),
    closed: over(UNKNOWN, null, 1),
    'connection lost': over({ code: 255, signal: null }, 'Lost.', 1),
    'start failed': over(UNKNOWN, 'No SBCL.', 1),
    'end of the life wanted': living({ ...FIRST, reason: REASON }, endProcess(1)),
    kill: ending(FIRST, 'Closing.'),
  },
  'first, exited': {
    exiting: living({ ...TOLD, exiting: true, said: SEVEN }),
    signalled: living({ ...TOLD, said: KILLED }),
    'end reported by a copy': [lifeOver(SEVEN, CODE_SEVEN)[0], endProcess(1), { do: 'report-life-over', end: END }],
    'end reported by a process that is not a known copy': [
      lifeOver(SEVEN, CODE_SEVEN)[0],
      { do: 'adopt-copy', pid: 3 },
      endProcess(1),
      { do: 'report-life-over', end: END },
    ],
    vanished: lifeOver(SEVEN, CODE_SEVEN),
    exited: living(TOLD),
    closed: over(SEVEN, null, 1),
    'connection lost': over(SEVEN, 'Lost.', 1),
    'start failed': over(SEVEN, 'No SBCL.', 1),
    'end of the life wanted': living({ ...TOLD, reason: REASON }, endProcess(1)),
    kill: ending(TOLD, 'Closing.'),
  },
  later: {
    exiting: living({ ...LATER, exiting: true, said: SEVEN }),
    signalled: living({ ...LATER, said: KILLED }),
    'end reported by a copy': [
      lifeOver(UNKNOWN, SAID_NOTHING)[0],
      endProcess(2),
      { do: 'report-life-over', end: { ...UNKNOWN, lastWords: '', reason: null } },
    ],
    'end reported by a process that is not a known copy': [
      lifeOver(UNKNOWN, SAID_NOTHING)[0],
      { do: 'adopt-copy', pid: 3 },
      endProcess(2),
      { do: 'report-life-over', end: { ...UNKNOWN, lastWords: '', reason: null } },
    ],
    vanished: lifeOver(UNKNOWN, SAID_NOTHING),
    closed: over(UNKNOWN, null, 2),
    'connection lost': over({ code: 255, signal: null }, 'Lost.', 2),
    'start failed': over(UNKNOWN, 'No SBCL.', 2),
    'end of the life wanted': living({ ...LATER, reason: REASON }, endProcess(2)),
    kill: ending(LATER, 'Closing.'),
    'woken too late': ending(LATER, 'The checkpoint’s process did not continue.'),
    'ended while it was woken': ending(LATER, 'The checkpoint’s process did not continue.'),
  },
  'awaiting-exit': {
    exited: lifeOver(SEVEN, CODE_SEVEN),
    closed: over(UNKNOWN, null, null),
    'connection lost': over({ code: 255, signal: null }, 'Lost.', null),
    'start failed': over(UNKNOWN, 'No SBCL.', null),
    'end of the life wanted': ending(FIRST, 'Gone.', UNKNOWN, null),
    kill: ending(FIRST, 'Closing.', UNKNOWN, null),
  },
  between: {
    closed: over(SEVEN, LAST.withoutCopies, null),
    'connection lost': over(SEVEN, LAST.withoutCopies, null),
    'start failed': over(SEVEN, LAST.withoutCopies, null),
    'end of the life wanted': ending(null, 'Gone.', SEVEN),
    kill: ending(null, 'Closing.', SEVEN),
    wake: [STATES.waking, { do: 'wake', copy: 2 }],
    'wake of a copy that has ended': ending(null, LAST.withoutCopies, SEVEN),
  },
  waking: {
    closed: over(SEVEN, LAST.withoutCopies, null),
    'connection lost': over(SEVEN, LAST.withoutCopies, null),
    'start failed': over(SEVEN, LAST.withoutCopies, null),
    'end of the life wanted': ending(null, 'Gone.', SEVEN),
    kill: ending(null, 'Closing.', SEVEN),
    'woken too late': ending(null, 'The checkpoint’s process did not continue.', SEVEN),
    'ended while it was woken': ending(null, LAST.withoutCopies, SEVEN),
    'signal failed': ending(null, LAST.withoutCopies, SEVEN),
    live: living(LATER, { do: 'begin-life' }),
  },
  ending: {
    exited: [{ ...STATES.ending, life: TOLD }],
    closed: over(UNKNOWN, 'Closing.', 1),
    'connection lost': over({ code: 255, signal: null }, 'Closing.', 1),
    'start failed': over(UNKNOWN, 'Closing.', 1),
  },
  over: {},
};

const ROWS = (Object.keys(STATES) as Name[]).flatMap((state) =>
  (Object.keys(EVENTS) as EventName[]).map((event) => ({ state, event, next: TABLE[state][event] })),
);

describe('states of an image', () => {
  it.each(ROWS)(
    'In the state "$state" the event "$event" has its one outcome [issue 36.3]',
    ({ state, event, next }) => {
      const [after, ...effects] = next ?? [STATES[state]];
      expect(transition(STATES[state], EVENTS[event], { copies: 1, lastWords: '' })).toEqual({ state: after, effects });
    },
  );

  const without = { copies: 0, lastWords: '' };

  it('Without a copy, a wish to end the life ends the image, with the words for that [issue 36.3]', () => {
    expect(transition(STATES.first, EVENTS['end of the life wanted'], without)).toEqual({
      state: { at: 'ending', life: FIRST, exit: UNKNOWN, reason: 'Gone.' },
      effects: [endAll(1)],
    });
  });

  it('Without a copy, the exit of the first process bounds the wait for its pipes [issue 36.3]', () => {
    for (const state of ['first', 'ending'] as const)
      expect(transition(STATES[state], EVENTS.exited, without).effects).toEqual([{ do: 'close-soon' }]);
    for (const state of ['later', 'between', 'waking'] as const)
      expect(transition(STATES[state], EVENTS.exited, without).effects).toEqual([]);
  });

  it('Without a copy, a process that reports the end of the live one is ended itself [issue 36.3]', () => {
    const forged = EVENTS['end reported by a process that is not a known copy'];
    expect(transition(STATES.later, forged, without)).toEqual({ state: STATES.later, effects: [endProcess(3)] });
  });

  it('A process cannot report its own end [issue 36.3]', () => {
    expect(transition(STATES.first, { on: 'end-reported', pid: 1, known: false }, without)).toEqual({
      state: STATES.first,
      effects: [],
    });
  });

  it('The reason for ending a life is used for it, and the other one if no copy continues [issue 36.3]', () => {
    const around = { copies: 1, lastWords: 'words' };
    const wanted = transition(STATES.later, EVENTS['end of the life wanted'], around).state;
    const again = transition(wanted, { on: 'end-life', reason: 'Later.', withoutCopies: 'Later.' }, around).state;
    expect(transition(again, EVENTS['end reported by a copy'], around).state).toEqual({
      at: 'between',
      last: { end: { ...UNKNOWN, lastWords: 'words', reason: 'Back.' }, withoutCopies: 'Gone.' },
    });
    expect(transition(again, EVENTS.closed, around).state).toMatchObject({ at: 'over', end: { reason: 'Gone.' } });
    expect(transition(again, EVENTS.kill, around).state).toMatchObject({ at: 'ending', reason: 'Gone.' });
  });

  it('What a later process says of its end is used, since the system reports the end of the first one alone [issue 36.3]', () => {
    const said = transition(STATES.later, EVENTS.exiting, without).state;
    expect(transition(said, { on: 'closed', exit: UNKNOWN, lost: null }, without).state).toEqual({
      at: 'over',
      end: { ...SEVEN, lastWords: '', reason: null },
    });
  });
});
