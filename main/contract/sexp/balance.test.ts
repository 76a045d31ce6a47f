import { describe, expect, it } from 'vitest';
import { explained, imbalanceOf, imbalanceText, missingClosers } from './balance.ts';

const said = (...lines: string[]): string | null => {
  const found = imbalanceOf(lines.join('\n'));
  return found && imbalanceText(found);
};

describe('lists that are never closed', () => {
  it('A list that is never closed is found in the bindings of a LET by the indentation after it', () => {
    expect(said('(defun f (x)', '  (let ((y 1)', '    (print y))', '  (g))')).toBe(
      'Line 2, column 8: ((y 1) is never closed, although line 3 is indented as if it were. Insert ) at the end of line 2.',
    );
  });

  it('A list that is never closed is found in the middle of a file, where the next definition begins in the first column', () => {
    expect(said('(defun a ()', '  (list 1 2)', '', '(defun b () 2)')).toBe(
      'Line 1, column 1: (defun a () is never closed. Insert ) at the end of line 2.',
    );
  });

  it('A list that is never closed is found in a line before another of the same depth', () => {
    expect(said('(progn', '  (print (list 1 2)', '  (print 3))')).toBe(
      'Line 2, column 3: (print (list 1 2) is never closed, although line 3 is indented as if it were. Insert ) at the end of line 2.',
    );
  });

  it('Several lists that are never closed are found at once, before a comment', () => {
    expect(said('(defun f ()', '  (when a', '    (foo (bar) ; comment )', '  (g))')).toBe(
      'Line 2, column 3: (when a is never closed, although line 4 is indented as if it were. Insert )) at the end of line 3.',
    );
  });

  it('A list that is never closed is found at the end of the text', () => {
    expect(said('(+ 1 (* 2 3')).toBe('Line 1, column 1: (+ 1 (* 2 3 is never closed. Insert )) at the end of line 1.');
  });
});

describe('lists that are nested deeply', () => {
  it.each([
    ['before a form in column 0', '\n(a)'],
    ['before an indented form', '\n (a)'],
    ['at the end of the text', ''],
  ])('Thousands of lists that are never closed are told without running out of stack: %s', (_name, rest) => {
    expect(said(`${'('.repeat(10_000)}${rest}`)).toMatch(/^Line 1, column \d+: \({40} … is never closed/);
  });
});

describe('closing parentheses too many', () => {
  it('A closing parenthesis too many is where the form ended too early, by the indentation of what follows', () => {
    expect(said('(defun f (x))', '  (print x))', '(g)')).toBe(
      'Line 1, column 13: This parenthesis closes (defun f (x)), although line 2 is indented as if that form continued; so the one in line 2 has no matching opening one. Delete this one.',
    );
  });

  it('A closing parenthesis too many is the one that closes nothing where the lines say no more', () => {
    expect(said('(f 1))')).toBe('Line 1, column 6: This closing parenthesis has no matching opening one. Delete it.');
  });
});

describe('what begins and never ends', () => {
  it('A string that begins and never ends is found', () => {
    expect(said('(print "abc)', '(foo)')).toMatch(/^Line 1, column 8: The string that begins here never ends\./);
  });

  it('Nothing is found in a text that reads, however it is indented, or with parentheses in strings and characters', () => {
    expect(said('(defun f ()', '(print 1)', '       #\\( ")" |(|)', '; )')).toBeNull();
  });
});

describe('message of a condition that ended the evaluation of a text', () => {
  const code = '(defun f (x)\n  (let ((y 1)\n    (print y))\n  x)\n';
  const END = { type: 'END-OF-FILE', message: 'end of file' };

  it('The message of a condition says where the text is not balanced, when reading ended for that', () => {
    expect(explained(END, code)).toBe(
      'end of file\nLine 2, column 8: ((y 1) is never closed, although line 3 is indented as if it were. Insert ) at the end of line 2.',
    );
  });

  it('The message of a condition counts the lines of the file that the text begins within', () => {
    expect(explained(END, code, 11)).toContain('Line 12, column 8: ((y 1) is never closed, although line 13 ');
  });

  it('The message of a condition is left as it is for a text that is balanced, and for other conditions', () => {
    expect([explained(END, '(read-line)'), explained({ type: 'TYPE-ERROR', message: 'no' }, code)]).toEqual([
      'end of file',
      'no',
    ]);
  });
});

it('Missing parentheses are located before a comment at the end of the line, and counted [issue 39.3]', () => {
  expect(missingClosers('(defun a (x)\n  (let ((y 1)\n    (+ x y)))')).toMatchObject({ line: 2, column: 14, count: 1 });
  expect(missingClosers('(defun a () ; first\n\n(defun b ())\n')).toMatchObject({ line: 1, column: 12, count: 1 });
  expect([missingClosers('(a))'), missingClosers('(a "b'), missingClosers('(a)')]).toEqual([null, null, null]);
});
