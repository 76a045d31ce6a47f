import { describe, expect, it } from 'vitest';
import { readText } from '#contract/sexp/reader.ts';
import { localAt, localPlaces, renamedLocal } from './scopes.ts';

/** Returns the text with brackets around all occurrences of the local name at `¦`; returns the text unchanged if the name is not local. */
function marked(written: string): string {
  const offset = written.indexOf('¦');
  const text = written.replace('¦', '');
  const binding = localAt(text, readText(text).forms, offset);
  const places = [...new Map((binding?.places ?? []).map((place) => [place.start, place])).values()];
  return places
    .toSorted((a, b) => b.start - a.start)
    .reduce((all, { start, end }) => `${all.slice(0, start)}[${all.slice(start, end)}]${all.slice(end)}`, text);
}

describe('the places of a local name', () => {
  it.each([
    // A variable and a function with the same name, an inner binding, and data.
    ['(defun f (¦list) (list list (let ((list 1)) list)))', '(defun f ([list]) (list [list] (let ((list 1)) list)))'],
    [
      '(defun f (a) \'(a b) `(a ,¦a ,@(g a)) "a" #\'a :a x:a)',
      '(defun f ([a]) \'(a b) `(a ,[a] ,@(g [a])) "a" #\'a :a x:a)',
    ],
    ['(let ((x x)) (¦x x))', '(let ((x x)) (x x))'],
    ['(let ((x x)) (f ¦x))', '(let (([x] x)) (f [x]))'],
    ['(let* ((x 1) (y x) (x ¦y)) x y)', '(let* ((x 1) ([y] x) (x [y])) x [y])'],
    ['(let* ((x 1) (x (f ¦x))) x)', '(let* (([x] 1) (x (f [x]))) x)'],
    ['(let (¦a (b 2)) (setf a b))', '(let ([a] (b 2)) (setf [a] b))'],
    // Functions.
    ["(flet ((g (x) (g x))) (¦g 1) #'g (let ((g 1)) g))", "(flet (([g] (x) (g x))) ([g] 1) #'[g] (let ((g 1)) g))"],
    ['(labels ((g (x) (¦g x))) (function g))', '(labels (([g] (x) ([g] x))) (function [g]))'],
    ['(macrolet ((m (x &body b) `(,x ,@b))) (¦m 1))', '(macrolet (([m] (x &body b) `(,x ,@b))) ([m] 1))'],
    ['(symbol-macrolet ((s (car x))) (setf ¦s 1))', '(symbol-macrolet (([s] (car x))) (setf [s] 1))'],
    // Lambda lists.
    [
      '(defun f (a &optional (b a bp) &key ((:k v) b) c &aux (d ¦a)) (list a b bp v c d))',
      '(defun f ([a] &optional (b [a] bp) &key ((:k v) b) c &aux (d [a])) (list [a] b bp v c d))',
    ],
    [
      '(defun f (&key (¦key 1 key-p)) (list key key-p :key))',
      '(defun f (&key ([key] 1 key-p)) (list [key] key-p :key))',
    ],
    ['(defmacro m ((a &key (b a)) &body c) `(,¦a ,b ,@c))', '(defmacro m (([a] &key (b [a])) &body c) `(,[a] ,b ,@c))'],
    [
      '(defmethod area :around ((s (eql x)) (r circle)) (h ¦r circle s))',
      '(defmethod area :around ((s (eql x)) ([r] circle)) (h [r] circle s))',
    ],
    [
      '(defgeneric g (x) (:method ((x foo)) (h ¦x)) (:method (y) y))',
      '(defgeneric g (x) (:method (([x] foo)) (h [x])) (:method (y) y))',
    ],
    ['(destructuring-bind (a (b . c) &rest d) (f a) ¦c)', '(destructuring-bind (a (b . [c]) &rest d) (f a) [c])'],
    ['(multiple-value-bind (q r) (f q) (list ¦q r))', '(multiple-value-bind ([q] r) (f q) (list [q] r))'],
    [
      '(lambda (x) (declare (type integer ¦x) (ignore x)) x)',
      '(lambda ([x]) (declare (type integer [x]) (ignore [x])) [x])',
    ],
    [
      "(flet ((h ())) (declare (ignore #'¦h) (inline h)) (h))",
      "(flet (([h] ())) (declare (ignore #'[h]) (inline [h])) ([h]))",
    ],
    // Iteration.
    ['(dolist (x (f x) x) (g ¦x))', '(dolist ([x] (f x) [x]) (g [x]))'],
    ['(do ((i 0 (1+ ¦i)) (j i)) ((> i 3) i) (f i j))', '(do (([i] 0 (1+ [i])) (j i)) ((> [i] 3) [i]) (f [i] j))'],
    [
      '(loop for x in l for (y . z) = ¦x collect x into r finally (return (cons x r)))',
      '(loop for [x] in l for (y . z) = [x] collect [x] into r finally (return (cons [x] r)))',
    ],
    [
      '(loop for x in l collect x into r when r count x into ¦r)',
      '(loop for x in l collect x into [r] when [r] count x into [r])',
    ],
    [
      '(let ((count 0) (in 1)) (loop for count in in sum ¦count))',
      '(let ((count 0) (in 1)) (loop for [count] in in sum [count]))',
    ],
    ['(let ((in 1)) (loop for x in ¦in do (f in)))', '(let (([in] 1)) (loop for x in [in] do (f [in])))'],
    [
      '(iter (for x in l) (collect (f ¦x) into y) (finally (return y)))',
      '(iter (for [x] in l) (collect (f [x]) into y) (finally (return y)))',
    ],
    // Clauses.
    [
      '(let ((error 1)) (handler-case (f error) (error (e) (g ¦error e))))',
      '(let (([error] 1)) (handler-case (f [error]) (error (e) (g [error] e))))',
    ],
    ['(let ((a 1)) (case ¦a (a 1) ((a b) a)))', '(let (([a] 1)) (case [a] (a 1) ((a b) [a])))'],
    ['(let ((a 1)) (cond (¦a) ((f a) a)))', '(let (([a] 1)) (cond ([a]) ((f [a]) [a])))'],
    ['(let ((b 1)) (block b (return-from b ¦b)))', '(let (([b] 1)) (block b (return-from b [b])))'],
    // Macros of libraries, recognized by conventional names.
    ['(with-open-file (s name) (read ¦s))', '(with-open-file ([s] name) (read [s]))'],
    ['(let ((lock 1)) (with-lock-held (¦lock) (f lock)))', '(let (([lock] 1)) (with-lock-held ([lock]) (f [lock])))'],
    ['(with-slots (x (y z)) o (f ¦x y z))', '(with-slots ([x] (y z)) o (f [x] y z))'],
    ['(with-slots (x (y z)) o (f x ¦y z))', '(with-slots (x ([y] z)) o (f x [y] z))'],
    ['(when-let ((a (f a)) (b a)) (g ¦a b))', '(when-let (([a] (f a)) (b a)) (g [a] b))'],
    ['(if-let (a (f a)) (g ¦a) b)', '(if-let ([a] (f a)) (g [a]) b)'],
    ['(with-gensyms (a) `(let ((,¦a 1)) ,a))', '(with-gensyms ([a]) `(let ((,[a] 1)) ,[a]))'],
    ['(dovector (x v) (f ¦x v))', '(dovector ([x] v) (f [x] v))'],
    // Names that are not local: special variables, functions, and names of definitions.
    ['(let ((*x* 1)) (f ¦*x*))', '(let ((*x* 1)) (f *x*))'],
    ['(defun f (x) (¦g x))', '(defun f (x) (g x))'],
    ['(defun ¦f (f) (f f))', '(defun f (f) (f f))'],
  ])('All places of the local name are found in %s', (written, expected) => {
    expect(marked(written)).toBe(expected);
  });
});

