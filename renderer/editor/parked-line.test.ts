import { expect, it } from 'vitest';
import { parkedLine } from './parked-line.ts';

const place = { file: '/p/a.lisp', line: 2, text: '(delete-file f)' };
const text = ['(loop for f in files', '      do (delete-file f)', '      count t)'];

it('G3 finds the line that runs, also where the text has moved, and none where it is another', () => {
  expect(parkedLine(place, '/p/a.lisp', text)).toBe(2);
  expect(parkedLine(place, '/p/a.lisp', ['', ';; new', ...text])).toBe(4);
  expect(parkedLine(place, '/p/a.lisp', text.slice(1))).toBe(1);
  expect(parkedLine(place, '/p/a.lisp', ['(delete-file f)', '', '(delete-file f)'])).toBeNull();
  expect(parkedLine(place, '/p/a.lisp', ['(print f)'])).toBeNull();
  expect(parkedLine(place, '/p/b.lisp', text)).toBeNull();
  expect(parkedLine(null, '/p/a.lisp', text)).toBeNull();
});
