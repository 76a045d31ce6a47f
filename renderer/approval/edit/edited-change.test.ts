import { expect, it } from 'vitest';
import { aCard, aChange } from '../testing.ts';
import { editedChange } from './edited-change.ts';

const lines = (card: ReturnType<typeof aCard>, area: string): string[][] | undefined =>
  editedChange(card, area)?.hunks.map((hunk) => hunk.lines.map(({ kind, text }) => `${kind} ${text}`));
const args = (...values: [string, string][]) =>
  values.map(([name, value]) => ({ name, value, place: 'change', size: '' }) as const);

it('The change of an edited text is compared with the passage that it replaces', () => {
  const card = aCard({
    change: aChange([]),
    editable: 'modified',
    arguments: args(['original', '(a)\r\n(b)\r\n'], ['modified', '(a)\n(c)\n']),
  });
  expect(lines(card, '(a)\n(d)\n')).toEqual([['same (a)', 'removed (b)', 'added (d)']]);
  expect(editedChange(card, '(a)\n(d)\n')?.hunks[0]).toMatchObject({
    what: 'Lines 1 to 2',
    lines: [
      { before: 1, after: 1 },
      { before: 2, after: null },
      { before: null, after: 2 },
    ],
  });
});

it('The change of an edited text is compared with the text of the agent if the call names no passage', () => {
  const card = aCard({ change: aChange([]), arguments: args(['content', '(a)\n']) });
  expect(lines(card, '(b)\n')).toEqual([['removed (a)', 'added (b)']]);
  expect(lines(card, '(a)\n')).toEqual([]);
});

it('Edited code that changes no file has no change to compare', () => {
  expect(editedChange(aCard({ change: null, arguments: args(['code', '(a)']) }), '(b)')).toBeNull();
});
