import { describe, expect, it } from 'vitest';
import type { ApprovalCard } from '#contract/decisions/approval.ts';
import type { CardFacts } from '../request.ts';
import { aChange, anEffect, someFacts } from './card.fixture.ts';
import { factsOf } from './facts.ts';

const facts = (given: Partial<CardFacts>, tool = 'write-file'): ApprovalCard['facts'] =>
  factsOf(tool, 'dangerous', someFacts(given));

describe('facts of a call', () => {
  it.each([
    [{ bytesBefore: 2914, bytesAfter: 3015 }, '2,914 → 3,015 bytes'],
    [{ bytesBefore: null, bytesAfter: 1 }, 'new file, 1 byte'],
  ])('The target of a change has its path and its sizes in words: %o [D13]', (bytes, measures) => {
    expect(facts({ change: aChange(bytes) }).target).toEqual({ label: 'Target', text: '/p/a.lisp', measures });
  });

  it('The target of a file that is moved or deleted has its size and when it was written [D13]', () => {
    const modified = new Date(2026, 0, 28, 11, 2).getTime();
    expect(facts({ target: { absolutePath: '/p/b', size: 41_731, modified } }).target).toEqual({
      label: 'Target',
      text: '/p/b',
      measures: '41,731 bytes · written 28 January 2026 at 11:02',
    });
  });

  it.each([
    [
      'Reversible: the text before is kept',
      { reversible: true, verdict: 'Reversible', why: 'the text before is kept' },
    ],
    ['Not reversible: it is sent', { reversible: false, verdict: 'Not reversible', why: 'it is sent' }],
    ['Not known', { reversible: false, verdict: 'Not known', why: '' }],
  ])('A card says whether a request can be undone, and why: %s [D13]', (reversible, undo) => {
    expect(facts({ reversible }).undo).toEqual(undo);
  });

  it('The level of a request says what makes it so, where that is known [D13]', () => {
    const why = (given: Partial<CardFacts>, tool?: string): string | null => facts(given, tool).level.why;
    expect([
      facts({}).level.word,
      why({ change: aChange() }),
      why({}, 'delete-file'),
      why({}, 'load-system'),
      why({ effect: anEffect() }),
    ]).toEqual([
      'Dangerous',
      'writes a file of the project',
      'removes a file of the project',
      null,
      'leaves the image',
    ]);
  });
});

describe('warning of a danger', () => {
  it.each<[string, Partial<CardFacts>, string | null]>([
    ['can be undone', { change: aChange() }, null],
    ['cannot be undone', { reversible: 'Not reversible: it is sent' }, 'cannot be undone'],
    ['configures other programs', { change: aChange(), configures: 'Git runs it.' }, 'configures other programs'],
  ])('A dangerous request that %s has the right warning', (_name, given, danger) => {
    expect(facts(given).level).toMatchObject({ word: 'Dangerous', danger });
  });

  it('A request below the level dangerous has no warning', () => {
    expect(
      factsOf('evaluate-lisp', 'cautious', someFacts({ reversible: 'Not reversible: no' })).level.danger,
    ).toBeNull();
  });
});

describe('facts of an effect', () => {
  it('The target of a program is its command', () => {
    expect(facts({ effect: anEffect({ program: true, targets: ['/bin/ls'] }) }).target?.label).toBe('Command');
  });

  it.each([
    ['program', '/usr/bin/rm', 'details'],
    ['program', '/p/rm', 'line'],
    ['program size', '72752', 'details'],
    ['program SHA-256', 'a3f5', 'details'],
    ['file ./a.sh', '/p/a.sh', 'details'],
    ['file a.sh', '/etc/passwd', 'line'],
    ['file a.sh inode', '1:2', 'details'],
    ['inode', '1:2', 'details'],
    ['working directory', '/p', 'line'],
    ['looked up by name', 'a.sh: the file could be replaced before the program reads it', 'line'],
    ['environment', 'LD_PRELOAD=/p/evil.so', 'line'],
  ])('The fact %s with the value %s is in its place: %s', (name, value, place) => {
    expect(facts({ effect: anEffect({ facts: [{ name, value }] }) }).known).toEqual([{ name, value, place }]);
  });

  const known = [
    { name: 'size', value: '41731' },
    { name: 'modified', value: '2026-01-28T11:02:03Z' },
    { name: 'contents', value: 'deleted too' },
    { name: 'thread', value: 'worker 1' },
  ];

  it('The facts of an effect are the real target with its size and date, then what else is known [G2]', () => {
    expect(facts({ effect: anEffect({ facts: known }) })).toMatchObject({
      target: {
        text: '/p/a.csv',
        measures: expect.stringMatching(/^41,731 bytes · written 28 January 2026/) as string,
      },
      known: [
        { name: 'size', place: 'target' },
        { name: 'modified', place: 'target' },
        { name: 'contents', value: 'deleted too', place: 'line' },
        { name: 'thread', value: 'worker 1', place: 'line' },
      ],
    });
  });

  it('The facts of an effect show a thread only where it is not the one that evaluations have anyway [G2]', () => {
    const [thread] = facts({ effect: anEffect({ facts: [{ name: 'thread', value: 'lisp-workbench worker' }] }) }).known;
    expect(thread!.place).toBe('nowhere');
  });

  it('A size or a time that the image told in its own words stays as it is, with nothing in it hidden [K2, G2]', () => {
    const told = [
      { name: 'size', value: 'un\u202Eknown' },
      { name: 'modified', value: 'never' },
    ];
    expect(facts({ effect: anEffect({ facts: told }) }).target!.measures).toBe('un⟨U+202E⟩known · written never');
  });

  it.each<[string, string[]]>([
    ['several', ['/p/1', '/p/2']],
    ['one of many characters', ['x'.repeat(14_000)]],
    ['one of two lines', ['/p/1\n/p/harmless']],
  ])('A target that is %s has no line among the facts [G2]', (_name, targets) => {
    expect(facts({ effect: anEffect({ targets }) }).target).toBeNull();
  });
});
