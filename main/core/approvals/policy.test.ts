import { describe, expect, it } from 'vitest';
import { decide, type ClientPolicy, type EffectRequest, type Rule } from './policy.ts';
import type { ClientMode } from '#contract/client.ts';
import type { SafetyLevel } from '#contract/tool.ts';

function client(mode: ClientMode = 'collaborate', change: Partial<ClientPolicy> = {}): ClientPolicy {
  return { id: 'client:codex', name: 'codex', mode, paused: null, effects: 'ask', ...change };
}

function verdict(level: SafetyLevel, mode: ClientMode = 'collaborate', rules: Partial<Rule>[] = []): string {
  const complete = rules.map((rule, index) => ({
    id: `r${index}`,
    decision: 'allow' as const,
    subject: { tool: '*' },
    client: null,
    granted: false,
    ...rule,
  }));
  const { decision, rule } = decide(
    { kind: 'tool', tool: 'write_file', level, target: 'src/a', paths: [] },
    client(mode),
    complete,
  );
  return `${decision} by ${rule}`;
}

describe('X6 X7 X8 X9 policy by level and mode', () => {
  it.each<[SafetyLevel, ClientMode, string]>([
    ['safe', 'observe', 'allow by level'],
    ['safe', 'propose', 'allow by level'],
    ['safe', 'collaborate', 'allow by level'],
    ['cautious', 'observe', 'deny by mode'],
    ['cautious', 'propose', 'ask by mode'],
    ['cautious', 'collaborate', 'allow by level'],
    ['dangerous', 'observe', 'deny by mode'],
    ['dangerous', 'propose', 'ask by level'],
    ['dangerous', 'collaborate', 'ask by level'],
  ])('%s in %s mode: %s', (level, mode, expected) => {
    expect(verdict(level, mode)).toBe(expected);
  });
});

describe('policy by rules', () => {
  it.each<[string, SafetyLevel, ClientMode, Partial<Rule>[], string]>([
    ['deny beats allow', 'safe', 'collaborate', [{ decision: 'allow' }, { decision: 'deny' }], 'deny by r1'],
    ['deny beats ask', 'safe', 'collaborate', [{ decision: 'ask' }, { decision: 'deny' }], 'deny by r1'],
    ['ask beats allow', 'safe', 'collaborate', [{ decision: 'allow' }, { decision: 'ask' }], 'ask by r1'],
    ['allow spares a cautious tool the question', 'cautious', 'propose', [{ decision: 'allow' }], 'allow by r0'],
    [
      'X37 allow never lets a dangerous tool run unasked',
      'dangerous',
      'collaborate',
      [{ decision: 'allow' }],
      'ask by level',
    ],
    ['allow does not widen observe', 'cautious', 'observe', [{ decision: 'allow' }], 'deny by mode'],
    [
      'another client is not meant',
      'safe',
      'collaborate',
      [{ decision: 'deny', client: 'client:claude' }],
      'allow by level',
    ],
    ['this client is meant', 'safe', 'collaborate', [{ decision: 'deny', client: 'client:codex' }], 'deny by r0'],
    ['a pattern fits', 'safe', 'collaborate', [{ decision: 'deny', subject: { tool: 'write_*' } }], 'deny by r0'],
    [
      'a pattern does not fit',
      'safe',
      'collaborate',
      [{ decision: 'deny', subject: { tool: 'read_*' } }],
      'allow by level',
    ],
    [
      'a dot in a pattern is a dot',
      'safe',
      'collaborate',
      [{ decision: 'deny', subject: { tool: 'write.file' } }],
      'allow by level',
    ],
    ['a broken rule denies', 'safe', 'collaborate', [{ subject: { tool: '' } }], 'deny by r0'],
    ['an unknown decision denies', 'safe', 'collaborate', [{ decision: 'maybe' as 'ask' }], 'deny by r0'],
  ])('%s', (_name, level, mode, rules, expected) => {
    expect(verdict(level, mode, rules)).toBe(expected);
  });

  it('says why in words', () => {
    expect(
      decide({ kind: 'tool', tool: 'write_file', level: 'dangerous', target: null, paths: [] }, client(), []).why,
    ).toBe('write_file is a dangerous tool and this client is in collaborate mode');
  });
});

