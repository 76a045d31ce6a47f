import { expect, it } from 'vitest';
import { isLispPath, lineAt, readLisp, touchedForms } from './lisp-file.ts';

it.each([
  ['src/a.lisp', true],
  ['shop.ASD', true],
  ['a.cl', true],
  ['lisp', false],
  ['a.lisp.txt', false],
])('The path %s is Lisp: %s [D13]', (path, lisp) => {
  expect(isLispPath(path)).toBe(lisp);
});

it('The line of each character is known, and the forms that stand in each line', () => {
  const text = '(a\n 1)\n\n(b) (c)\n(d)';
  const file = readLisp(text);
  expect([0, 2, 3, 7, 8, 13, text.length - 1].map((offset) => lineAt(file, offset))).toEqual([1, 1, 2, 3, 4, 4, 5]);
  const touched = [1, 2, 3, 4, 5, 6].map((after) =>
    touchedForms({ lines: [{ kind: 'added', text: '', before: null, after }] }, 'after', file).map(({ start, end }) =>
      text.slice(start, end),
    ),
  );
  expect(touched).toEqual([['(a\n 1)'], ['(a\n 1)'], [], ['(b)', '(c)'], ['(d)'], []]);
});
