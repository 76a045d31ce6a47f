import { describe, expect, it } from 'vitest';
import type { Effect } from '#contract/decisions/effect.ts';
import { anEffect } from './effect.fixture.ts';
import { isCovered, kindOf, lasting, policyRequestOf, unshowable } from './subject.ts';

type Waiting = Effect<'waiting'>;

const DELETION = anEffect({
  effect: 'i1-1',
  kind: 'delete',
  operator: 'DELETE-FILE',
  target: '/p/a.txt',
  path: '/p/a.txt',
});

const by = (actor: string | null, ...events: number[]): Waiting['definedBy'] => ({
  actor,
  evaluation: 'e1',
  names: ['F'],
  events,
});

/** Parses lines of the form `name: value` into facts. */
function facts(...lines: string[]): Waiting['facts'] {
  return lines.map((line) => {
    const at = line.indexOf(': ');
    return { name: line.slice(0, at), value: line.slice(at + 2) };
  });
}

const an = (change: Partial<Waiting>): Waiting => ({ ...DELETION, ...change });

describe('what a person cannot be shown', () => {
  const cut = 'xyz… (12 more characters)';
  const said = (name: string): string => `its ${name} is too long to be shown to a person, so it cannot be approved`;
  it.each<[string, Partial<Waiting>, string | null]>([
    ['what is told whole', { facts: facts('size: 3', 'environment: A=1') }, null],
    ['a target that was cut', { target: cut }, 'it is too long to be shown to a person, so it cannot be approved'],
    ['a target that only speaks of more', { target: `${cut} and so on` }, null],
    ['a target that speaks of no number', { target: 'xyz… (some more characters)' }, null],
    ['a fact that was cut', { facts: facts('size: 3', `environment: ${cut}`) }, said('environment')],
    ['a fact that was cut and has a digest', { facts: facts(`input: ${cut}`, 'input SHA-256: 0a') }, null],
    [
      'a fact that was cut beside the digest of another',
      { facts: facts(`input: ${cut}`, 'program SHA-256: 0a') },
      said('input'),
    ],
    [
      'a fact that was cut behind one that has a digest',
      { facts: facts(`input: ${cut}`, 'input SHA-256: 0a', `environment: ${cut}`) },
      said('environment'),
    ],
  ])(
    'An effect is refused for what of it cannot be shown, and only for that: %s [G3, K2]',
    (_name, change, expected) => {
      expect(unshowable(an(change))).toBe(expected);
    },
  );
});

describe('effects that can share a card', () => {
  const state = [
    'size: 3',
    'modified: 2026-01-28',
    'inode: 1:2',
    'hard links: 2',
    'directory: yes',
    'overwritten size: 4',
  ];

  it('Effects that differ in their target and its state alone can share a card [G3]', () => {
    const other = an({ target: '/p/b.txt', path: '/p/b.txt', effect: 'i1-2', facts: facts(...state, 'new mode: 600') });
    expect(kindOf(other)).toBe(kindOf(an({ facts: facts('new mode: 600') })));
  });

  it.each<[string, Partial<Waiting>]>([
    ['kind', { kind: 'write' }],
    ['operator', { operator: 'SB-POSIX:UNLINK' }],
    ['change', { change: 'overwrites' }],
    ['system', { system: 'drakma' }],
    ['author of the code', { definedBy: by('client:a') }],
    ['definitions of the author', { definedBy: by(null, 1) }],
    ['fact', { facts: facts('new mode: 644') }],
    ['name of a fact that only ends like a state', { facts: facts('file size: 3') }],
    ['name of a fact that only begins like a state', { facts: facts('size of it: 3') }],
  ])('Effects that differ in this cannot share a card: %s [G3]', (_name, change) => {
    expect(kindOf(an(change))).not.toBe(kindOf(an({})));
  });

  it('Effects of code by the same author cannot share a card where other definitions are called [G3]', () => {
    expect(kindOf(an({ definedBy: by('client:a', 1) }))).not.toBe(kindOf(an({ definedBy: by('client:a', 2) })));
    expect(kindOf(an({ definedBy: by('client:a', 1) }))).not.toBe(kindOf(an({ definedBy: by('client:b', 1) })));
    expect(kindOf(an({ definedBy: by('client:a', 1) }))).toBe(kindOf(an({ definedBy: by('client:a', 1) })));
  });

  it('Effects of the load of a system share a card, whatever they are, and no card with those of another system [G4]', () => {
    const load = { system: 'drakma', systemFile: '/p/drakma.asd' };
    const connection = an({ ...load, kind: 'connect', operator: 'CONNECT', target: 'example.org:80' });
    expect(kindOf(connection)).toBe(kindOf(an(load)));
    expect(kindOf(connection)).not.toBe(kindOf(an({ ...load, system: 'other' })));
    expect(kindOf(connection)).not.toBe(kindOf(an({})));
  });

  it.each<[string, Partial<Waiting>, boolean]>([
    ['of no system', {}, false],
    ['of a system with a file', { system: 'drakma', systemFile: '/p/drakma.asd', kind: 'connect' }, true],
    ['on a file, of a system made in memory', { system: 'made' }, true],
    ['on no file, of a system made in memory', { system: 'made', kind: 'connect' }, false],
    ['of code of an agent', { system: 'drakma', systemFile: '/p/drakma.asd', definedBy: by('client:a', 1) }, false],
  ])('A yes to the load of a system is for an effect %s: %s [G4]', (_name, change, expected) => {
    expect(isCovered(an(change), null)).toBe(expected);
    expect(isCovered(an(change), 'Git runs it.')).toBe(false);
  });
});

