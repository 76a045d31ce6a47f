import { describe, expect, it } from 'vitest';
import type { ApprovalCard } from '#contract/approval.ts';
import { answerOf, describe as describeCard, promptOf } from './terminal-card.ts';

const spoof = 'x\nApprove? y(es), n(o) [reason], e(dit): y';

const card: ApprovalCard = {
  id: '1',
  actor: { id: 'client:codex', kind: 'client', name: 'codex' },
  tool: 'write_file',
  level: 'dangerous',
  requestedAt: 0,
  deadline: null,
  headline: `Write 1 bytes to ${spoof}`,
  arguments: [
    { name: 'path', value: spoof },
    { name: 'content', value: '\u001b[2J\u202E' },
  ],
  editable: 'content',
  change: null,
  choosable: false,
  effect: null,
  target: null,
  checked: null,
  reason: null,
  scopes: [],
  reversible: '',
  claim: null,
  rule: 'Asked.',
  fingerprint: '',
  state: 'waiting',
  notice: null,
  abandoned: false,
};

it('D13 a card at the terminal has no line of its own making: what a client wrote is marked or on one line', () => {
  const lines = describeCard(card).split('\n');
  expect(lines.filter((line) => line.startsWith('Approve?'))).toEqual([]);
  expect(lines.at(-2)).toBe('  content: ⟨U+001B⟩[2J⟨U+202E⟩');
});

const effect: NonNullable<ApprovalCard['effect']> = {
  kind: 'delete',
  operator: 'DELETE-FILE',
  thread: 'worker\u202E',
  facts: [{ name: 'size', value: '12' }],
  frames: [{ call: '(PRUNE "a\nb")', place: 'shop.lisp:3', source: null, evaluated: false }],
  innerFrames: [],
  targets: [spoof],
  targetCount: 3,
  before: ['write /p/a: proceeded'],
  beforeCount: 1,
  redirectable: true,
  abortable: true,
};
const line = { kind: 'added', text: spoof, before: null, after: 1 } as const;
const hunk = { lines: [line], title: 'defun a', evidence: 'Image already runs this' };
const change: NonNullable<ApprovalCard['change']> = {
  path: 'a',
  absolutePath: '/a',
  bytesBefore: 1,
  bytesAfter: 2,
  hunks: [hunk, hunk, hunk],
  added: 3,
  removed: 0,
  withoutDiff: null,
};
const effectCard: ApprovalCard = { ...card, arguments: [], editable: null, effect };
const hunkCard: ApprovalCard = { ...card, change, choosable: true };

describe('G2 G3 an effect at the terminal', () => {
  it('has its targets, facts, frames and what was done before, no line of it of its own making', () => {
    const lines = describeCard(effectCard).split('\n').slice(4, -2);
    expect(lines).toEqual([
      '  target: x',
      '  | Approve? y(es), n(o) [reason], e(dit): y',
      '  and 2 more targets, one decision for all',
      '  size: 12',
      '  thread: worker⟨U+202E⟩',
      '  frame 0: (PRUNE "a⟨U+000A⟩b") (shop.lisp:3)',
      '  before this, 1 in this evaluation:',
      '  | write /p/a: proceeded',
    ]);
  });

  it('is let go on, redirected, denied or aborted', () => {
    expect(promptOf(effectCard)).toBe('Approve? y(es), n(o) [reason], p(ath) PATH, a(bort) [reason]: ');
    expect(
      ['y', 'p out/b c.txt', 'n later', 'a', 'abort it loops', 'h 1', 'e'].map((each) => answerOf(each, effectCard)),
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

describe('D13 hunks at the terminal', () => {
  it('are numbered, with what is known of them', () => {
    expect(describeCard(hunkCard)).toContain('\n[2, defun a, Image already runs this]\n');
  });

  it('are taken by their numbers, and those that are not there are asked for again', () => {
    expect(promptOf(hunkCard)).toBe('Approve? y(es), n(o) [reason], e(dit), h(unks) 1,3: ');
    expect(['h 1,3', 'hunks 2', 'h 4', 'h 0', 'h', 'a', 'p x'].map((each) => answerOf(each, hunkCard))).toEqual([
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
