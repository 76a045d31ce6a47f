import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InspectedPage } from '#contract/inspection.ts';
import { openTestImage, type TestImage } from './image.fixture.ts';

let lisp: TestImage;

const page = { holder: 'inspector', view: null, offset: 0, limit: 50, package: 'INSPECTED' };

beforeAll(async () => {
  lisp = await openTestImage();
  await lisp.value(
    `(defpackage :inspected (:use :cl)) (in-package :inspected)
     (defclass base () ((id :initarg :id :initform 7) (shared :allocation :class :initform "all")))
     (defclass broken (base) ((fine :initform 1) (bad :initform 2) empty (wide :type (integer 0 9) :initform 3)))
     (defmethod sb-mop:slot-value-using-class ((class standard-class) (it broken) slot)
       (if (eq 'bad (sb-mop:slot-definition-name slot)) (error "No reading.") (call-next-method)))
     (defclass rude () ()) (defmethod print-object ((it rude) stream) (error "No."))
     (defstruct point (x 1 :type fixnum) (y 2 :read-only t))
     (define-condition trouble (error) ((why :initarg :why)) (:report "There is trouble."))
     (defgeneric area (shape &key unit) (:documentation "Square."))
     (defmethod area ((shape point) &key unit) unit) (defmethod area :around ((shape base) &key unit) unit)
     (defun plain (a &optional b) "Plain." (list a b))
     (defun counter () (let ((count 41) (step 1)) (lambda () (incf count step))))`,
    { context: 'inspected' },
  );
});

afterAll(() => lisp.close());

async function inspected(code: string, more: Partial<typeof page> & { view?: string | null } = {}) {
  const reply = await lisp.run('inspect-expression', { ...page, code, ...more });
  if (!reply.result) throw new Error(JSON.stringify(reply.condition));
  return reply.result;
}

const look = async (code: string, more: object = {}) => (await inspected(code, more)).page;
const rows = ({ parts }: InspectedPage) => parts.map(({ label, text }) => `${label} = ${text}`);
const facts = (shown: InspectedPage) => Object.fromEntries(shown.facts.map(({ label, value }) => [label, value]));

it('explores', async () => {
  for (const code of [ `'(1 2 . 3)`, `*standard-output*`, `(make-two-way-stream *standard-input* *standard-output*)`,
    `sb-thread:*current-thread*`, `(first (remove sb-thread:*current-thread* (sb-thread:list-all-threads)))`, `(sb-thread:main-thread)`, `(sb-thread:make-thread (lambda () (sleep 100)) :name "mine")`, `#'plain`, `(counter)`, `#'area`, `(first (sb-mop:generic-function-methods #'area))`, 
    `(sb-sys:int-sap 1)`, `nil`, `(lambda (x) x)`, `(asdf:find-system "asdf")`, `#'car`, `(sb-ext:make-weak-pointer "x")`, `(sb-thread:make-mutex)`, `(find-package :cl)`,`*readtable*`,
  ]) {
    const { handle, page: shown } = await inspected(code);
    console.log(code, shown.kind, '|', shown.title, '|', shown.type, '|', shown.views.join(','), '|', shown.text.slice(0, 80), shown.problem);
    console.log(JSON.stringify(facts(shown)));
    for (const view of shown.views) {
      const other = await lisp.ask('inspect', { handle, ...page, view, limit: 8 });
      console.log('   ', view, other.total, other.more, other.problem, other.parts.map((p) => `${p.label} = ${p.text}${p.editable ? ' e' : ''}${p.state !== 'value' ? ' ' + p.state : ''} ${p.type} ${p.group ?? ''} ${p.note ?? ''}`).join(' ; '));
    }
  }
});
