import { describe, expect, it } from 'vitest';
import {
  ALL_FILES,
  decide,
  FILE_KINDS,
  matches,
  subjectInWords,
  type ClientPolicy,
  type EffectRequest,
  type PolicyRequest,
  type Rule,
  type RuleSubject,
} from './policy.ts';
import type { ClientMode } from '#contract/clients/client.ts';
import { NOBODY_ASKED_ABOUT_EFFECTS } from '../without-window.ts';
import type { SafetyLevel } from '#contract/clients/tool.ts';

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
    { kind: 'tool', tool: 'write-file', level, target: 'src/a', paths: [] },
    client(mode),
    complete,
  );
  return `${decision} by ${rule}`;
}

describe('policy by level and mode', () => {
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
  ])('A %s tool in %s mode is decided by policy: %s [X6–X9]', (level, mode, expected) => {
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
      'allow never lets a dangerous tool run unasked [X37]',
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
    ['a pattern fits', 'safe', 'collaborate', [{ decision: 'deny', subject: { tool: 'write-*' } }], 'deny by r0'],
    [
      'a pattern does not fit',
      'safe',
      'collaborate',
      [{ decision: 'deny', subject: { tool: 'read-*' } }],
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
    [
      'a broken rule denies behind one that allows',
      'safe',
      'collaborate',
      [{ decision: 'allow' }, { subject: {} }],
      'deny by r1',
    ],
    ['no subject is broken', 'safe', 'collaborate', [{ subject: undefined as never }], 'deny by r0'],
    ['a subject that is null is broken', 'safe', 'collaborate', [{ subject: null as never }], 'deny by r0'],
    ['an effect without a name is broken', 'safe', 'collaborate', [{ subject: { effect: '' } }], 'deny by r0'],
    ['a tool that is a number is broken', 'safe', 'collaborate', [{ subject: { tool: 7 as never } }], 'deny by r0'],
    [
      'another target is not meant',
      'safe',
      'collaborate',
      [{ decision: 'deny', subject: { tool: '*', target: 'src/b' } }],
      'allow by level',
    ],
    [
      'evaluation and system restrict only what is about effects',
      'safe',
      'collaborate',
      [{ decision: 'deny', subject: { tool: '*', evaluation: 'e1', system: 'drakma' } }],
      'deny by r0',
    ],
  ])('Rules are weighed against each other, level and mode: %s', (_name, level, mode, rules, expected) => {
    expect(verdict(level, mode, rules)).toBe(expected);
  });

  it('A verdict says why in words', () => {
    expect(
      decide({ kind: 'tool', tool: 'write-file', level: 'dangerous', target: null, paths: [] }, client(), []).why,
    ).toBe('write-file is a dangerous tool and this client is in collaborate mode');
  });
});

describe('words of a verdict', () => {
  const look: PolicyRequest = { kind: 'tool', tool: 'read-file', level: 'safe', target: null, paths: [] };
  const change: PolicyRequest = { ...look, tool: 'load-system', level: 'cautious' };
  const effect: PolicyRequest = {
    kind: 'effect',
    effect: 'write',
    target: '/p/a',
    paths: ['/p/a'],
    evaluation: 'e1',
    system: null,
  };
  const rule = (decision: Rule['decision'], subject: RuleSubject): Rule[] => [
    { id: 'r', client: null, decision, subject, granted: false },
  ];
  it.each<[string, PolicyRequest, Partial<ClientPolicy>, Rule[]]>([
    ['deny by r: rule r says deny for read-*', look, {}, rule('deny', { tool: 'read-*' })],
    ['ask by r: rule r says ask for every effect for /p/a', effect, {}, rule('ask', { effect: '*', target: '/p/a' })],
    ['allow by r: rule r allows effect write', effect, {}, rule('allow', { effect: 'write' })],
    ['deny by r: rule r cannot be read, so the request is denied', look, {}, rule('allow', {})],
    ['allow by level: read-file is a safe tool and this client is in collaborate mode', look, {}, []],
    [
      'deny by mode: load-system is a cautious tool and this client is in observe mode, which is read-only',
      change,
      { mode: 'observe' },
      [],
    ],
    ['deny by mode: this client is in observe mode, which is read-only', effect, { mode: 'observe' }, []],
    ['ask by effects: code of an agent has an effect outside the image (write)', effect, {}, []],
    [
      'allow by effects: effects are allowed here: this run was started with --effects allow',
      effect,
      { effects: 'allow' },
      [],
    ],
    [`deny by effects: ${NOBODY_ASKED_ABOUT_EFFECTS}`, effect, { effects: 'deny' }, []],
  ])('A verdict is told in these words: %s [X36]', (expected, request, change, rules) => {
    const { decision, rule: by, why } = decide(request, client('collaborate', change), rules);
    expect(`${decision} by ${by}: ${why}`).toBe(expected);
  });

  it.each<[string, RuleSubject]>([
    ['write-file for src/shop.lisp', { tool: 'write-file', target: 'src/shop.lisp' }],
    ['every effect of system drakma', { effect: '*', system: 'drakma' }],
    ['every effect of this evaluation', { evaluation: 'e1' }],
    [
      'every effect on files of system drakma of this evaluation',
      { effect: ALL_FILES, evaluation: 'e1', system: 'drakma' },
    ],
    ['effect write in /p/out', { effect: 'write', folder: '/p/out' }],
    ['effect delete', { effect: 'delete' }],
  ])('The subject of a rule is told in these words: %s [X36]', (expected, subject) => {
    expect(subjectInWords(subject)).toBe(expected);
  });
});

