import { describe, expect, it } from 'vitest';
import type { DecidedApproval } from '#contract/approval.ts';
import { announcement, aroundPath, arrivals, cardsBelow, decidedWords, nextCard, openCard } from './cards.ts';
import { closedFolds, foldKey, NEW_DRAFT } from './draft.ts';
import { levelWhy, ruleParts, reversibility, sizeWords } from './facts.ts';
import { foldedKeys, isLispPath, shownArguments } from './sections.ts';
import { aCard, aChange } from './testing.ts';

const [one, two, three] = ['one', 'two', 'three'].map((id) => aCard({ id })) as [
  ReturnType<typeof aCard>,
  ReturnType<typeof aCard>,
  ReturnType<typeof aCard>,
];

describe('D13 the order of cards', () => {
  it.each([
    ['nothing waits', [], 'one', null],
    ['the first is open', [one, two], null, 'one'],
    ['what arrives before it takes nothing over', [three, one], 'one', 'one'],
    ['the next follows one that is gone', [two, three], 'one', 'two'],
  ])('%s', (_title, waiting, open, expected) => {
    expect(openCard(waiting, open)?.id ?? null).toBe(expected);
  });

  it('lists the others below, in the order in which they came', () => {
    expect(cardsBelow([one, two, three], 'two').map(({ id }) => id)).toEqual(['one', 'three']);
  });

  it('tells of arrivals alone', () => {
    const said = (before: (typeof one)[], after: (typeof one)[]): string => announcement(arrivals(before, after));
    expect([said([one], [one, two]), said([], [one, two]), said([one, two], [one])]).toEqual([
      'New request from claude-code: Write 4 bytes to a.lisp.',
      '2 requests wait for you.',
      '',
    ]);
  });
});

describe('D13 what was decided', () => {
  const decided = (change: Partial<DecidedApproval>): string => {
    const { outcome, headline, reason } = decidedWords({
      id: 'one',
      actor: one.actor,
      tool: 'write_file',
      headline: 'Write 4 bytes to a.lisp',
      decision: 'denied',
      by: 'you',
      reason: null,
      at: 0,
      undo: null,
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
    [{ by: 'nobody', reason: 'The window was closed.' }, 'Denied: write 4 bytes to a.lisp — The window was closed.'],
  ] satisfies [Partial<DecidedApproval>, string][])('%o', (change, words) => {
    expect(decided(change)).toBe(words);
  });

  it('sets the path apart', () => {
    expect([aroundPath('Write to a\u202E.txt now', 'a\u202E.txt'), aroundPath('Reset', undefined)]).toEqual([
      ['Write to ', 'a⟨U+202E⟩.txt', ' now'],
      ['Reset', '', ''],
    ]);
  });
});

describe('D13 the card after the open one', () => {
  it.each([
    ['follows it', [one, two, three], 'one', 'two'],
    ['is the first after the last', [one, two], 'two', 'one'],
    ['is none when no other waits', [one], 'one', null],
  ])('%s', (_what, waiting, open, next) => {
    expect(nextCard(waiting, open)?.id ?? null).toBe(next);
  });
});

describe('X14 the arguments of a request', () => {
  it('are all listed, and what is long is shown below them', () => {
    const shown = shownArguments(
      aCard({
        arguments: [
          { name: 'system', value: 'alexandria' },
          { name: 'code', value: '(a)\n(b)' },
        ],
      }),
    );
    expect([shown.listed, shown.sections.map(({ key, rows }) => [key, rows.length]), shown.wholes]).toEqual([
      [
        { name: 'system', value: 'alexandria', shownBelow: false },
        { name: 'code', value: '(a)\n(b)', shownBelow: true },
      ],
      [['argument code', 2]],
      [],
    ]);
  });

  it('leave out the reason that stands below as the claim, and only that', () => {
    const args = [
      { name: 'path', value: 'a.lisp' },
      { name: 'description', value: 'Why.' },
    ];
    const names = (claim: string | null): string[] =>
      shownArguments(aCard({ arguments: args, claim })).listed.map(({ name }) => name);
    expect([names('Why.'), names('Else.'), names(null)]).toEqual([
      ['path'],
      ['path', 'description'],
      ['path', 'description'],
    ]);
  });

  it('show a change through its comparison, and the whole on demand', () => {
    const change = aChange([{ before: 0, after: 1, lines: ['+(a)'] }], { bytesBefore: null });
    const passage = { name: 'original', value: '(b)\n(c)\n' };
    const card = aCard({ change });
    const shown = shownArguments({ ...card, arguments: [...card.arguments, passage] });
    expect([shown.sections.map(({ key }) => key), shown.wholes]).toEqual([
      ['change'],
      [
        { name: 'content', text: '(a)\n' },
        { name: 'original', text: '(b)\n(c)\n' },
      ],
    ]);
  });

  it('show the content itself, with why, where nothing was compared', () => {
    const [section] = shownArguments(
      aCard({ change: aChange([], { withoutDiff: 'The file on disk is no UTF-8 text.' }) }),
    ).sections;
    expect([section?.reason, section?.rows.length]).toEqual(['The file on disk is no UTF-8 text.', 1]);
  });

  it.each([
    [{ bytesBefore: null, bytesAfter: 0 }, 'The file will be empty.'],
    [{ bytesBefore: 4, bytesAfter: 4 }, 'The file already has this text. Nothing in it will change.'],
  ])('say when there is no difference: %o', (bytes, reason) => {
    expect(shownArguments(aCard({ change: aChange([], bytes) })).sections[0]?.reason).toBe(reason);
  });

  it('K3 must be opened again when the card is drawn again', () => {
    const long = aCard({ arguments: [{ name: 'code', value: '(padding)\n'.repeat(10_000) }] });
    const folded = foldedKeys(shownArguments(long).sections);
    const draft = { ...NEW_DRAFT, opened: [foldKey('f', 'argument code')] };
    expect([folded, closedFolds(draft, 'f', folded), closedFolds(draft, 'g', folded)]).toEqual([
      ['argument code'],
      [],
      ['argument code'],
    ]);
  });
});

describe('D13 the facts of a card', () => {
  it.each([
    ['src/a.lisp', true],
    ['shop.ASD', true],
    ['a.cl', true],
    ['lisp', false],
    ['a.lisp.txt', false],
  ])('%s is Lisp: %s', (path, lisp) => {
    expect(isLispPath(path)).toBe(lisp);
  });

  it('words', () => {
    expect([
      sizeWords(aChange([], { bytesBefore: 2914, bytesAfter: 3015 })),
      sizeWords(aChange([], { bytesBefore: null, bytesAfter: 1 })),
      reversibility('Reversible: the text before is kept'),
      reversibility('Not known'),
      ruleParts('Asked because write_file is a tool in propose mode.', 'write_file').map(
        ({ kind, text }) => `${kind} ${text}`,
      ),
    ]).toEqual([
      '2,914 → 3,015 bytes',
      'new file, 1 byte',
      { reversible: true, verdict: 'Reversible', why: 'the text before is kept' },
      { reversible: false, verdict: 'Not known', why: '' },
      ['words Asked because ', 'tool write_file', 'words  is a tool in ', 'mode propose', 'words  mode.'],
    ]);
  });
});

describe('D13 the level of a request', () => {
  it('says what makes it so, where that is known', () => {
    const why = (tool: string): string | null => levelWhy(aCard({ tool, change: null }));
    expect([levelWhy(aCard({ change: aChange([]) })), why('delete_file'), why('load_system')]).toEqual([
      'writes a file of the project',
      'removes a file of the project',
      null,
    ]);
  });
});
