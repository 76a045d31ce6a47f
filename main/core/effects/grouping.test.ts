import { describe, expect, it } from 'vitest';
import { PERSON } from '#contract/clients/known-actors.ts';
import { Emitter } from '#core/base/emitter.ts';
import type { SessionEvents } from '#core/sessions/image-events.ts';
import type { TurnRequest } from '#core/sessions/scheduler/run-queue.ts';
import { DeniedLoads } from './denied-loads.ts';
import { anEffect } from './effect.fixture.ts';
import { EffectGroups, loadKeyOf, threadKeyOf } from './grouping.ts';

const session = { id: 's1' };
const writing = (effect: string, change: Parameters<typeof anEffect>[0] = {}) =>
  anEffect({ effect, kind: 'write', operator: 'OPEN', target: `/p/${effect}`, path: `/p/${effect}`, ...change });

describe('effects that share a card', () => {
  it.each<[string, boolean, Parameters<typeof anEffect>[0]]>([
    ['another target of the same evaluation', true, {}],
    ['another state of the target', true, { facts: [{ name: 'size', value: '9' }] }],
    ['another evaluation', false, { evaluation: 'v2' }],
    ['code of no evaluation', false, { evaluation: null }],
    ['another kind', false, { kind: 'delete' }],
    ['another way of changing it', false, { change: 'appends' }],
    ['a fact that decides what is done', false, { facts: [{ name: 'new mode', value: '777' }] }],
  ])('An effect joins the card of another, or has its own: %s, %s [G3]', (_name, joins, change) => {
    const groups = new EffectGroups();
    const group = groups.begin(session, writing('e1'));
    expect(groups.join(session, writing('e2', change))).toBe(joins ? group : null);
  });

  it('Effects of another image have a card of their own [G3]', () => {
    const groups = new EffectGroups();
    groups.begin(session, writing('e1'));
    expect(groups.join({ id: 's2' }, writing('e2'))).toBeNull();
  });

  it('No effect joins a card that is decided, or that has as many targets as a person can look through [G3]', () => {
    const groups = new EffectGroups();
    const decided = groups.begin(session, writing('e1'));
    groups.close(decided);
    expect(groups.join(session, writing('e2'))).toBeNull();
    const full = groups.begin(session, writing('e3'));
    for (let index = 1; index < 500; index += 1) groups.join(session, writing(`full ${index}`));
    expect([full.effects.size, groups.join(session, writing('e4'))]).toEqual([500, null]);
  });

  it('A card is over when the last of its effects waits no more, and not before [G3]', () => {
    const groups = new EffectGroups();
    const group = groups.begin(session, writing('e1'));
    groups.join(session, writing('e2'));
    expect([groups.leave('e1'), group.over.signal.aborted, groups.waits('e1'), groups.waits('e2')]).toEqual([
      group,
      false,
      false,
      true,
    ]);
    expect([groups.leave('e2'), group.over.signal.aborted, groups.join(session, writing('e3'))]).toEqual([
      group,
      true,
      null,
    ]);
    expect(groups.leave('e2')).toBeNull();
  });
});

describe('denied load of a system', () => {
  const events = new Emitter<SessionEvents>();
  const turn: TurnRequest = { evaluation: 'v1', actor: PERSON, summary: '' };
  const running = { id: 's1', events, underway: [turn] };
  const loading = (change: Parameters<typeof anEffect>[0] = {}) => writing('e1', { system: 'shop', ...change });

  it('A denied load may not reach outside again until the evaluation that loads it is over', () => {
    const loads = new DeniedLoads();
    loads.deny(running, loading(), 'No.');
    events.emit('changed', undefined);
    expect([
      loads.reasonFor(running, loading({ effect: 'e2' })),
      loads.reasonFor(running, loading({ system: 'other' })),
      loads.reasonFor(running, loading({ evaluation: 'v2' })),
    ]).toEqual(['No.', null, null]);
    running.underway = [];
    events.emit('changed', undefined);
    expect(loads.reasonFor(running, loading())).toBeNull();
  });

  it('A denied effect outside of a load says nothing about the next one', () => {
    const loads = new DeniedLoads();
    loads.deny(running, loading({ system: null }), 'No.');
    expect(loads.reasonFor(running, loading({ system: null }))).toBeNull();
  });
});

describe('what effects have in common', () => {
  /** Returns the names of the changes that change the effect's key. */
  function telling(keyOf: typeof loadKeyOf, of: Parameters<typeof anEffect>[0] = {}): string[] {
    const keyWith = (change: Parameters<typeof anEffect>[0], id = 's1') =>
      keyOf({ id }, writing('e1', { ...of, ...change }));
    const changes = {
      session: keyWith({}, 's2'),
      effect: keyWith({ effect: 'e2' }),
      evaluation: keyWith({ evaluation: 'v2' }),
      thread: keyWith({ thread: 'timer' }),
      kind: keyWith({ kind: 'delete' }),
      target: keyWith({ target: '/p/b' }),
      system: keyWith({ system: 'drakma' }),
    };
    return Object.entries(changes).flatMap(([name, key]) => (key === keyWith({}) ? [] : [name]));
  }

  it('Effects belong to one load that come of the same system in one evaluation of one image [G4]', () => {
    expect(telling(loadKeyOf)).toEqual(['session', 'evaluation', 'system']);
    expect(telling(loadKeyOf, { evaluation: null })).toEqual(['session', 'effect', 'evaluation', 'system']);
  });

  it('Effects come of one thread that one evaluation of one image has [G3]', () => {
    expect(telling(threadKeyOf)).toEqual(['session', 'evaluation', 'thread']);
  });
});