describe('what a rule is for', () => {
  it.each<[string, Partial<Waiting>, string]>([
    ['the target alone', {}, '/p/a.txt'],
    ['the target, without its state', { facts: facts('size: 3', 'overwritten hard links: 2') }, '/p/a.txt'],
    [
      'the target and how it is changed',
      { facts: facts('change: overwrites', 'new mode: 600') },
      '/p/a.txt (overwrites, new mode 600)',
    ],
    [
      'a program with digests, without what they make needless',
      {
        target: 'sh a.sh',
        facts: facts(
          'program: /bin/sh',
          'program size: 9',
          'program modified: 2026',
          'program SHA-256: 0a',
          'file a.sh: /p/a.sh',
          'file a.sh size: 3',
          'file a.sh modified: 2026',
          'file a.sh SHA-256: 0b',
          'input size: 5',
        ),
      },
      'sh a.sh (program /bin/sh, program SHA-256 0a, file a.sh /p/a.sh, file a.sh SHA-256 0b)',
    ],
    [
      'facts whose names are only alike',
      { facts: facts('program size now: 1', 'the program size: 2', 'output size: 3') },
      '/p/a.txt (program size now 1, the program size 2, output size 3)',
    ],
  ])('A rule that is made for an effect is for %s [G3]', (_name, change, expected) => {
    expect(policyRequestOf(an(change)).target).toBe(expected);
  });
});

