import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';
import { findSbcl } from '#core/lisp/start/sbcl.ts';

const images: TestImage[] = [];

async function open(): Promise<TestImage> {
  const test = await openTestImage();
  images.push(test);
  return test;
}

afterEach(async () => {
  await Promise.all(images.splice(0).map((test) => test.close()));
});

async function checkpoint({ image }: TestImage): Promise<number> {
  const made = await image.checkpoint();
  if ('reason' in made) throw new Error(made.reason);
  return made.pid;
}

/** Ends the image's current process and goes back to a checkpoint's process. */
async function goBack({ image }: TestImage, copy: number, reason = 'back') {
  const over = image.lifeOver;
  image.endLife(reason);
  await over;
  return image.wake(copy);
}

/** Resolves when the process is no longer running. A zombie counts as ended. */
async function gone(pid: number): Promise<void> {
  for (;;) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
    if (stat === null || /\) [ZX] /.test(stat)) return;
    await new Promise(setImmediate);
  }
}

/** Returns the kernel's flags for the memory region of a fresh object of the image. */
const FLAGS_OF_HEAP = `
  (let ((address (sb-kernel:get-lisp-obj-address (list 1))) (within nil))
    (with-open-file (maps "/proc/self/smaps")
      (loop for line = (read-line maps nil) while line
            do (let ((dash (position #\\- line)) (blank (position #\\Space line)))
                 (when (and dash blank (< dash blank) (every (lambda (c) (digit-char-p c 16)) (subseq line 0 dash)))
                   (setf within (<= (parse-integer line :end dash :radix 16) address
                                    (1- (parse-integer line :start (1+ dash) :end blank :radix 16))))))
               (when (and within (eql 0 (search "VmFlags:" line))) (return line)))))`;

/**
 * Options that make SBCL disable huge pages for its process (PR_SET_THP_DISABLE of prctl(2)), and then replace itself with the SBCL named
 * by the options that follow.
 */
const WITHOUT_HUGE_PAGES = `--noinform --end-runtime-options --no-sysinit --no-userinit --disable-debugger --eval '
  (let* ((arguments (rest sb-ext:*posix-argv*)) ; those that this SBCL has not taken
         (argv (sb-alien:make-alien sb-alien:c-string (1+ (length arguments)))))
    (sb-alien:alien-funcall (sb-alien:extern-alien "prctl" (function sb-alien:int sb-alien:int sb-alien:long sb-alien:long sb-alien:long sb-alien:long)) 41 1 0 0 0)
    (loop for argument in arguments for i from 0 do (setf (sb-alien:deref argv i) argument))
    (setf (sb-alien:deref argv (length arguments)) nil)
    (sb-alien:alien-funcall (sb-alien:extern-alien "execv" (function sb-alien:int sb-alien:c-string (* sb-alien:c-string))) (first arguments) argv))' --end-toplevel-options`;