describe('patterns', () => {
  it.each<[string, string, boolean]>([
    ['write|delete', 'delete', true],
    ['write|delete', 'rename', false],
    ['write|run-*', 'run-program', true],
    ['a.b*', 'a.bc', true],
    ['a.b*', 'axbc', false],
    ['a.b*', 'xa.bc', false],
    ['*b', 'ab', true],
    ['*b', 'abc', false],
    ['a', 'ab', false],
  ])('The pattern %s of a rule covers %s: %s', (effect, name, expected) => {
    const request = {
      kind: 'effect',
      effect: name,
      target: '/p/a',
      paths: [],
      evaluation: null,
      system: null,
    } as const;
    expect(matches({ client: null, decision: 'allow', subject: { effect } }, request, 'client:codex')).toBe(expected);
  });

  it('The pattern for all that is done to files covers exactly these effects', () => {
    expect([...FILE_KINDS]).toEqual(['write', 'delete', 'rename', 'create-folder', 'link', 'attributes']);
    expect(ALL_FILES).toBe('write|delete|rename|create-folder|link|attributes');
  });
});

describe('grants', () => {
  const granted = { decision: 'allow', granted: true } as const;
  it.each<[string, Partial<Rule>, string]>([
    ['answers for its target', { ...granted, subject: { tool: 'write-file', target: 'src/a' } }, 'allow by r0'],
    ['not for another one', { ...granted, subject: { tool: 'write-file', target: 'src/b' } }, 'ask by level'],
    ['never without a target', { ...granted, subject: { tool: 'write-file' } }, 'ask by level'],
    [
      'is no rule of the settings',
      { decision: 'allow', subject: { tool: 'write-file', target: 'src/a' } },
      'ask by level',
    ],
  ])('A rule that the person gave on a card holds for what it says: %s [X37]', (_name, rule, expected) => {
    expect(verdict('dangerous', 'collaborate', [rule])).toBe(expected);
  });

  it('A rule that the person gave on a card is of no use while the client is paused [X37]', () => {
    const rule: Rule = { id: 'r', client: null, ...granted, subject: { tool: '*' } };
    const request = { kind: 'tool', tool: 'read-file', level: 'safe', target: null, paths: [] } as const;
    expect(decide(request, client('collaborate', { paused: 'You paused it.' }), [rule])).toEqual({
      decision: 'deny',
      rule: 'paused',
      why: 'You paused it.',
    });
  });
});

describe('policy of effects', () => {
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
    [
      'a file that configures programs, in such a folder',
      { configures: 'Git runs it.' },
      {},
      [folder('/p/out')],
      'ask by effects',
    ],
    ['a folder that may be written, headless', {}, { effects: 'deny' }, [folder('/p/out')], 'allow by r'],
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
    [
      'a dot-folder above the folder of a rule does not matter',
      { paths: ['/p/.cache/out/a'] },
      {},
      [folder('/p/.cache/out')],
      'allow by r',
    ],
    ['a folder that is told with a slash', {}, {}, [folder('/p/out/')], 'allow by r'],
    [
      'denied where one of two paths lies in the folder',
      { paths: ['/p/a', '/p/out/a'] },
      { effects: 'allow' },
      [{ ...folder('/p/out'), decision: 'deny' }],
      'deny by r',
    ],
    [
      'denied for the folder itself',
      { paths: ['/p/out'] },
      { effects: 'allow' },
      [{ ...folder('/p/out'), decision: 'deny' }],
      'deny by r',
    ],
    [
      'denied in dot-folders too',
      { paths: ['/p/out/.git/config'] },
      { effects: 'allow' },
      [{ ...folder('/p/out'), decision: 'deny' }],
      'deny by r',
    ],
    [
      'denied by another name of the folder, where file systems ignore case',
      { paths: ['/P/Out./a'] },
      { effects: 'allow' },
      [{ ...folder('/p/out'), decision: 'deny' }],
      'deny by r',
    ],
    ['not allowed by another name of the folder', { paths: ['/P/Out/a'] }, {}, [folder('/p/out')], 'ask by effects'],
    [
      'not a dot-folder behind a character that shows nothing',
      { paths: ['/p/out/\u034F.x/a'] },
      {},
      [folder('/p/out')],
      'ask by effects',
    ],
    [
      'not denied beside the folder',
      { paths: ['/p/outer'] },
      { effects: 'allow' },
      [{ ...folder('/p/out'), decision: 'deny' }],
      'allow by effects',
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
  ])('The policy of effects is right for this case: %s [G4]', (_name, request, policy, rules, expected) => {
    const { decision, rule: by } = decide({ ...write, ...request }, client('collaborate', policy), rules);
    expect(`${decision} by ${by}`).toBe(expected);
  });
});
