import { describe, expect, it } from 'vitest';
import { decide, type ClientPolicy, type EffectRequest, type PolicyRequest } from './policy.ts';
import { RuleBook } from './rules.ts';

const client: ClientPolicy = { id: 'client:codex', name: 'codex', mode: 'collaborate', paused: null, effects: 'ask' };
const write: EffectRequest = {
  kind: 'effect',
  effect: 'write',
  target: '/p/a',
  paths: ['/p/a'],
  evaluation: 'e1',
  system: null,
};

function book(): { rules: RuleBook; at: (minutes: number) => void; ask: (request: PolicyRequest) => string } {
  let now = 0;
  const rules = new RuleBook(
    () => [],
    () => now,
  );
  const ask = (request: PolicyRequest): string => {
    const { decision, rule } = decide(request, client, rules.all);
    rules.note(client.id, request, rule);
    return decision;
  };
  return { rules, at: (minutes) => void (now = minutes * 60_000), ask };
}

describe('scopes of a card', () => {
  it('say the literal rule and how many of the last requests it would have answered', () => {
    const { rules, ask } = book();
    for (let n = 0; n < 120; n += 1) ask({ ...write, target: n % 4 === 0 ? '/p/a' : '/p/b' });
    expect(rules.scopes(client.id, write)).toEqual([
      { id: 'target', label: 'effect write for /p/a, until 10 minutes after its last use', matched: 25, of: 100 },
      { id: 'evaluation', label: 'effect write of this evaluation, until it ends', matched: 100, of: 100 },
    ]);
  });

  it('G3 K2 are not offered for a target that is too long to be told whole', () => {
    const { rules } = book();
    const cut = `${'x'.repeat(20_000)}… (25014 more characters)`;
    expect(rules.scopes(client.id, { ...write, target: cut }).map(({ id }) => id)).toEqual(['evaluation']);
    expect(rules.grant('target', client.id, { ...write, target: cut })).toBe(false);
  });

  it('G3 answer for what they say, for this client, and for nothing else', () => {
    const { rules, ask } = book();
    expect(ask(write)).toBe('ask');
    expect(rules.grant('target', client.id, write)).toBe(true);
    expect([ask(write), ask({ ...write, target: '/p/b' }), ask({ ...write, effect: 'delete' })]).toEqual([
      'allow',
      'ask',
      'ask',
    ]);
    expect(decide(write, { ...client, id: 'client:other' }, rules.all).decision).toBe('ask');
    expect(rules.grant('everything', client.id, write)).toBe(false);
  });

  it('of a system cover all its effects in that evaluation', () => {
    const { rules, ask } = book();
    const load = { ...write, system: 'drakma' };
    rules.grant('evaluation', client.id, load);
    expect([
      ask({ ...load, effect: 'foreign', target: 'libssl.so' }),
      ask({ ...load, system: 'other' }),
      ask({ ...load, evaluation: 'e2' }),
    ]).toEqual(['allow', 'ask', 'ask']);
    rules.evaluationEnded('e1');
    expect(ask(load)).toBe('ask');
  });

  it('are listed with when they end, the newest first, and each use is told', () => {
    const { rules, at, ask } = book();
    rules.grant('target', client.id, write);
    at(4);
    rules.grant('evaluation', client.id, write);
    let told = 0;
    rules.events.on('changed', () => (told += 1));
    ask(write);
    expect(told).toBe(1);
    const common = { id: expect.any(String), client: client.id };
    expect(rules.shown()).toEqual([
      {
        ...common,
        words: 'effect write of this evaluation',
        grantedAt: 4 * 60_000,
        usedAt: 4 * 60_000,
        endsAt: 14 * 60_000,
        evaluation: 'e1',
      },
      {
        ...common,
        words: 'effect write for /p/a',
        grantedAt: 0,
        usedAt: 4 * 60_000,
        endsAt: 14 * 60_000,
        evaluation: null,
      },
    ]);
  });

  it('end when they were not used for ten minutes, after twelve hours, and when the person ends them', () => {
    const { rules, at, ask } = book();
    const grant = () => rules.grant('target', client.id, write);
    grant();
    at(9);
    expect(ask(write)).toBe('allow');
    at(18);
    expect(ask(write)).toBe('allow');
    at(29);
    expect(ask(write)).toBe('ask');
    grant();
    for (let minutes = 29; minutes < 29 + 12 * 60; minutes += 9) {
      at(minutes);
      ask(write);
    }
    at(29 + 12 * 60 + 1);
    expect(ask(write)).toBe('ask');
    grant();
    rules.revoke(rules.granted[0]!.id);
    expect(ask(write)).toBe('ask');
    grant();
    rules.revokeOf(client.id);
    expect(ask(write)).toBe('ask');
  });
});
