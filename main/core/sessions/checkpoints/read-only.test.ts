import { describe, expect, it } from 'vitest';
import { readsOnly } from './read-only.ts';

describe('code that surely changes nothing', () => {
  it.each([
    '(+ 1 2)',
    '*package*',
    '42',
    "'(setf x 1)",
    '(list \'a (length "abc") #\'car)',
    '(if (fboundp (quote f)) 1 2)',
    '',
  ])('The code %s is known to change nothing', (code) => expect(readsOnly(code)).toBe(true));

  it.each([
    '(setf x 1)',
    '(my-function 1)',
    '(list (incf x))',
    '(+ 1 #.(setf x 2))',
    '(defun f () 1)',
    '((lambda () (setf x 1)))',
    "(funcall #'f)",
    '`(a ,(setf x 1))',
    '(mine:list 1)',
    '(+ 1',
    '#+sbcl (setf x 1)',
  ])('The code %s is not known to change nothing', (code) => expect(readsOnly(code)).toBe(false));
});