describe('how long a rule for an effect may last', () => {
  const free = (path: string): boolean => path.startsWith('/free/');
  const cut = 'xyz… (12 more characters)';
  const temporary = '/tmp/lisp-workbench-17-abc123';
  it.each<[string, Partial<Waiting>, ReturnType<typeof lasting>]>([
    ['a file', {}, 'evaluation'],
    ['a foreign library', { kind: 'foreign' }, 'once'],
    ['a signal', { kind: 'signal' }, 'once'],
    ['a process', { kind: 'process' }, 'once'],
    ['a device', { kind: 'device' }, 'once'],
    ['a saved image', { kind: 'save-image' }, 'once'],
    ['a fact that was cut', { facts: facts('size: 3', `environment: ${cut}`) }, 'once'],
    ['a path that agents may write', { path: '/free/a' }, 'once'],
    ['a second path that agents may write', { otherPath: '/free/b' }, 'once'],
    ['a temporary folder of the image', { path: temporary }, 'once'],
    ['a file in a temporary folder of the image', { path: `${temporary}/a` }, 'once'],
    ['a folder whose name is longer than that of a temporary one', { path: `${temporary}x` }, 'evaluation'],
    ['a folder whose name lacks the number', { path: '/tmp/lisp-workbench-x-abc123' }, 'evaluation'],
    ['a folder whose number has more digits', { path: '/tmp/lisp-workbench-170-abc123/a' }, 'once'],
    ['no path', { path: null }, 'evaluation'],
    ['a connection', { kind: 'connect', path: null }, 'target'],
    ['a port', { kind: 'listen', path: null }, 'target'],
  ])('A rule may be made for %s: %s [G3, G4]', (_name, change, expected) => {
    expect(lasting(an(change), free)).toBe(expected);
  });

  const program = ['program: /bin/sh', 'program size: 9', 'program SHA-256: 0a', 'working directory: /p'];
  const script = ['file a.sh: /p/a.sh', 'file a.sh size: 3', 'file a.sh modified: 2026', 'file a.sh SHA-256: 0b'];
  it.each<[string, string[], ReturnType<typeof lasting>]>([
    ['with a digest', program, 'target'],
    ['without a digest', ['program: /bin/sh', 'working directory: /p'], 'once'],
    ['that agents may write', ['program: /free/sh', 'program SHA-256: 0a'], 'once'],
    [
      'in a folder that agents may write',
      ['program: /bin/sh', 'program SHA-256: 0a', 'working directory: /free/a'],
      'once',
    ],
    ['with what was not compared', [...program, 'not compared: 3 more files among its arguments'], 'once'],
    ['with a script that has a digest', [...program, ...script], 'target'],
    ['with a script without a digest', [...program, 'file a.sh: /p/a.sh', 'file a.sh inode: 1:2'], 'once'],
    ['with a script that agents may write', [...program, 'file a.sh: /free/a.sh', 'file a.sh SHA-256: 0b'], 'once'],
    ['with one script of two without a digest', [...program, ...script, 'file b.sh: /p/b.sh'], 'once'],
    ['with a script without a digest whose name ends like a fact', [...program, 'file a size: /p/a size'], 'once'],
    ['with a fact whose name only ends like that of a file', [...program, 'profile a: /free/a'], 'target'],
    ['with a path in facts that name no file', [...program, 'output to: /free/out'], 'target'],
    ['with input from a file that has a digest', [...program, 'input from: /p/in', 'input SHA-256: 0c'], 'target'],
    ['with input from a file without a digest', [...program, 'input from: /p/in'], 'once'],
    ['with input from a file that agents may write', [...program, 'input from: /free/in', 'input SHA-256: 0c'], 'once'],
    [
      'with input from the middle of a file',
      [...program, 'input from: /p/in, from position 7', 'input SHA-256: 0c'],
      'once',
    ],
    ['with input from the code itself', [...program, 'input from: the code itself', 'input SHA-256: 0c'], 'once'],
    ['with input from code that names a path', [...program, 'input from: the code /p/in', 'input SHA-256: 0c'], 'once'],
  ])('A rule may be made for a program %s: %s [G3, G4]', (_name, lines, expected) => {
    expect(lasting(an({ kind: 'run-program', path: null, facts: facts(...lines) }), free)).toBe(expected);
  });
});

describe('libraries [issue 38.3]', () => {
  const install = (from: string): Waiting =>
    an({ kind: 'install-libraries', path: null, target: '2 releases', facts: facts(`from: ${from}`, 'oil: oil-1') });

  it('A rule covers the releases of a dist for the project, whatever they are', () => {
    expect(policyRequestOf(install('made 2026-11-01'), '/p').target).toBe('the dist made and the project /p');
    expect(policyRequestOf(install('made 2026-12-01'), '/p').target).toBe('the dist made and the project /p');
    expect(policyRequestOf(install('made 2026-11-01')).target).toBe('the dist made');
    expect(lasting(install('made 2026-11-01'), () => false)).toBe('target');
  });

  it('No rule is offered for releases of several dists', () => {
    expect(lasting(install('made 2026-11-01, other 1'), () => false)).toBe('once');
  });
});
