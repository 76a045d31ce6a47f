import { describe, expect, it } from 'vitest';
import type { DecidedApproval } from '#contract/decisions/approval.ts';
import { announcement, aroundPath, arrivals, cardsBelow, decidedWords, nextCard, openCard } from './cards.ts';
import { aCard } from '../testing.ts';

const [one, two, three] = ['one', 'two', 'three'].map((id) => aCard({ id })) as [
  ReturnType<typeof aCard>,
  ReturnType<typeof aCard>,
  ReturnType<typeof aCard>,
];

describe('order of cards', () => {
  it.each([
    ['nothing waits', [], 'one', null],
    ['the first is open', [one, two], null, 'one'],
    ['what arrives before it takes nothing over', [three, one], 'one', 'one'],
    ['the next follows one that is gone', [two, three], 'one', 'two'],
  ])('The right card is open: %s [D13]', (_title, waiting, open, expected) => {
    expect(openCard(waiting, open)?.id ?? null).toBe(expected);
  });

  it('The other cards are listed below, in the order in which they came [D13]', () => {
    expect(cardsBelow([one, two, three], 'two').map(({ id }) => id)).toEqual(['one', 'three']);
  });

  it('An announcement warns of a file that configures other programs', () => {
    expect(announcement([aCard({ headline: 'Write 2 bytes to .envrc', configures: 'A shell runs it.' })])).toBe(
      'New request from claude-code: Write 2 bytes to .envrc. Careful: A shell runs it.',
    );
  });

  it('An announcement tells of arrivals alone [D13]', () => {
    const said = (before: (typeof one)[], after: (typeof one)[]): string => announcement(arrivals(before, after));
    expect([said([one], [one, two]), said([], [one, two]), said([one, two], [one])]).toEqual([
      'New request from claude-code: Write 4 bytes to a.lisp.',
      '2 requests are waiting for you.',
      '',
    ]);
  });
});

describe('what was decided', () => {
  const decided = (change: Partial<DecidedApproval>): string => {
    const { outcome, headline, reason } = decidedWords({
      id: 'one',
      actor: one.actor,
      tool: 'write-file',
      headline: 'Write 4 bytes to a.lisp',
      decision: 'denied',
      by: 'you',
      reason: null,
      at: 0,
      undo: null,
      failure: null,
      ...change,
    });
    return `${outcome}: ${headline}${reason ? ` — ${reason}` : ''}`;
  };

  it.each([
    [{ decision: 'approved' }, 'You approved: write 4 bytes to a.lisp'],
    [{ decision: 'modified' }, 'You approved with changes: write 4 bytes to a.lisp'],
    [{ decision: 'modified', reason: '2 of 3 changes' }, 'You approved: write 4 bytes to a.lisp — 2 of 3 changes'],
    [{ reason: 'Not\n now.' }, 'You denied: write 4 bytes to a.lisp — “Not now.”'],
    [{ reason: 'No reason was given.' }, 'You denied: write 4 bytes to a.lisp'],
    [
      { by: 'the deadline', reason: 'Nobody decided.' },
      'Denied by the deadline: write 4 bytes to a.lisp — Nobody decided.',
    ],
    [
      { decision: 'modified', reason: 'edited', failure: 'Tool error: a.lisp\nis gone.' },
      'You approved: write 4 bytes to a.lisp — edited; it failed: Tool error: a.lisp is gone.',
    ],
    [{ by: 'nobody', reason: 'The window was closed.' }, 'Denied: write 4 bytes to a.lisp — The window was closed.'],
  ] satisfies [Partial<DecidedApproval>, string][])('The decision %o is told in words: %s [D13]', (change, words) => {
    expect(decided(change)).toBe(words);
  });

  it('The headline of a decision sets the path apart [D13]', () => {
    expect([aroundPath('Write to a\u202E.txt now', 'a\u202E.txt'), aroundPath('Reset', undefined)]).toEqual([
      ['Write to ', 'a⟨U+202E⟩.txt', ' now'],
      ['Reset', '', ''],
    ]);
  });
});

describe('card after the open one', () => {
  it.each([
    ['follows it', [one, two, three], 'one', 'two'],
    ['is the first after the last', [one, two], 'two', 'one'],
    ['is none when no other waits', [one], 'one', null],
  ])('The next card %s [D13]', (_what, waiting, open, next) => {
    expect(nextCard(waiting, open)?.id ?? null).toBe(next);
  });
});