describe('checkpoints', () => {
  it.runIf(process.platform === 'linux')(
    'The heap asks for huge pages, in later lives too, so that code does not pay for each page after a copy [issue 35.3]',
    async () => {
      const test = await open();
      expect(await test.value(FLAGS_OF_HEAP)).toMatch(/ hg\b/);
      const copy = await checkpoint(test);
      await goBack(test, copy);
      expect(await test.value(FLAGS_OF_HEAP)).toMatch(/ hg\b/);
    },
  );

  it('A checkpoint of an image that holds 300 MB is made, and brings back each object [issue 35.3]', async () => {
    const test = await open();
    await test.value(
      '(defvar *kept* (loop for i below 300000 collect (make-array 125 :initial-element i))) (sb-ext:gc :full t)',
    );
    const sum = '(loop for each in *kept* sum (aref each 124))';
    const copy = await checkpoint(test);
    expect(await test.value(`(progn (dolist (each *kept*) (fill each 1)) ${sum})`)).toBe('300000');
    await goBack(test, copy);
    expect(await test.value(sum)).toBe(String((300_000 * 299_999) / 2));
  });

  it.runIf(process.platform === 'linux')(
    'An image starts, and goes back, where the system gives no huge pages [issue 35.3]',
    async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'small-pages-'));
      try {
        const launcher = path.join(folder, 'sbcl');
        const { path: real } = await findSbcl(null);
        await writeFile(launcher, `#!/bin/sh\nexec '${real}' ${WITHOUT_HUGE_PAGES} '${real}' "$@"\n`, { mode: 0o755 });
        const test = await openTestImage({ launcher });
        images.push(test);
        expect(
          await test.value(
            '(sb-alien:alien-funcall (sb-alien:extern-alien "prctl" (function sb-alien:int sb-alien:int sb-alien:long sb-alien:long sb-alien:long sb-alien:long)) 42 0 0 0 0)',
          ),
        ).toBe('1');
        await test.value('(defvar *n* (make-list 1000 :initial-element 1))');
        const copy = await checkpoint(test);
        await test.value('(setf *n* (make-list 3000000))');
        await goBack(test, copy);
        expect(await test.value("(reduce #'+ *n*)")).toBe('1000');
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  );

  it('A checkpoint brings everything back as it was: functions, values, packages, even a redefined function of CL', async () => {
    const test = await open();
    await test.value('(defvar *x* (list 1 2)) (defun f () :old) (defpackage :p)');
    const copy = await checkpoint(test);
    await test.value(
      '(setf (first *x*) 9) (defun f () :new) (delete-package :p) (sb-ext:without-package-locks (defun cl:second (l) l :broken))',
    );
    await goBack(test, copy);
    expect(await test.value('(list *x* (f) (not (find-package :p)) (second (list 1 2)))')).toBe('((1 2) :OLD NIL 2)');
  });

  it('A checkpoint waits for what is just being looked up, which is answered all the same', async () => {
    const test = await open();
    await test.value(
      `(defpackage :slow (:use :cl))
              (defclass slow::snail () ())
              (defvar slow::*asked* (sb-thread:make-semaphore))
              (defmethod print-object ((it slow::snail) stream)
                (sb-thread:signal-semaphore slow::*asked*)
                (sleep 0.55)
                (write-string "#<snail>" stream))
              (defvar slow::*one* (make-instance 'slow::snail)) (defvar slow::*two* (list slow::*one*))
              (defvar slow::*three* (vector slow::*one*)) (setf * nil)`,
    );
    const asked = test.ask('list-definitions', {
      context: 'test',
      package: 'slow',
      groups: [['variable']],
      start: 0,
      count: 50,
    });
    await test.value('(progn (sb-thread:wait-on-semaphore slow::*asked*) nil)');
    const copy = await checkpoint(test);
    const { definitions } = await asked;
    expect(definitions.filter(({ value }) => value?.includes('#<snail>'))).toHaveLength(3);
    await goBack(test, copy);
    expect(await test.value('(length (list slow::*one* slow::*two*))')).toBe('2');
  });

  it('A checkpoint can be gone back to again and again, from later lives too', async () => {
    const test = await open();
    await test.value('(defvar *n* 0)');
    let copy = await checkpoint(test);
    for (let round = 0; round < 5; round += 1) {
      expect(await test.value('(incf *n*)')).toBe('1');
      ({ copy } = await goBack(test, copy));
    }
  });

  it('A checkpoint goes on after the process was killed, and after it ended itself', async () => {
    const test = await open();
    await test.value('(defvar *kept* :kept)');
    let copy = await checkpoint(test);
    for (const code of [
      '(sb-ext:exit :code 7 :abort t)',
      '(sb-posix:kill (sb-posix:getpid) 9)',
      '(sb-ext:exit :code 3)',
    ]) {
      const over = test.image.lifeOver;
      await test.evaluate(code).catch(() => {});
      await over;
      ({ copy } = await test.image.wake(copy));
      expect(await test.value('*kept*')).toBe(':KEPT');
    }
  });

  it('Checkpoints leave nothing of the process behind when the image is killed', async () => {
    const test = await open();
    const copies = [await checkpoint(test), await checkpoint(test)];
    const { copy, pid } = await goBack(test, copies[0]!);
    test.image.kill('over');
    await test.image.ended;
    await expect(Promise.all([...copies, copy, pid].map(gone))).resolves.toHaveLength(4);
  });

  it('Checkpoints leave the live process what it was: pid, timers, time limits, its processes and file locks', async () => {
    const test = await open();
    await test.value(
      `(defvar *fired* 0)
       (defvar *timer* (sb-ext:make-timer (lambda () (incf *fired*))))
       (sb-ext:schedule-timer *timer* 0.05 :repeat-interval 0.05)
       (defvar *child* (sb-ext:run-program "/bin/cat" nil :input :stream :wait nil))
       (defvar *pid* (sb-posix:getpid))
       (defvar *lock* (sb-posix:open "lock" (logior sb-posix:o-rdwr sb-posix:o-creat) #o600))
       (sb-posix:fcntl *lock* sb-posix:f-setlk (make-instance 'sb-posix:flock :type sb-posix:f-wrlck :whence 0 :start 0 :len 0))`,
    );
    for (let round = 0; round < 10; round += 1) await checkpoint(test);
    expect(
      await test.value(
        `(list (= *pid* (sb-posix:getpid))
               (let ((before *fired*)) (loop until (> *fired* (+ before 2)) do (sleep 0.01)) t)
               (handler-case (sb-ext:with-timeout 0.05 (sleep 20)) (sb-ext:timeout () :timeout))
               (progn (close (sb-ext:process-input *child*)) (sb-ext:process-wait *child*) (sb-ext:process-exit-code *child*)))`,
      ),
    ).toBe('(T T :TIMEOUT 0)');
    expect(await readFile('/proc/locks', 'utf8')).toMatch(new RegExp(`POSIX +ADVISORY +WRITE ${test.image.pid} `));
  });

  it('A checkpoint has its files again where they stood', async () => {
    const test = await open();
    await test.value(
      '(defvar *file* (open "log" :direction :output)) (progn (write-line "before" *file*) (finish-output *file*))',
    );
    const copy = await checkpoint(test);
    await test.value('(progn (write-line "undone" *file*) (finish-output *file*))');
    expect((await goBack(test, copy)).missing).toEqual([]);
    expect(
      await test.value(
        '(progn (write-line "after!" *file*) (finish-output *file*) (with-open-file (s "log") (list (read-line s) (read-line s) (read-line s nil))))',
      ),
    ).toBe('("before" "after!" NIL)');
  });

  it('A checkpoint has its timers again, and time limits', async () => {
    const test = await open();
    await test.value(`(defvar *fired* 0)
       (sb-ext:schedule-timer (sb-ext:make-timer (lambda () (incf *fired*))) 0.02 :repeat-interval 0.02)`);
    const copy = await checkpoint(test);
    expect((await goBack(test, copy)).missing).toEqual([]);
    expect(
      await test.value(`(list (handler-case (sb-ext:with-timeout 0.05 (sleep 20)) (sb-ext:timeout () :timeout))
               (let ((before *fired*)) (loop until (> *fired* (+ before 2)) do (sleep 0.01)) t))`),
    ).toBe('(:TIMEOUT T)');
  });

  it('A checkpoint that nobody waits for holds no garbage, unless a hook of the code had to be waited for', async () => {
    const test = await open();
    const young = async (): Promise<number> =>
      Number(await test.value('(floor (sb-ext:generation-bytes-allocated 0) 1000000)'));
    const waste = (): Promise<string> => test.value('(loop repeat 20 collect (length (make-list 100000)))');
    await waste();
    await test.image.checkpoint(false);
    expect(await young()).toBeGreaterThan(20);
    await test.image.checkpoint(true);
    expect(await young()).toBeLessThan(10);
    await test.value("(setf sb-ext:*after-gc-hooks* (cons 'sleep sb-ext:*after-gc-hooks*))");
    await waste();
    await test.image.checkpoint(true);
    expect(await young()).toBeGreaterThan(20);
  });

  it('Going back to a checkpoint says what did not come back', async () => {
    const test = await open();
    await test.value('(defvar *child* (sb-ext:run-program "/bin/cat" nil :input :stream :wait nil))');
    const { missing } = await goBack(test, await checkpoint(test));
    expect(missing).toEqual([
      '1 process that the image had started is no longer connected to it.',
      '1 pipe, connection or file that was open can no longer be used.',
    ]);
    expect(await test.value('(+ 1 2)')).toBe('3');
  });

  it.each([
    [
      'a thread of the user',
      '(sb-thread:make-thread (lambda () (sleep 1000)) :name "my server")',
      /1 thread is running: my server\./,
    ],
    [
      'threads without names',
      "(loop repeat 2 do (sb-thread:make-thread #'sleep :arguments 1000))",
      /2 threads are running/,
    ],
  ])('A checkpoint is refused while there is %s, and the image goes on', async (_, code, reason) => {
    const test = await open();
    await test.value(code);
    expect(await test.image.checkpoint()).toEqual({ reason: expect.stringMatching(reason) });
    expect(await test.value('(+ 1 2)')).toBe('3');
  });

  it('A checkpoint is refused while an evaluation waits for the person, and made once it has ended', async () => {
    const test = await open();
    const reading = test.evaluate('(read-line)', { interactive: true, evaluation: 'reading' });
    await test.next('input-requested');
    expect(await test.image.checkpoint()).toEqual({
      reason: '1 evaluation is waiting for input, a debugger or an approval.',
    });
    await test.ask('input', { evaluation: 'reading', text: 'x' });
    expect((await reading).values[0]!.text).toBe('"x"');
    await checkpoint(test);
  });

  it('Checkpoints are made between evaluations of other clients without losing one', async () => {
    const test = await open();
    const values = Array.from({ length: 100 }, (_, n) => test.value(`(+ ${n} 1)`));
    const copies = Array.from({ length: 10 }, () => test.image.checkpoint());
    expect(await Promise.all(values)).toEqual(Array.from({ length: 100 }, (_, n) => String(n + 1)));
    for (const made of await Promise.all(copies)) expect(made).toHaveProperty('pid');
  });

  it('A checkpoint survives a large frame that was torn when the process was killed', async () => {
    const test = await open();
    const copy = await checkpoint(test);
    const over = test.image.lifeOver;
    const flood = test.evaluate('(dotimes (i 100000) (write-line (make-string 1000)))', { outputLimit: 1e9 });
    flood.catch(() => {});
    await test.next('output');
    test.image.endLife('torn');
    await over;
    await test.image.wake(copy);
    expect(await test.value('(+ 1 2)')).toBe('3');
  });

  it('Checkpoints end with the program, even when that is killed', async () => {
    const script = `
      import { openTestImage } from ${JSON.stringify(path.join(import.meta.dirname, '../../../../main/core/lisp/image.fixture.ts'))};
      const test = await openTestImage();
      const copies = [await test.image.checkpoint(), await test.image.checkpoint()];
      console.log(JSON.stringify([test.image.pid, ...copies.map(({ pid }) => pid)]));
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '--no-warnings', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    child.kill('SIGKILL');
    const pids = JSON.parse(said.toString()) as number[];
    await expect(Promise.all(pids.map(gone))).resolves.toHaveLength(3);
  });

  it('Checkpoints are made while timers fire, whose threads may be at work', async () => {
    const test = await open();
    await test.value(
      `(defvar *fired* 0)
       (sb-ext:schedule-timer (sb-ext:make-timer (lambda () (incf *fired*) (sleep (random 0.004)))) 0.002 :repeat-interval 0.002)`,
    );
    let copy = 0;
    for (let round = 0; round < 20; round += 1) copy = await checkpoint(test);
    const firing = '(let ((before *fired*)) (loop until (> *fired* (+ before 2)) do (sleep 0.01)) t)';
    expect(await test.value(firing)).toBe('T');
    await goBack(test, copy);
    expect(await test.value(firing)).toBe('T');
  });

  it('A checkpoint loses no look-up that is asked just before it', async () => {
    const test = await open();
    const car = { context: 'test', symbol: 'car', package: 'CL' };
    for (let round = 0; round < 200; round += 1) {
      const asked = [1, 2, 3].map(() => test.ask('describe-symbol', car));
      const [copy, replies] = await Promise.all([checkpoint(test), Promise.all(asked)]);
      expect(replies).toHaveLength(3);
      test.image.drop(copy);
    }
  });

  it('A checkpoint loses no look-up that is too slow to end for it', async () => {
    const test = await open();
    await test.value(
      '(defclass slow () ()) (defmethod print-object ((x slow) s) (sleep 0.55) (write-string "slow" s)) (defvar *s* (list (make-instance (quote slow)) (make-instance (quote slow))))',
    );
    const asked = [1, 2, 3].map(() => test.ask('describe-symbol', { context: 'test', symbol: '*s*', package: null }));
    const made = test.image.checkpoint();
    await expect(Promise.all(asked)).resolves.toHaveLength(3);
    await made;
  }, 90_000);
});