describe('X37 a rule that the person gave on a card', () => {
  const granted = { decision: 'allow', granted: true } as const;
  it.each<[string, Partial<Rule>, string]>([
    ['answers for its target', { ...granted, subject: { tool: 'write_file', target: 'src/a' } }, 'allow by r0'],
    ['not for another one', { ...granted, subject: { tool: 'write_file', target: 'src/b' } }, 'ask by level'],
    ['never without a target', { ...granted, subject: { tool: 'write_file' } }, 'ask by level'],
    ['and no other rule does', { decision: 'allow', subject: { tool: 'write_file', target: 'src/a' } }, 'ask by level'],
  ])('%s', (_name, rule, expected) => {
    expect(verdict('dangerous', 'collaborate', [rule])).toBe(expected);
  });

  it('is of no use while the client is paused', () => {
    const rule: Rule = { id: 'r', client: null, ...granted, subject: { tool: '*' } };
    const request = { kind: 'tool', tool: 'read_file', level: 'safe', target: null, paths: [] } as const;
    expect(decide(request, client('collaborate', { paused: 'You paused it.' }), [rule])).toEqual({
      decision: 'deny',
      rule: 'paused',
      why: 'You paused it.',
    });
  });
});

describe('G4 policy of effects', () => {
  const write: EffectRequest = {
    kind: 'effect',
    effect: 'write',
    target: '/p/out/a.txt',
    paths: ['/p/out/a.txt'],
    evaluation: 'e1',
    system: null,
  };
  const rule = (change: Partial<Rule>): Rule => ({
    id: 'r',
    decision: 'allow',
    client: null,
    subject: { effect: '*' },
    granted: false,
    ...change,
  });
  const folder = (path: string): Rule => rule({ subject: { effect: 'write', folder: path } });
  it.each<[string, Partial<EffectRequest>, Partial<ClientPolicy>, Rule[], string]>([
    ['asks', {}, {}, [], 'ask by effects'],
    ['headless allow', {}, { effects: 'allow' }, [], 'allow by effects'],
    ['headless deny', {}, { effects: 'deny' }, [], 'deny by effects'],
    ['nothing in observe mode', {}, { mode: 'observe', effects: 'allow' }, [], 'deny by mode'],
    ['a folder that may be written', {}, {}, [folder('/p/out')], 'allow by r'],
    ['also headless', {}, { effects: 'deny' }, [folder('/p/out')], 'allow by r'],
    ['not another effect there', { effect: 'delete' }, {}, [folder('/p/out')], 'ask by effects'],
    ['not a folder whose name begins alike', { paths: ['/p/outer/a'] }, {}, [folder('/p/out')], 'ask by effects'],
    [
      'making the folder itself',
      { effect: 'create-folder', paths: ['/p/out'] },
      {},
      [rule({ subject: { effect: 'create-folder', folder: '/p/out' } })],
      'allow by r',
    ],
    ['not a file in its place', { paths: ['/p/out'] }, {}, [folder('/p/out')], 'ask by effects'],
    ['not a dot-folder in it', { paths: ['/p/out/.git/config'] }, {}, [folder('/p/out')], 'ask by effects'],
    [
      'not when one of two paths lies outside',
      { paths: ['/p/out/a', '/p/b'] },
      {},
      [folder('/p/out')],
      'ask by effects',
    ],
    ['nothing without a path', { paths: [] }, {}, [folder('/p/out')], 'ask by effects'],
    [
      'never the files of the workbench itself',
      { paths: ['/home/config/clients.json'] },
      { effects: 'allow' },
      [rule({ decision: 'deny', subject: { effect: '*', folder: '/home/config' } }), folder('/home')],
      'deny by r',
    ],
    ['granted for its evaluation', {}, {}, [rule({ subject: { effect: 'write', evaluation: 'e1' } })], 'allow by r'],
    ['not for the next', {}, {}, [rule({ subject: { effect: 'write', evaluation: 'e0' } })], 'ask by effects'],
    [
      'granted for a system',
      { system: 'drakma' },
      {},
      [rule({ subject: { effect: '*', system: 'drakma' } })],
      'allow by r',
    ],
    [
      'not for another',
      { system: 'other' },
      {},
      [rule({ subject: { effect: '*', system: 'drakma' } })],
      'ask by effects',
    ],
    ['a rule about tools is no rule about effects', {}, {}, [rule({ subject: { tool: '*' } })], 'ask by effects'],
    ['a rule about both is broken', {}, {}, [rule({ subject: { tool: '*', effect: '*' } })], 'deny by r'],
  ])('%s', (_name, request, policy, rules, expected) => {
    const { decision, rule: by } = decide({ ...write, ...request }, client('collaborate', policy), rules);
    expect(`${decision} by ${by}`).toBe(expected);
  });
});
