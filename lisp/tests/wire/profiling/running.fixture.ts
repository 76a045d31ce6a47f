/** An image with functions that take time and memory, in the package RUNNING, for tests of measuring and observing running code. */
import { afterAll } from 'vitest';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';

/** Opens an image for all tests of a file. Call it at the top of the file. */
export async function runningImage(): Promise<TestImage> {
  const lisp = await openTestImage();
  afterAll(() => lisp.close());
  await lisp.value(
    `(defpackage :running (:use :cl)) (in-package :running)
     (defun countdown (n) (if (zerop n) 0 (countdown (1- n))))
     (defun leave (x) (throw 'out x))
     (defun twice (x) (values x x)) (defun (setf twice) (value x) (list value x))
     (defmacro macro () nil)
     (defgeneric area (shape)) (defmethod area ((shape integer)) (* shape shape)) (defmethod area :around ((shape number)) (call-next-method))
     (defclass shape () ((side :initarg :side))) (defmethod print-object ((it shape) stream) (write-string (describe-shape it) stream))
     (defun describe-shape (it) (format nil "shape ~A" (slot-value it 'side)))
     (defun inner (n) (declare (optimize speed) (type (unsigned-byte 62) n)) (let ((sum 0)) (declare (type (unsigned-byte 62) sum)) (dotimes (i n sum) (setf sum (logxor sum (ldb (byte 60 0) (* i 17)))))))
     (defun outer (n) (let ((result (inner n))) (list result) result))
     (defun eat (n) (let ((kept '())) (dotimes (i n) (setf kept (make-array 1000))) kept))`,
    { context: 'test' },
  );
  return lisp;
}
