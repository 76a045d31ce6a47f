/** An image that has loaded a file with definitions of every kind, for tests of the locations of definitions and references. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll } from 'vitest';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';

/** The text of the file. It contains non-ASCII characters, because these make offsets in octets and columns differ. */
export const SHOP = `(defpackage :shop (:use :cl))
(in-package :shop)
; 😀 (defun price (x) commented)
#+no-such-feature (defun price (x) hidden)
(defvar *tax* 2 "😀")
(defconstant +rate+ 3)
(defmacro with-till ((name) &body body) \`(let ((,name *tax*)) ,@body))
(progn
  (defun price (item) (+ item *tax*)) (defun total (items) (reduce #'+ (mapcar #'price items))))
(defgeneric discount (customer item)
  (:documentation "Less.")
  (:method ((customer string) item) (price item)))
(defmethod discount :around ((customer symbol) item)
  (list '(quoted (price)) (price item) (call-next-method)))
(defmethod discount ((customer symbol) item) (setf *tax* (price (price item))))
(defun (setf price) (value item) (list value item))
(defclass item () ((weight :initarg :weight :accessor weight)))
(defclass tool (item) ())
(defstruct point x y)
(define-condition sold-out (error) ())
(deftype amount () '(integer 0))
(define-symbol-macro till *tax*)
(define-compiler-macro total (&whole form items) (declare (ignore items)) form)
(defsetf shelf (n) (value) \`(list ,n ,value))
(define-method-combination loudest)
(defun sell () (with-till (tax) (let ((*tax* 1)) (list tax (price 2) (make-instance 'tool)))))
(defmethod weigh ((thing item)) thing)
`;

/**
 * Opens an image for a test file, and compiles and loads a file with SHOP in it. Returns the image and the loaded file's absolute path.
 * Call this function at the top of the test file.
 */
export async function shopImage(): Promise<{ lisp: TestImage; file: string }> {
  const lisp = await openTestImage();
  afterAll(() => lisp.close());
  const file = path.join(lisp.directory, 'shop.lisp');
  await writeFile(file, SHOP);
  await lisp.value(`(load (compile-file "${file}"))`);
  return { lisp, file };
}
