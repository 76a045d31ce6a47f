import { describe, expect, it } from 'vitest';
import { aCard, aChange, anEffect } from '#core/approvals/card/card.fixture.ts';
import { describe as describeCard } from '#core/approvals/card/card-text.ts';
import { answerOf, promptOf } from './terminal-card.ts';

const spoof = 'x\nApprove? y(es), n(o) [reason], e(dit): y';

const card = aCard({
  headline: `Write 1 bytes to ${spoof}`,
  arguments: [
    { name: 'path', value: spoof },
    { name: 'content', value: '\u001b[2J\u202E' },
  ],
  editable: 'content',
  reversible: '',
});

it('A card at the terminal has no line of its own making: what a client wrote is marked or on one line [D13]', () => {
  const lines = describeCard(card).split('\n');
  expect(lines.filter((line) => line.startsWith('Approve?'))).toEqual([]);
  expect(lines.at(-2)).toBe('  content: ⟨U+001B⟩[2J⟨U+202E⟩');
});

it('A card at the terminal warns of a file that configures other programs, above all that the client wrote', () => {
  const lines = describeCard(aCard({ configures: 'A shell runs it.' })).split('\n');
  expect(lines[3]).toBe(
    'Careful: A shell runs it. Each change of this file needs your approval: rules do not apply to such files.',
  );
});

const effect = {
  ...anEffect(),
  facts: [
    { name: 'size', value: '12' },
    { name: 'thread', value: 'worker\u202E' },
  ],
  frames: [{ call: '(PRUNE "a\nb")', place: 'shop.lisp:3', source: null, evaluated: false }],
  targets: [
    { text: spoof, difference: 'size 12' },
    { text: '/p/b', difference: 'size 3' },
  ],
  before: ['write /p/a: proceeded'],
  beforeCount: 1,
};
const line = { kind: 'added', text: spoof, before: null, after: 1 } as const;
const hunk = {
  lines: [line],
  title: 'defun a',
  name: 'a',
  what: 'function',
  evidence: { words: 'Image already runs this', inImage: true },
};
const change = aChange({ hunks: [hunk, hunk, hunk], added: 3 });
const effectCard = aCard({ effect, reversible: '' });
const hunkCard = aCard({ change, choosable: true, editable: 'content', arguments: [{ name: 'content', value: '' }] });

describe('effects at the terminal', () => {
  it('An effect at the terminal has its targets, facts, frames and what was done before, no line of it of its own making [G2, G3]', () => {
    const lines = describeCard(effectCard).split('\n').slice(4, -2);
    expect(lines).toEqual([
      '  target 1 of 2: x',
      '  | Approve? y(es), n(o) [reason], e(dit): y',
      '    size 12',
      '  target 2 of 2: /p/b',
      '    size 3',
      '  size: 12',
      '  thread: worker⟨U+202E⟩',
      '  frame 0: (PRUNE "a⟨U+000A⟩b") (shop.lisp:3)',
      '  before this, 1 in this evaluation:',
      '  | write /p/a: proceeded',
    ]);
  });

  it('An effect at the terminal is let go on, redirected, denied or aborted [G2, G3]', () => {
    expect(promptOf(effectCard, null)).toBe('Approve? y(es), n(o) [reason], p(ath) PATH, a(bort) [reason]: ');
    expect(
      ['y', 'p out/b c.txt', 'n later', 'a', 'abort it loops', 'h 1', 'e'].map((each) =>
        answerOf(each, effectCard, null),
      ),
    ).toEqual([
      { decision: 'approved' },
      { decision: 'approved', path: 'out/b c.txt' },
      { decision: 'denied', reason: 'later' },
      { decision: 'denied', reason: '', abort: true },
      { decision: 'denied', reason: 'it loops', abort: true },
      null,
      null,
    ]);
  });
});

describe('what is typed with a yes', () => {
  it('A yes needs the word of the prompt, where there is one: without it nothing runs, while a no needs none', () => {
    expect(promptOf(effectCard, 'kotam')).toBe(
      'Approve? y(es) kotam, n(o) [reason], p(ath) kotam PATH, a(bort) [reason]: ',
    );
    const answers = ['y', 'y other', 'y kotam', 'p kotam out/b c', 'p out', 'n', 'a', 'y Kotam x', ''];
    expect(answers.map((each) => answerOf(each, effectCard, 'kotam'))).toEqual([
      'unconfirmed',
      'unconfirmed',
      { decision: 'approved' },
      { decision: 'approved', path: 'out/b c' },
      'unconfirmed',
      { decision: 'denied', reason: '' },
      { decision: 'denied', reason: '', abort: true },
      null,
      null,
    ]);
    expect(['e kotam', 'h kotam 1', 'e', 'h 1'].map((each) => answerOf(each, hunkCard, 'kotam'))).toEqual([
      'edit',
      { decision: 'approved', hunks: [0] },
      'unconfirmed',
      'unconfirmed',
    ]);
  });

  it('A yes needs the number of targets, where they may have gone off the screen', () => {
    const targets = Array.from({ length: 21 }, (_, index) => ({ text: `/p/${index}`, difference: '' }));
    const many = aCard({ effect: { ...effect, targets } });
    expect(promptOf(many, null)).toMatch(/^Approve\? y\(es\) 21, /);
    expect(['y', 'y 20', 'y 21'].map((each) => answerOf(each, many, null))).toEqual([
      'unconfirmed',
      'unconfirmed',
      { decision: 'approved' },
    ]);
    expect(describeCard(many)).toContain('  target 21 of 21: /p/20\n');
  });
});

describe('hunks at the terminal', () => {
  it('Hunks at the terminal are numbered, with what is known of them [D13]', () => {
    expect(describeCard(hunkCard)).toContain('\n[2, defun a, Image already runs this]\n');
  });

  it('Hunks at the terminal are taken by their numbers, and those that are not there are asked for again [D13]', () => {
    expect(promptOf(hunkCard, null)).toBe('Approve? y(es), n(o) [reason], e(dit), h(unks) 1,3: ');
    expect(['h 1,3', 'hunks 2', 'h 4', 'h 0', 'h', 'a', 'p x'].map((each) => answerOf(each, hunkCard, null))).toEqual([
      { decision: 'approved', hunks: [0, 2] },
      { decision: 'approved', hunks: [1] },
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});
