/** Interruptions of threads that cannot be interrupted for a while. SBCL 2.2.9 ends its process if nine such threads unwind at once. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';

let image: TestImage;

beforeAll(async () => {
  image = await openTestImage();
});

afterAll(() => image.close());

it('A thread outlives all interruptions that unwind it, however many came while it could not be interrupted', async () => {
  const code = `
    (let* ((begun (sb-thread:make-semaphore)) (go nil) (unwound 0)
           (thread (sb-thread:make-thread
                    (lambda ()
                      (loop until (eql unwound 40)
                            do (catch 'out
                                 (sb-sys:without-interrupts
                                   (sb-thread:signal-semaphore begun)
                                   (loop until go do (sb-thread:thread-yield)))
                                 (loop (sleep 0.01))))
                      :alive))))
      (sb-thread:wait-on-semaphore begun)
      (loop repeat 40 do (sb-thread:interrupt-thread thread (lambda () (incf unwound) (throw 'out nil))))
      (setf go t)
      (sb-thread:join-thread thread))`;
  expect(await image.value(code)).toBe(':ALIVE');
});

it('Interruptions are served in the order in which they were sent, many thousand of them too', async () => {
  const code = `
    (let* ((served '()) (done (sb-thread:make-semaphore))
           (thread (sb-thread:make-thread (lambda () (sb-thread:wait-on-semaphore done)))))
      (dotimes (i 5000) (let ((i i)) (sb-thread:interrupt-thread thread (lambda () (push i served)))))
      (sb-thread:interrupt-thread thread (lambda () (sb-thread:signal-semaphore done)))
      (sb-thread:join-thread thread)
      (list (length served) (equal served (sort (copy-list served) #'>))))`;
  expect(await image.value(code)).toBe('(5000 T)');
});

it('An evaluation that cannot be interrupted is asked to end many times and looked at, and ends as soon as it can', async () => {
  const code = `(print :begun) (finish-output) (sb-sys:without-interrupts (loop until (probe-file "go") do (sb-thread:thread-yield)))`;
  const reply = image.evaluate(code, { evaluation: 'deaf' });
  await image.next('output');
  for (let times = 0; times < 40; times += 1) await image.ask('interrupt', { evaluation: 'deaf' });
  await writeFile(path.join(image.directory, 'go'), '');
  expect(await reply).toMatchObject({ status: 'interrupted' });
  expect(await image.value('(+ 1 2)')).toBe('3');
});

it('A look-up that cannot be ended in time is answered, and the image goes on when its code comes back', async () => {
  await image.value(`
    (defclass deaf () ())
    (defmethod print-object ((it deaf) stream)
      (sb-sys:without-interrupts (loop until (probe-file "come-back") do (sb-thread:thread-yield))) (write-string "heard" stream))
    (defvar *deaf* (make-instance 'deaf))`);
  const looked = image
    .ask('describe-symbol', { context: 'test', package: null, symbol: '*deaf*' })
    .then(() => null, String);
  expect(await looked).toContain('its thread was abandoned');
  await writeFile(path.join(image.directory, 'come-back'), '');
  expect(await image.value('(princ-to-string *deaf*)')).toBe('"heard"');
  expect(await image.value('(+ 1 2)')).toBe('3');
});
