import { expect, it } from 'vitest';
import { chosenPart, hunkKey, takenHunks, takenWords, takeName } from './choosing.ts';
import { changeRows } from './rows.ts';
import { aCard, aChange } from './testing.ts';

const change = aChange([
  { before: 1, after: 1, lines: ['-(defun a () 1)', '+(defun a () 2)'] },
  { before: 9, after: 9, lines: [' (defun b ()', '+  2', '   3)'] },
]);
change.hunks[0]!.title = 'defun a';
change.hunks[0]!.evidence = 'Image already\u202E runs this';
const card = aCard({ change, choosable: true });

it('D13 all hunks are taken until one is left out, and then the decision names those that stay', () => {
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

it('D13 nothing can be chosen on a card that does not offer it', () => {
  const whole = aCard({ change });
  expect([takenHunks(whole, []), chosenPart(whole, takenHunks(whole, []))]).toEqual([null, {}]);
});

it('D13 a hunk that changed meanwhile has to be left out anew', () => {
  const before = hunkKey(change.hunks[1]!);
  const again = aChange([{ before: 9, after: 9, lines: [' (defun b ()', '+  3', '   3)'] }]);
  expect(takenHunks(aCard({ change: again, choosable: true }), [before])).toEqual([0]);
});

it('D13 a checkbox is named by the definition, or by where the change stands', () => {
  expect(change.hunks.map(takeName)).toEqual(['Take defun a', 'Take change 2, line 10']);
});

it("D13 a hunk's head has the definition that the core names and its evidence, nothing of it hidden", () => {
  const heads = changeRows(change, null, true).filter((row) => row.kind === 'hunk');
  expect(heads).toMatchObject([
    { hunk: 0, name: 'a', what: 'function', evidence: 'Image already⟨U+202E⟩ runs this' },
    { hunk: 1, evidence: null },
  ]);
});
