import { describe, expect, it } from 'vitest';
import type { Woken } from '#core/lisp/image.ts';
import {
  serving,
  supervise,
  type ResumePoint,
  type Supervision,
  type SupervisionEffect,
  type SupervisionEvent,
} from './supervision.ts';

const END = { code: 7, signal: null, lastWords: '', reason: null };
const FIRST_END = { ...END, code: 1 };
const SAID = 'The image ended with exit code 7.';
const POINT: ResumePoint = { checkpoint: 3, copy: 99, redo: [{}, {}] as never };
const WOKEN: Woken = { event: 'woken', pid: 99, copy: 100, missing: [] };
const BACK = { cause: FIRST_END, unmade: 1 };
const COMMON = { shortLives: 0, life: 2, redone: 2 };

const STATES = {
  serving: serving(10_000, 0),
  choosing: { ...COMMON, at: 'choosing', end: END, back: BACK },
  waking: { ...COMMON, at: 'waking', back: BACK },
  woken: { ...COMMON, at: 'redoing', since: 10_000, made: null, back: BACK },
  redoing: { ...COMMON, at: 'redoing', since: 10_000, made: 1, back: BACK },
  abandoned: { ...COMMON, redone: null, at: 'abandoned' },
  over: { ...COMMON, at: 'over' },
} as const satisfies Record<string, Supervision>;
type Name = keyof typeof STATES;

const LATE = { end: END, now: 20_000, planned: false, closing: false };
const EVENTS = {
  'life over': { on: 'life-over', ...LATE },
  'life over soon': { on: 'life-over', ...LATE, now: 10_001 },
  'life over while closing': { on: 'life-over', ...LATE, closing: true },
  'checkpoint found': { on: 'checkpoint-found', point: POINT },
  'no checkpoint': { on: 'no-checkpoint' },
  woken: { on: 'woken', now: 30_000 },
  'made again': { on: 'made-again', count: 2 },
  redone: { on: 'redone', life: 2, checkpoint: 3, woken: WOKEN },
  'redone in an earlier life': { on: 'redone', life: 1, checkpoint: 3, woken: WOKEN },
  over: { on: 'over', ...LATE },
  'over soon': { on: 'over', ...LATE, now: 10_001 },
  'over on purpose': { on: 'over', ...LATE, planned: true },
  'over while closing': { on: 'over', ...LATE, closing: true },
} as const satisfies Record<string, SupervisionEvent>;
type EventName = keyof typeof EVENTS;

type Next = readonly [state: Supervision, ...effects: SupervisionEffect[]];

const STOP: SupervisionEffect = { do: 'stop-watching' };
const ENDED = { do: 'report-ended', end: END, planned: false } as const;
const START: SupervisionEffect = { do: 'start-again' };
const find = (made: number | null): SupervisionEffect => ({ do: 'find-checkpoint', made });
const FIRST_COMMON = { shortLives: 0, life: 1, redone: null };

/** Returns the row for the event `over`, which all states except the last one share. */
function over(
  common: typeof COMMON | typeof FIRST_COMMON | { shortLives: number; life: number; redone: null },
  soon = 0,
): Partial<Record<EventName, Next>> {
  const after: Supervision = { ...common, at: 'over' };
  return {
    over: [after, STOP, ENDED, START],
    'over soon': [{ ...after, shortLives: soon }, STOP, ENDED, START],
    'over on purpose': [after, STOP, { ...ENDED, planned: true }],
    'over while closing': [after, STOP, ENDED],
  };
}

/** Returns the rows of a state whose process is running. `back` is the state to return to when the process ends. */
function ends(
  common: typeof COMMON | typeof FIRST_COMMON,
  back: typeof BACK,
  made: number | null,
): Partial<Record<EventName, Next>> {
  return {
    'life over': [{ ...common, at: 'choosing', end: END, back }, STOP, find(made)],
    'life over soon': [{ ...common, shortLives: 1, at: 'choosing', end: END, back }, STOP, find(made)],
    'life over while closing': [{ ...common, redone: null, at: 'abandoned' }, STOP, { do: 'abandon', reason: SAID }],
    ...over(common, 1),
  };
}

const REWOUND: Next = [
  { ...COMMON, at: 'serving', since: 10_000 },
  { do: 'report-rewound', checkpoint: 3, woken: WOKEN, end: FIRST_END, unmade: 1 },
];

/** Transitions of the supervision. An event that is missing from a state's row changes nothing. */
const TABLE: Record<Name, Partial<Record<EventName, Next>>> = {
  serving: ends(FIRST_COMMON, { cause: END, unmade: 0 }, null),
  choosing: {
    'checkpoint found': [STATES.waking, { do: 'wake', point: POINT }],
    'no checkpoint': [STATES.abandoned, { do: 'abandon', reason: SAID }],
    ...over(COMMON),
  },
  waking: {
    woken: [{ ...STATES.woken, life: 3, since: 30_000 }, { do: 'watch' }],
    ...over(COMMON),
  },
  woken: {
    'made again': [{ ...STATES.woken, made: 2 }],
    redone: REWOUND,
    ...ends(COMMON, BACK, null),
  },
  redoing: {
    'made again': [{ ...STATES.redoing, made: 2 }],
    redone: REWOUND,
    ...ends(COMMON, { ...BACK, unmade: 2 }, 1),
  },
  abandoned: over({ ...COMMON, redone: null }),
  over: {},
};

const ROWS = (Object.keys(STATES) as Name[]).flatMap((state) =>
  (Object.keys(EVENTS) as EventName[]).map((event) => ({ state, event, next: TABLE[state][event] })),
);

describe('states of a supervised image', () => {
  it.each(ROWS)(
    'In the state "$state" the event "$event" has its one outcome [issue 36.3]',
    ({ state, event, next }) => {
      const [after, ...effects] = next ?? [STATES[state]];
      expect(supervise(STATES[state], EVENTS[event])).toEqual({ state: after, effects });
    },
  );

  it('The fifth short life in a row goes back to no checkpoint, and no image is started after it [issue 36.3]', () => {
    const ended = supervise(serving(10_000, 4), EVENTS['life over soon']);
    expect(ended).toEqual({
      state: { shortLives: 5, life: 1, redone: null, at: 'abandoned' },
      effects: [STOP, { do: 'abandon', reason: SAID }],
    });
    expect(supervise(ended.state, EVENTS.over)).toEqual({
      state: { shortLives: 0, life: 1, redone: null, at: 'over' },
      effects: [STOP, ENDED, { do: 'give-up' }],
    });
  });

  it('A process that is ended on purpose is not a short life, and each process counts once [issue 36.3]', () => {
    const soon = { ...LATE, now: 10_001 };
    expect(supervise(serving(10_000, 4), { on: 'life-over', ...soon, planned: true }).state).toMatchObject({
      shortLives: 0,
      at: 'choosing',
    });
    const counted = supervise(serving(10_000, 1), { on: 'life-over', ...soon }).state;
    const abandoned = supervise(counted, EVENTS['no checkpoint']).state;
    expect(supervise(abandoned, EVENTS['over soon']).state.shortLives).toBe(2);
  });
});
