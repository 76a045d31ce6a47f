import { describe, expect, it } from 'vitest';
import { editDefinitionIn } from './definition-edits.ts';

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

describe('names of definitions', () => {
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
  ])('A definition is named by %s', (definition, end) => {
    const after = editDefinitionIn(SOURCE, definition, '(new)', 'replace', 'a.lisp').text;
    expect(after.split('\n').find((line) => line.includes('(new)'))).not.toContain(end);
    expect(SOURCE.split('\n').filter((line) => !after.includes(line))).toEqual([expect.stringContaining(end)]);
  });

  it('A name that could mean several definitions is answered with all of them, each by a name that is its own', () => {
    expect(() => editDefinitionIn(SOURCE, 'price', '(new)', 'replace', 'a.lisp')).toThrow(
      'price names 3 forms of a.lisp: defmethod price (book) (line 1), defmethod price :around (book) (line 2), defmethod price :before (book) (line 3)',
    );
  });

  it('A definition that is not closed is replaced without the comments after it [issue 35.1]', () => {
    const source = '(defun hh (x)\n  (+ x 1\n\n;; about ii\n  ; and more\n\n(defun ii (x) x)\n';
    const rest = '\n\n;; about ii\n  ; and more\n\n(defun ii (x) x)\n';
    expect(editDefinitionIn(source, 'hh', '(defun hh (x) 2)', 'replace', 'a.lisp').text).toBe(
      `(defun hh (x) 2)${rest}`,
    );
    const after = editDefinitionIn('(defvar *a* (f) ; why\n', '*a*', '(defvar *a* 1)', 'replace', 'a.lisp').text;
    expect(after).toBe('(defvar *a* 1)\n');
  });

  it("Case counts within the bars of a symbol's name", () => {
    const source = '(defun |Mixed  Case| () 1)\n(defun |mixed  case| () 2)\n';
    const after = editDefinitionIn(source, 'DEFUN |Mixed  Case|', '(new)', 'replace', 'a.lisp').text;
    expect(after).toBe('(new)\n(defun |mixed  case| () 2)\n');
    expect(() => editDefinitionIn(source, 'nowhere', '(new)', 'replace', 'a.lisp')).toThrow(
      'The file defines: defun |Mixed  Case|, defun |mixed  case|.',
    );
  });

  it('A prefix is the package in which the file has the name', () => {
    const source = '(in-package :shop)\n(defun total () 1)\n(defun shop::other () 2)\n';
    const replaced = (definition: string) => editDefinitionIn(source, definition, '(new)', 'replace', 'a.lisp').text;
    for (const name of ['shop:total', 'defun SHOP::total']) expect(replaced(name)).not.toContain('(defun total');
    expect(replaced('shop::other')).not.toContain('other');
    expect(() => replaced('nowhere::total')).toThrow(
      'a.lisp defines total in package SHOP, not in nowhere. Omit the prefix.',
    );
  });

  it('A near name is told as near, of the same kind first, and nothing else is', () => {
    const source = '(defclass account () ())\n(defclass totals () ())\n(defun totals () 1)\n';
    const said = (definition: string) => {
      try {
        return editDefinitionIn(source, definition, '(new)', 'replace', 'a.lisp').text;
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(said('defun total')).toBe('a.lisp has no definition defun total. Near: defun totals, defclass totals.');
    expect(said('defclass totls')).toMatch(/ Near: defclass totals, defun totals\.$/);
    expect(said('defun zebra')).toMatch(/ No name is similar\. The file defines: defclass account, /);
  });

  it.each(['commented', 'in-text'])('The name %s does not find what is no code', (name) => {
    expect(() => editDefinitionIn(SOURCE, name, '(new)', 'replace', 'a.lisp')).toThrow(/has no definition/);
  });
});

