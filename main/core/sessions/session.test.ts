import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { summarize } from './report.ts';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';

let bench: TestWorkbench;
let client: TestClient;

beforeAll(async () => {
  // Turns checkpoints off, because the tests check what is lost when an image without checkpoints ends.
  bench = await openTestWorkbench({ checkpoints: false });
  await bench.workbench.changeSettings({ heapMegabytes: 512 }); // a small heap, which one of the tests fills
  client = await bench.connect();
}, 120_000);

afterAll(() => bench.close());

/** Resolves when the session is evaluating this code. */
function running(summary: string): Promise<void> {
  const { session } = bench.workbench;
  return new Promise((resolve) => {
    const check = (): boolean => session.view().running?.summary === summarize(summary);
    if (check()) return resolve();
    const stop = session.events.on('changed', () => {
      if (!check()) return;
      stop();
      resolve();
    });
  });
}

describe('evaluated code that does its worst', () => {
  it.each<[string, string, RegExp]>([
    ['an endless recursion', '(labels ((f (n) (1+ (f n)))) (f 0))', /EXHAUSTED/],
    ['a list that fills the heap', '(let ((l nil)) (loop (push (make-list 1000) l)))', /\[ERROR\] .*(HEAP|IMAGE-LOST)/],
    ['one array that is too large', "(make-array (expt 10 12) :element-type '(unsigned-byte 8))", /HEAP-EXHAUSTED/],
    ['exit', '(sb-ext:exit :code 7)', /exit code 7/],
    ['exit with unwinding', '(unwind-protect (sb-ext:exit :code 3) (print :cleanup))', /exit code 3/],
    ['exit without unwinding', '(sb-ext:exit :code 5 :abort t)', /exit code 5/],
    ['its process killed', '(sb-posix:kill (sb-posix:getpid) 9)', /SIGKILL/],
    ['the end of its thread', '(sb-thread:abort-thread)', /\[ERROR\]/],
    ['terminating itself', '(sb-thread:terminate-thread sb-thread:*current-thread*)', /\[ERROR\]/],
    ['the abort restart', '(invoke-restart (find-restart (quote abort)))', /\[ERROR\]/],
    ['a throw to the toplevel', "(throw 'sb-impl::toplevel-catcher t)", /\[ERROR\]/],
    ['a read from the terminal', '(read-char *terminal-io*)', /END-OF-FILE/],
    ['a null pointer', '(sb-sys:sap-ref-8 (sb-sys:int-sap 0) 0)', /\[ERROR\] .*MEMORY-FAULT/],
    [
      'a print method that signals',
      '(progn (defclass bad () ()) (defmethod print-object ((b bad) s) (error "no")) (make-instance (quote bad)))',
      /error/i,
    ],
    [
      'a print method that loops',
      '(progn (defclass slow () ()) (defmethod print-object ((b slow) s) (loop (sleep 0.01))) (make-instance (quote slow)))',
      /=>|ERROR/,
    ],
    [
      'a print method that floods',
      '(progn (defclass flood () ()) (defmethod print-object ((b flood) s) (loop (write-string "xxxxxxxxxx" s))) (make-instance (quote flood)))',
      /=>|ERROR/,
    ],
    [
      'a condition whose report signals',
      '(progn (define-condition rude (error) () (:report (lambda (c s) (declare (ignore c s)) (error "in report")))) (error (quote rude)))',
      /\[ERROR\] RUDE/,
    ],
    [
      'a handler that errs',
      '(handler-bind ((error (lambda (c) (declare (ignore c)) (error "in handler")))) (error "first"))',
      /in handler/,
    ],
    [
      'an error in a thread',
      '(sb-thread:join-thread (sb-thread:make-thread (lambda () (error "in thread"))) :default :gone)',
      /=> :GONE/,
    ],
    [
      'output of a thread',
      '(sb-thread:join-thread (sb-thread:make-thread (lambda () (format t "from a thread~%") 1)))',
      /\[stdout\]\nfrom a thread\n\n=> 1/,
    ],
    ['standard output set to nothing', '(progn (setf *standard-output* (make-broadcast-stream)) 1)', /=> 1/],
    [
      'the debugger hook taken away',
      '(let ((sb-ext:*invoke-debugger-hook* nil)) (setf *debugger-hook* nil) 1)',
      /=> 1/,
    ],
    [
      'the current package deleted',
      '(progn (defpackage :doomed (:use :cl)) (in-package :doomed) (cl:delete-package :doomed) 1)',
      /=> 1|ERROR/,
    ],
    ['text that no one can read', '#<unreadable>', /\[ERROR\] .*READER-ERROR/],
    ['a lone parenthesis', ')', /\[ERROR\] .*READER-ERROR/],
    ['nothing', '   ', /; No values|=> NIL/],
    ['a comment', ';; nothing\n#| nor here |#', /; No values|=> NIL/],
    ['odd characters', '(list "\u0000" "😀" "\u2028")', /=> \(/],
    ['a lone surrogate', '(length "\ud800")', /=> 1/],
    ['a long line', `(length "${'x'.repeat(200_000)}")`, /=> 200000/],
    ['a signal that nobody handles', "(signal 'error)", /=> NIL/],
    ['a compile error', '(funcall (lambda (x x) x) 1 2)', /\[ERROR\]/],
    ['a lock violated', '(defun car (x) x)', /\[ERROR\] .*LOCK/],
  ])('Evaluated code is answered and the next evaluation works after %s [K6]', async (_name, code, expected) => {
    expect(await client.evaluate(code)).toMatch(expected);
    const fresh = await bench.connect();
    expect(await fresh.evaluate('(+ 40 2)')).toBe('=> 42');
  });

  it('A flood of output is cut and counted, and memory stays flat [K6]', async () => {
    const before = process.memoryUsage().rss;
    const text = await client.evaluate('(dotimes (i 1000000) (write-line "0123456789012345678901234567890123456789"))');
    expect(text).toMatch(
      /^\[stdout\]\n[^]* characters are not shown here, and 39\d{6} more were not stored\. [^]*\n\n=> NIL$/,
    );
    expect(text.length).toBeLessThan(9_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  });
});

describe('interrupting', () => {
  it.each([
    ['a loop', '(loop)'],
    ['a loop that handles everything', '(loop (handler-case (loop) (condition () nil)))'],
    ['a sleep', '(sleep 1000)'],
    [
      'a wait for a lock',
      '(let ((lock (sb-thread:make-mutex))) (sb-thread:join-thread (sb-thread:make-thread (lambda () (sb-thread:grab-mutex lock)))) (sb-thread:grab-mutex lock))',
    ],
    ['a cleanup form that loops', '(unwind-protect (loop) (loop))'],
    ['a loop without interrupts', '(sb-sys:without-interrupts (loop))'],
  ])('An interrupt ends %s, and the next evaluation works [K6]', async (_name, code) => {
    const { session } = bench.workbench;
    const begun = new Promise<void>((resolve) => {
      const stop = session.events.on('output', ({ text }) => {
        if (!text.includes('begun')) return;
        stop();
        resolve();
      });
    });
    const evaluation = client.evaluate(`(progn (write-line "begun") (finish-output)) ${code}`);
    await begun;
    expect(await session.interrupt(null)).toBe(true);
    expect(await evaluation).toMatch(
      /^\[ERROR\] (SB-SYS:INTERACTIVE-INTERRUPT|THREAD-ENDED|LISP-WORKBENCH:IMAGE-LOST)/m,
    );
    expect(await client.evaluate('(+ 40 2)')).toBe('=> 42');
  });

  it('An interrupt keeps an evaluation that waits for its image to come up from ever running [K6]', async () => {
    const { session } = bench.workbench;
    const restarted = session.restart();
    const given = new AbortController();
    const evaluation = session.evaluate({
      evaluation: 'before-start',
      actor: { id: 'client:tester', kind: 'client', name: 'tester' },
      context: 'c',
      code: '(loop)',
      package: null,
      interactive: false,
      source: null,
      signal: given.signal,
    });
    given.abort();
    expect((await evaluation).report).toMatchObject({
      status: 'interrupted',
      condition: { type: 'LISP-WORKBENCH:NOT-EVALUATED', message: 'Cancelled before it was evaluated.' },
    });
    await restarted;
    expect(await client.evaluate('(+ 1 1)')).toMatch(/^=> 2\n\n\[image\]\nThe image was restarted/);
  });

  it('An interrupt takes an evaluation that waits for its turn out of the queue [K6]', async () => {
    const first = client.evaluate('(loop)');
    await running('(loop)');
    const controller = new AbortController();
    const actor = { id: 'client:x', kind: 'client', name: 'x' } as const;
    const { session } = bench.workbench;
    const second = session.evaluate({
      evaluation: 'waits-here',
      actor,
      context: 'x',
      code: '1',
      package: null,
      interactive: false,
      source: null,
      signal: controller.signal,
    });
    expect(session.view().waiting.map(({ evaluation }) => evaluation)).toEqual(['waits-here']);
    controller.abort();
    expect((await second).report.status).toBe('interrupted');
    await session.interrupt(null);
    await first;
  });

  it('A client that cancels its call stops its evaluation [K6]', async () => {
    const controller = new AbortController();
    const call = client.client.callTool(
      { name: 'evaluate-lisp', arguments: { code: '(loop for i from 0)' } },
      undefined,
      { signal: controller.signal },
    );
    await running('(loop for i from 0)');
    controller.abort();
    await expect(call).rejects.toThrow(/abort/i);
    expect(await client.evaluate('(+ 40 2)')).toBe('=> 42');
  });
});

describe('image that died', () => {
  it("An image that died leaves a list of what was lost, and the replay brings back the person's definitions and the systems [P4]", async () => {
    const { session, workbench } = { session: bench.workbench.session, workbench: bench.workbench };
    session.dismissLost();
    const person = (code: string): Promise<unknown> =>
      workbench.evaluateAsPerson({
        evaluation: crypto.randomUUID(),
        code,
        package: null,
        origin: 'repl',
        source: null,
      });
    await client.call('load-system', { system: 'alexandria' });
    await person('(defpackage :lost-and-found (:use :cl))');
    await person('(in-package :lost-and-found)');
    await person(
      '(defun mine (x) (list :mine x)) (defmethod twice ((x integer)) (* 2 x)) (defmethod twice ((x string)) (list x x))',
    );
    await person('(defun mine (x) (list :newer x))');
    await client.evaluate('(defun theirs () 1)');
    await client.evaluate('(sb-ext:exit :code 1)');
    expect(session.view().lost).toMatchObject({ reason: 'The image ended with exit code 1.', systems: ['alexandria'] });
    expect(
      session
        .view()
        .lost!.definitions.filter(({ name }) => /MINE|THEIRS/.test(name))
        .map(({ actor, name }) => `${actor} ${name}`),
    ).toEqual(['person MINE', 'client:tester THEIRS']);
    expect(await session.replay()).toMatchObject({ failed: [] });
    expect(
      await client.evaluate(
        '(list (lost-and-found::mine 1) (lost-and-found::twice 4) (first (lost-and-found::twice "a")) (fboundp (quote theirs)) (not (null (find-package :alexandria))))',
      ),
    ).toBe('=> ((:NEWER 1) 8 "a" NIL T)');
    expect(session.view().lost).toBeNull();
  });

  it('A replay that takes the next image down keeps what was not replayed yet [P4]', async () => {
    const { workbench } = bench;
    const { session } = workbench;
    await client.call('reset-session');
    const person = (code: string): Promise<unknown> =>
      workbench.evaluateAsPerson({
        evaluation: crypto.randomUUID(),
        code,
        package: null,
        origin: 'repl',
        source: null,
      });
    const deadly =
      '(defvar *deadly* (if (probe-file "again") (sb-ext:exit :code 4) (with-open-file (s "again" :direction :output) 1)))';
    await person(deadly);
    await person('(defun after-it () 1)');
    await client.evaluate('(sb-ext:exit :code 1)');
    expect((await session.replay()).failed).toMatchObject([{ what: 'DEFVAR *DEADLY*' }]);
    expect(session.view().lost!.definitions.map(({ name }) => name)).toEqual(['AFTER-IT']);
    expect((await session.replay()).failed).toEqual([]);
    expect(await client.evaluate('(list (after-it) (boundp (quote *deadly*)))')).toMatch(
      /^=> \(1 NIL\)\n\n\[image\]\nThe image ended with exit code 4\./,
    );
  });
});
