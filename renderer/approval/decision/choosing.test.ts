import { expect, it } from 'vitest';
import { chosenPart, hunkKey, takenHunks, takenWords, takeName } from './choosing.ts';
import { changeRows } from '../diff/rows.ts';
import { aCard, aChange } from '../testing.ts';

const change = aChange([
  { before: 1, after: 1, lines: ['-(defun a () 1)', '+(defun a () 2)'] },
  { before: 9, after: 9, lines: [' (defun b ()', '+  2', '   3)'] },
]);
Object.assign(change.hunks[0]!, {
  title: 'defun a',
  name: 'a\u202E',
  what: 'function',
  evidence: { words: 'Image already\u202E runs this', inImage: true },
});
const card = aCard({ change, choosable: true });

it('All hunks are taken until one is left out, and then the decision names those that stay [D13]', () => {
  const left = [hunkKey(change.hunks[1]!)];
  const all = takenHunks(card, []);
  const one = takenHunks(card, left);
  expect([all, chosenPart(card, all)]).toEqual([[0, 1], {}]);
  expect([one, chosenPart(card, one), takenWords(card, one!)]).toEqual([
    [0],
    { hunks: [0] },
    '1 of 2 changes will be written',
  ]);
});

it('No hunk can be chosen on a card that does not offer it [D13]', () => {
  const whole = aCard({ change });
  expect([takenHunks(whole, []), chosenPart(whole, takenHunks(whole, []))]).toEqual([null, {}]);
});

it('A hunk that changed meanwhile has to be left out anew [D13]', () => {
  const before = hunkKey(change.hunks[1]!);
  const again = aChange([{ before: 9, after: 9, lines: [' (defun b ()', '+  3', '   3)'] }]);
  expect(takenHunks(aCard({ change: again, choosable: true }), [before])).toEqual([0]);
});

it('A checkbox is named by the definition, or by where the change stands [D13]', () => {
  expect(change.hunks.map(takeName)).toEqual(['Include defun a', 'Include change 2, line 10']);
});

it("A hunk's head has the definition that the core names and its evidence, nothing of it hidden [D13]", () => {
  const heads = changeRows(change, null, true).filter((row) => row.kind === 'hunk');
  expect(heads).toMatchObject([
    {
      hunk: 0,
      name: 'a⟨U+202E⟩',
      what: 'function',
      evidence: { words: 'Image already⟨U+202E⟩ runs this', inImage: true },
    },
    { hunk: 1, evidence: null },
  ]);
});
