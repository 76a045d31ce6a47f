import { expect, it } from 'vitest';
import { evaluatedForm, frameRows } from './frames.ts';

const frame = (call: string) => ({ call, place: null, source: null, evaluated: false });
const stack = {
  frames: [frame('(A)'), frame('(B)'), frame('(EVAL (B))')],
  innerFrames: [
    { call: 'SB-IMPL::X', before: 0 },
    { call: 'SB-IMPL::Y', before: 2 },
    { call: 'SB-IMPL::Z', before: 3 },
  ],
};
const calls = (own: number, inner: boolean): string[] =>
  frameRows(stack, { own, inner }).map((row) => (row.kind === 'own' ? row.frame.call : row.call));

it("A card shows the code's own frames, and on demand those of SBCL and the workbench where they stand [G2]", () => {
  expect(calls(6, false)).toEqual(['(A)', '(B)', '(EVAL (B))']);
  expect(calls(2, false)).toEqual(['(A)', '(B)']);
  expect(calls(6, true)).toEqual(['SB-IMPL::X', '(A)', '(B)', 'SB-IMPL::Y', '(EVAL (B))', 'SB-IMPL::Z']);
  expect(calls(2, true)).toEqual(['SB-IMPL::X', '(A)', '(B)']);
});

it('A card names the form that was evaluated without the call around it [G2]', () => {
  expect(evaluatedForm('(EVAL (B 1))')).toBe('(B 1)');
  expect(evaluatedForm('(EVALUATE (B 1))')).toBe('(EVALUATE (B 1))');
});