describe('renaming', () => {
  const renamed = (written: string): string => {
    const offset = written.indexOf('¦');
    const text = written.replace('¦', '');
    return renamedLocal(text, localAt(text, readText(text).forms, offset)!, 'new')
      .toSorted((a, b) => b.start - a.start)
      .reduce((all, edit) => `${all.slice(0, edit.start)}${edit.text}${all.slice(edit.end)}`, text);
  };

  it('Callers of a keyword parameter, and slots, keep the name that they have', () => {
    expect(renamed('(defun f (&key a (b 1)) (list ¦a b))')).toBe('(defun f (&key ((:a new)) (b 1)) (list new b))');
    expect(renamed('(defun f (&key a (b 1)) (list a ¦b))')).toBe('(defun f (&key a ((:b new) 1)) (list a new))');
    expect(renamed('(with-slots (x) o (f ¦x))')).toBe('(with-slots ((x new)) o (f new))');
    expect(renamed('(let ((¦x 1)) (f x x))')).toBe('(let ((new 1)) (f new new))');
  });

  it('The places of a name that are no local ones are told apart', () => {
    const text = '(defun list-of (x) x)\n(defun f (list-of) (list-of list-of))';
    const local = localPlaces(text, readText(text).forms, 'LIST-OF');
    expect([...local].map((end) => text.slice(0, end).split(' ').length)).toEqual([6, 8]);
  });
});
