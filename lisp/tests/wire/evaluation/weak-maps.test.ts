/** Facts that the engine stores about objects as long as the objects exist. They are tested during garbage collections. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';
import { AGENT } from '../effects.fixture.ts';

/** A system whose only file causes warnings and fails. The engine records the author of each of its definitions. */
const SYSTEM = '(defsystem "failing" :components ((:file "part")))';
const PART = `
  (defun one (x) (declare (type (integer 0 9) x)) x)
  unknown (declaim (ftype (function (symbol) list) two))
  unknown (defun two (x) (list x))
  unknown (defun three (x &optional (y 1)) (declare (type fixnum y)) (list x y))
  unknown (defun four (x &key (a 1) b) (declare (type fixnum a)) (list x a b))
  unknown (defun five (x &rest more) (list* x more))
  unknown (defstruct six (size 1 :type fixnum))
  unknown (defmethod seven ((x integer) &key a) (list x a))
  unknown (defun eight () (lambda (x) (declare (type string x)) x))`;
const LOADING = `
  (flet ((put (name form)
           (with-open-file (s (merge-pathnames name (lisp-workbench:temporary-directory))
                              :direction :output :if-exists :supersede)
             (write-string form s))))
    (put "failing.asd" "${SYSTEM.replaceAll('"', '\\"')}")
    (put "part.lisp" "${PART}")
    (asdf:clear-system "failing")
    (asdf:load-asd (merge-pathnames "failing.asd" (lisp-workbench:temporary-directory)))
    (asdf:load-system "failing" :force t))`;

let image: TestImage;
let said = '';

beforeAll(async () => {
  image = await openTestImage();
  image.image.events.on('process-output', ({ text }) => (said += text));
}, 120_000);

afterAll(() => image.close());

it('Each garbage collection finds a sound heap while systems are compiled and loaded that fail [K6]', async () => {
  // Makes the garbage collector verify all objects after each collection. It ends the process if it finds an invalid object.
  await image.value('(setf (extern-alien "verify_gens" (unsigned 8)) 0)');
  for (let round = 0; round < 25; round += 1) {
    // Older versions of SBCL fail to load the system; newer versions omit the code that would fail, because its value is unused.
    expect((await image.evaluate(LOADING, round % 2 === 0 ? {} : AGENT)).status).toMatch(/^(ok|error)$/);
  }
  expect(await image.value('(progn (gc :full t) 1)')).toBe('1');
  expect(said).not.toContain('failure');
});
