/** An image with objects of all kinds in the package INSPECTED, and functions that query the inspector. */
import { afterAll } from 'vitest';
import type { InspectedPage } from '#contract/image/inspection.ts';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';
import type { OperationReply } from '#core/lisp/messages.ts';

/** The default page of a request. */
export const page = { holder: 'inspector', view: null, offset: 0, limit: 50, package: 'INSPECTED' };

type Inspected = NonNullable<OperationReply<'inspect-expression'>['result']>;

interface InspectedImage {
  readonly lisp: TestImage;
  /** Inspects the value of an expression. @throws Error with the condition if there is no value. */
  readonly inspected: (
    code: string,
    more?: { view?: string | null; offset?: number; limit?: number },
  ) => Promise<Inspected>;
}

/** Opens an image for all tests of a file. Call it at the top of the file. */
export async function inspectedImage(): Promise<InspectedImage> {
  const lisp = await openTestImage();
  afterAll(() => lisp.close());
  await lisp.value(
    `(defpackage :inspected (:use :cl)) (in-package :inspected)
     (defclass base () ((id :initarg :id :initform 7) (shared :allocation :class :initform "all")))
     (defclass broken (base) ((bad :initform 2) empty (wide :type (integer 0 9) :initform 3)))
     (defmethod sb-mop:slot-value-using-class ((class standard-class) (it broken) slot)
       (if (eq 'bad (sb-mop:slot-definition-name slot)) (error "No reading.") (call-next-method)))
     (defclass endless () (one two three four five six))
     (defmethod sb-mop:slot-boundp-using-class ((class standard-class) (it endless) slot) (loop))
     (defclass rude () ()) (defmethod print-object ((it rude) stream) (error "No."))
     (defstruct point (x 1 :type fixnum) (y 2 :read-only t))
     (define-condition trouble (error) ((why :initarg :why)) (:report "There is trouble."))
     (defgeneric area (shape &key unit) (:documentation "Square."))
     (defmethod area ((shape point) &key unit) unit) (defmethod area :around ((shape base) &key unit) unit)
     (defun plain (a &optional b) "Plain." (list a b))
     (defvar *settings* 1) (defconstant +limit+ 9)
     (defun counter () (declare (optimize (debug 2))) (let ((count 41) (step 1)) (lambda () (incf count step))))`,
    { context: 'inspected' },
  );
  return {
    lisp,
    async inspected(code, more = {}) {
      const reply = await lisp.run('inspect-expression', { ...page, code, ...more });
      if (!reply.result) throw new Error(JSON.stringify(reply.condition));
      return reply.result;
    },
  };
}

/** Returns the parts of a page as text. */
export const rows = ({ parts }: InspectedPage): string[] => parts.map(({ label, text }) => `${label} = ${text}`);