it.each(['replace', 'after'] as const)(
  'A comment at the end of the text (%s) takes in nothing of the file',
  (place) => {
    const given = place === 'replace' ? '(defun a () 9) ; nine' : '(defun c () 9) ; nine';
    const after = editDefinitionIn('(defun a () 1) (defun b () 2)\n', 'a', given, place, 'a.lisp').text;
    expect(after.split('\n')).toContain(' (defun b () 2)');
  },
);

describe('replacement of a definition', () => {
  const BANK = `(defgeneric deposit (account amount))

(defmethod deposit ((account account) amount) (incf (balance account) amount))
`;
  const METHOD = '(defmethod deposit ((account account) amount) :new)';
  const replace = (definition: string, text: string, line?: number) =>
    editDefinitionIn(BANK, definition, text, 'replace', 'bank.lisp', line ?? null);

  it('A bare name means the generic function as well as its methods', () => {
    expect(() => replace('deposit', METHOD)).toThrow(
      'deposit names 2 forms of bank.lisp: defgeneric deposit (line 1), defmethod deposit (account t) (line 3). Specify the full name or the line.',
    );
  });

  it.each<[string, number?]>([
    ['defmethod deposit'],
    ['defmethod deposit (account t)'],
    ['deposit', 3],
    ['deposit (line 3)'],
    ['deposit:3'],
    ['line 3'],
  ])('A definition is named by %s %j', (definition, line) => {
    expect(replace(definition, METHOD, line)).toEqual({
      text: `(defgeneric deposit (account amount))\n\n${METHOD}\n`,
      renamed: null,
    });
  });

  it('A definition of another kind or name takes a place only where that is named in full, and it is told', () => {
    const source = '(defun area (x) x)\n';
    const text = '(defmacro area (x) x)';
    expect(() => editDefinitionIn(source, 'area', text, 'replace', 'a.lisp')).toThrow(
      'area is defun area in line 1 of a.lisp, and the text is defmacro area. To replace it, give the full name of the old definition: "defun area".',
    );
    expect(() => editDefinitionIn(source, 'area', '(defun aera (x) x)', 'replace', 'a.lisp')).toThrow(
      /the text is defun aera/,
    );
    expect(editDefinitionIn(source, 'defun area', text, 'replace', 'a.lisp').renamed).toBe(
      'defun area is now defmacro area.',
    );
  });

  it('No second definition of a name comes into the file, but for one under a feature', () => {
    expect(() => replace('defgeneric deposit', METHOD)).toThrow(
      'bank.lisp already has defmethod deposit (account t), in line 3.',
    );
    expect(() => editDefinitionIn(BANK, 'defgeneric deposit', METHOD, 'after', 'bank.lisp')).toThrow(
      /already has defmethod deposit .*, in line 3/,
    );
    const source = '#+sbcl (defun f () 1)\n#-sbcl (defun f () 2)\n';
    expect(editDefinitionIn(source, 'f', '(defun f () 3)', 'replace', 'a.lisp', 2).text).toBe(
      '#+sbcl (defun f () 1)\n#-sbcl (defun f () 3)\n',
    );
  });

  it('Each of two definitions that are alike can be named, and so can a form that defines nothing', () => {
    const twice = `${METHOD}\n${METHOD}\n(setf *x* 1)\n`;
    expect(() => editDefinitionIn(twice, 'defmethod deposit (account t)', METHOD, 'replace', 'b.lisp')).toThrow(
      /or the line/,
    );
    const text = '(defmethod deposit ((account account) amount) :second)';
    expect(editDefinitionIn(twice, 'deposit', text, 'replace', 'b.lisp', 2).text).toBe(
      `${METHOD}\n${text}\n(setf *x* 1)\n`,
    );
    expect(editDefinitionIn(twice, 'line 3', '(setf *x* 2)', 'replace', 'b.lisp').text).toContain('(setf *x* 2)');
    expect(() => editDefinitionIn(twice, 'line 4', '(x)', 'replace', 'b.lisp')).toThrow(
      'No top-level form begins in line 4',
    );
  });
});
