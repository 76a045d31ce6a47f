import { expect, it } from 'vitest';
import { suspendedLine } from './suspended-line.ts';

const place = { file: '/p/a.lisp', line: 2, text: '(delete-file f)' };
const text = ['(loop for f in files', '      do (delete-file f)', '      count t)'];

it('The line that runs is found, also where the text has moved, and none where it is another [G3]', () => {
  expect(suspendedLine(place, '/p/a.lisp', text)).toBe(2);
  expect(suspendedLine(place, '/p/a.lisp', ['', ';; new', ...text])).toBe(4);
  expect(suspendedLine(place, '/p/a.lisp', text.slice(1))).toBe(1);
  expect(suspendedLine(place, '/p/a.lisp', ['(delete-file f)', '', '(delete-file f)'])).toBeNull();
  expect(suspendedLine(place, '/p/a.lisp', ['(print f)'])).toBeNull();
  expect(suspendedLine(place, '/p/b.lisp', text)).toBeNull();
  expect(suspendedLine(null, '/p/a.lisp', text)).toBeNull();
});
