import { describe, expect, it } from 'vitest';
import { decide, type ClientPolicy, type EffectRequest, type PolicyRequest, type Rule } from './policy.ts';
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

interface Book {
  rules: RuleBook;
  at: (minutes: number) => void;
  ask: (request: PolicyRequest) => string;
  /** Returns the number of changes that were reported since the previous call. */
  told: () => number;
}

function book(standing: readonly Rule[] = []): Book {
  let now = 0;
  const rules = new RuleBook(
    () => standing,
    () => now,
  );
  let changes = 0;
  rules.events.on('changed', () => (changes += 1));
  const ask = (request: PolicyRequest): string => {
    const { decision, rule } = decide(request, client, rules.all);
    rules.note(client.id, request, rule);
    return decision;
  };
  const told = (): number => {
    const before = changes;
    changes = 0;
    return before;
  };
  return { rules, at: (minutes) => void (now = minutes * 60_000), ask, told };
}

describe('scopes of a card', () => {
  it('Scopes say the literal rule and how many of the last requests it would have answered', () => {
    const { rules, ask } = book();
    for (let n = 0; n < 120; n += 1) ask({ ...write, target: n % 4 === 0 ? '/p/a' : '/p/b' });
    expect(rules.scopes(client.id, write)).toEqual([
      { id: 'target', label: 'effect write for /p/a, until 10 minutes after its last use', matched: 25, of: 100 },
      { id: 'evaluation', label: 'effect write of this evaluation, until it ends', matched: 100, of: 100 },
    ]);
  });

  it('Scopes are not offered for a target that is too long to be told whole [G3, K2]', () => {
    const { rules } = book();
    const cut = `${'x'.repeat(20_000)}… (25014 more characters)`;
    expect(rules.scopes(client.id, { ...write, target: cut }).map(({ id }) => id)).toEqual(['evaluation']);
    expect(rules.grant('target', client.id, { ...write, target: cut })).toBe(false);
  });

  it('Grants answer for what they say, for this client, and for nothing else [G3]', () => {
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

  it("A grant for a system covers all the system's effects in that evaluation", () => {
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

  it('Grants are listed with when they end, the newest first, and each use is told', () => {
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

  it('A grant ends when it was not used for ten minutes', () => {
    const { rules, at, ask } = book();
    rules.grant('target', client.id, write);
    at(9);
    expect(ask(write)).toBe('allow');
    at(18.9);
    expect(ask(write)).toBe('allow');
    at(28.9);
    expect(ask(write)).toBe('ask');
  });

  it('A grant ends twelve hours after it was given, however often it is used', () => {
    const { rules, at, ask } = book();
    const end = 7 + 12 * 60;
    at(7);
    rules.grant('target', client.id, write);
    for (let minutes = 7; minutes < end; minutes += 5) {
      at(minutes);
      expect(ask(write)).toBe('allow');
    }
    expect(rules.shown()[0]?.endsAt).toBe(end * 60_000);
    at(end);
    expect([ask(write), rules.granted]).toEqual(['ask', []]);
  });

  it('A grant is not kept alive by what another one answers', () => {
    const { rules, at, ask } = book();
    const other = { ...write, target: '/p/b' };
    rules.grant('target', client.id, write);
    rules.grant('target', client.id, other);
    at(9);
    ask(other);
    at(11);
    expect([ask(write), ask(other)]).toEqual(['ask', 'allow']);
  });

  it('The person ends one grant, those of a client or all of them, and each end is told', () => {
    const { rules, told } = book();
    const targets = (): string[] => rules.granted.map(({ client: of, subject }) => `${of} ${subject.target}`);
    const grantThree = (): void => {
      rules.revoke(null);
      rules.grant('target', 'client:a', { ...write, target: '1' });
      rules.grant('target', 'client:a', { ...write, target: '2' });
      rules.grant('target', 'client:b', { ...write, target: '3' });
    };
    grantThree();
    expect(told()).toBe(4);
    rules.revoke(rules.granted[1]!.id);
    expect([told(), targets()]).toEqual([1, ['client:a 1', 'client:b 3']]);
    grantThree();
    told();
    rules.revokeOf('client:a');
    expect([told(), targets()]).toEqual([1, ['client:b 3']]);
    rules.revoke(null);
    expect([told(), targets()]).toEqual([1, []]);
  });

  it('The end of an evaluation ends the grants for it alone, and is told where there were some', () => {
    const { rules, told } = book();
    rules.grant('target', client.id, write);
    rules.grant('evaluation', client.id, write);
    rules.grant('evaluation', client.id, { ...write, evaluation: 'e2' });
    told();
    rules.evaluationEnded('e1');
    expect([told(), rules.granted.map(({ subject }) => subject)]).toEqual([
      1,
      [
        { effect: 'write', target: '/p/a' },
        { effect: 'write', evaluation: 'e2' },
      ],
    ]);
    rules.evaluationEnded('e1');
    expect(told()).toBe(0);
  });

  it('The rules that hold are the standing ones and, under names of their own, the grants', () => {
    const standing: Rule = { id: 'mine', decision: 'deny', client: null, subject: { tool: '*' }, granted: false };
    const { rules } = book([standing]);
    expect([rules.all, rules.granted, rules.shown()]).toEqual([[standing], [], []]);
    rules.grant('target', client.id, write);
    expect(rules.all).toEqual([
      standing,
      {
        id: expect.stringMatching(/^granted-[0-9a-f]{8}$/),
        decision: 'allow',
        client: client.id,
        subject: { effect: 'write', target: '/p/a' },
        granted: true,
        grantedAt: 0,
        usedAt: 0,
      },
    ]);
  });
});

describe('what a card offers', () => {
  const tool: PolicyRequest = { kind: 'tool', tool: 'write-file', level: 'dangerous', target: 'src/a', paths: [] };
  const idle = 'until 10 minutes after its last use';
  it.each<[string, PolicyRequest, string[]]>([
    ['a tool with a target', tool, [`target: write-file for src/a, ${idle}`]],
    ['a tool without a target', { ...tool, target: null }, []],
    ['an effect of no evaluation', { ...write, evaluation: null }, [`target: effect write for /p/a, ${idle}`]],
    ['an effect that no rule may answer again', { ...write, lasting: 'once' }, []],
    ['an effect for its target alone', { ...write, lasting: 'target' }, [`target: effect write for /p/a, ${idle}`]],
    [
      'an effect for its evaluation too',
      { ...write, lasting: 'evaluation' },
      [`target: effect write for /p/a, ${idle}`, 'evaluation: effect write of this evaluation, until it ends'],
    ],
    [
      'an effect of a system, whatever it does',
      { ...write, system: 'drakma', lasting: 'once' },
      ['evaluation: every effect of system drakma of this evaluation, until it ends'],
    ],
    [
      'a change of a file by a system that no file defines',
      { ...write, system: 'made', madeInMemory: true, lasting: 'target' },
      [
        `target: effect write for /p/a, ${idle}`,
        'evaluation: every effect on files of system made of this evaluation, until it ends',
      ],
    ],
    [
      'a connection by a system that no file defines',
      { ...write, effect: 'connect', system: 'made', madeInMemory: true, lasting: 'target' },
      [`target: effect connect for /p/a, ${idle}`],
    ],
    [
      'a target as long as the image tells it whole',
      { ...write, target: 'x'.repeat(20_000), evaluation: null },
      [`target: effect write for ${'x'.repeat(20_000)}, ${idle}`],
    ],
    ['a longer target', { ...write, target: 'x'.repeat(20_001), evaluation: null }, []],
  ])('A card offers the fitting scopes for %s [G3]', (_name, request, expected) => {
    const { rules } = book();
    expect(rules.scopes(client.id, request).map(({ id, label }) => `${id}: ${label}`)).toEqual(expected);
  });

  it("A scope is tried on the client's own requests alone, of which those of all clients together are kept up to 400", () => {
    const { rules } = book();
    const counted = (): string[] => rules.scopes(client.id, write).map(({ matched, of }) => `${matched} of ${of}`);
    rules.note(client.id, write, '');
    rules.note(client.id, { ...write, target: '/p/b' }, '');
    for (let n = 0; n < 398; n += 1) rules.note('client:other', write, '');
    expect(counted()).toEqual(['1 of 2', '2 of 2']);
    rules.note('client:other', write, '');
    expect(counted()).toEqual(['0 of 1', '1 of 1']);
  });
});
