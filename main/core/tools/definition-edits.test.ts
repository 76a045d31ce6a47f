import { describe, expect, it } from 'vitest';
import { replaceDefinition } from './definition-edits.ts';

const SOURCE = `(defmethod price ((item book)) 1)
(defmethod price :around ((item book)) 2)
(defmethod price :before ((item book)) 3)
(defmethod (setf price) (new (item book)) 4)
(defun (setf stock) (new item) 5)
(cl:defun total () 6) (defun rest-of-line () 7)
(defstruct (point (:conc-name p-)) x)
#| (defun commented () 8) |#
(defvar *text* "(defun in-text () 9)")
`;

describe('one definition is named', () => {
  it.each([
    ['defmethod price (book)', '1)'],
    ['price (book)', '1)'],
    ['price :around (book)', '2)'],
    ['defmethod price :before (book)', '3)'],
    ['(setf price)', '4)'],
    ['(defmethod (setf price)', '4)'],
    ['defmethod (setf price) (t book)', '4)'],
    ['(SETF STOCK)', '5)'],
    ['total', '6)'],
    ['rest-of-line', '7)'],
    ['defstruct point', 'x)'],
  ])('by %s', (definition, end) => {
    const after = replaceDefinition(SOURCE, definition, '(new)', 'replace', 'a.lisp');
    expect(after.split('\n').find((line) => line.includes('(new)'))).not.toContain(end);
    expect(SOURCE.split('\n').filter((line) => !after.includes(line))).toEqual([expect.stringContaining(end)]);
  });

  it('else told with all that it could mean, each by a name that is its own', () => {
    expect(() => replaceDefinition(SOURCE, 'price', '(new)', 'replace', 'a.lisp')).toThrow(
      'price names 3 forms of a.lisp: defmethod price (book) (line 1), defmethod price :around (book) (line 2), defmethod price :before (book) (line 3)',
    );
  });

  it('case counts within bars', () => {
    const source = '(defun |Mixed  Case| () 1)\n(defun |mixed  case| () 2)\n';
    const after = replaceDefinition(source, 'DEFUN |Mixed  Case|', '(new)', 'replace', 'a.lisp');
    expect(after).toBe('(new)\n(defun |mixed  case| () 2)\n');
    expect(() => replaceDefinition(source, 'nowhere', '(new)', 'replace', 'a.lisp')).toThrow(
      'It defines: defun |Mixed  Case|, defun |mixed  case|.',
    );
  });

  it.each(['commented', 'in-text'])('not %s, which is no code', (name) => {
    expect(() => replaceDefinition(SOURCE, name, '(new)', 'replace', 'a.lisp')).toThrow(/has no definition/);
  });
});

it.each(['replace', 'after'] as const)(
  'a comment at the end of the text (%s) takes in nothing of the file',
  (place) => {
    const after = replaceDefinition('(defun a () 1) (defun b () 2)\n', 'a', '(defun a () 9) ; nine', place, 'a.lisp');
    expect(after.split('\n')).toContain(' (defun b () 2)');
  },
);
