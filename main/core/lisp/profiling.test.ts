import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TracedCall } from '#contract/profiling.ts';
import { openTestImage, type TestImage } from './image.fixture.ts';

let lisp: TestImage;
const here = { context: 'test', package: 'RUNNING' };

beforeAll(async () => {
  lisp = await openTestImage();
  await lisp.value(
    `(defpackage :running (:use :cl)) (in-package :running)
     (defun countdown (n) (if (zerop n) 0 (countdown (1- n))))
     (defun leave (x) (throw 'out x))
     (defun twice (x) (values x x)) (defun (setf twice) (value x) (list value x))
     (defmacro macro () nil)
     (defgeneric area (shape)) (defmethod area ((shape integer)) (* shape shape)) (defmethod area :around ((shape number)) (call-next-method))
     (defclass shape () ((side :initarg :side))) (defmethod print-object ((it shape) stream) (write-string (describe-shape it) stream))
     (defun describe-shape (it) (format nil "shape ~A" (slot-value it 'side)))
     (defun inner (n) (declare (optimize speed)) (let ((sum 0)) (declare (type (unsigned-byte 62) sum)) (dotimes (i n sum) (setf sum (logxor sum (ldb (byte 60 0) (* i 17)))))))
     (defun outer (seconds) (let ((end (+ (get-internal-real-time) (* seconds internal-time-units-per-second)))) (loop while (< (get-internal-real-time) end) do (inner 100000))))
     (defun eat (n) (let ((kept '())) (dotimes (i n) (setf kept (make-array 1000))) kept))`,
    { context: 'test' },
  );
});

afterAll(() => lisp.close());

/** The calls of an evaluation and how many were dropped. */
async function traced(code: string) {
  const evaluation = `traced ${code}`;
  const reply = await lisp.evaluate(code, { evaluation, package: 'RUNNING' });
  const events = lisp.events.flatMap((event) => (event.event === 'trace' && event.evaluation === evaluation ? [event] : []));
  const output = lisp.events.flatMap((event) => (event.event === 'output' && event.evaluation === evaluation ? [event.text] : []));
  return { calls: events.flatMap(({ calls }) => calls), dropped: events.at(-1)?.dropped ?? 0, events, output: output.join(''), reply };
}

const told = (calls: TracedCall[]) => calls.map((call) => `${call.depth} ${call.function} ${call.kind} ${call.values.join(' ')}`.trim());

async function tracing<Result>(functions: string[], methods: boolean, action: () => Promise<Result>): Promise<Result> {
  await lisp.ask('trace', { ...here, functions, methods });
  try {
    return await action();
  } finally {
    await expect(lisp.ask('untrace', { ...here, functions: null })).resolves.toEqual({ traced: [] });
  }
}

it('explores', async () => {
  console.log(await lisp.ask('trace', { ...here, functions: ['countdown', '(setf twice)', 'macro', 'if', 'nothing', 'area'], methods: true }));
  console.log(await lisp.ask('traced', {}));
  console.log(await lisp.ask('untrace', { ...here, functions: ['area'] }));
  console.log(await lisp.ask('untrace', { ...here, functions: null }));
  await tracing(['countdown', 'leave', 'twice', '(setf twice)', 'area', 'describe-shape'], true, async () => {
    for (const code of ['(countdown 2)', "(catch 'out (leave 1))", '(twice 3)', '(setf (twice 1) 2)', '(area 3)', "(print (make-instance 'shape :side 2))", "(progn (defun twice (x) (list x)) (twice 5))", "(twice (make-instance 'shape))", '(countdown 10000)', '(sb-thread:join-thread (sb-thread:make-thread (lambda () (countdown 1)) :name "other"))', '(error "x ~A" (countdown 1))']) {
      const { calls, dropped, events, output, reply } = await traced(code);
      console.log(code, told(calls).slice(0, 8), calls.length, dropped, events.length, output, reply.status, reply.values[0]?.text, reply.condition, calls[0]);
    }
  });
  const run = { package: 'RUNNING', mode: 'cpu' as const, intervalMs: null, limit: 10 };
  console.dir(await lisp.run('profile', { ...run, code: '(outer 1)' }), { depth: 9 });
  console.dir(await lisp.run('profile', { ...run, mode: 'time', code: '(outer 1/2)' }), { depth: 9 });
  console.dir(await lisp.run('profile', { ...run, mode: 'alloc', code: '(eat 10000)' }), { depth: 9 });
  console.dir(await lisp.run('profile', { ...run, code: '(error "Stop.")' }), { depth: 9 });
  await lisp.value("(defvar running::*kept* (list 1 (vector (make-instance 'running::shape :side (list 1 2)))))");
  await lisp.value("(defvar running::*table* (let ((h (make-hash-table))) (setf (gethash 1 h) (make-instance 'running::shape :side (list 1 2))) h))");
  const found = await lisp.ask('instances', { ...here, class: 'shape', holder: 'me', limit: 10 });
  console.dir(found, { depth: 9 });
  console.time('why');
  for (const i of found.instances) console.dir(await lisp.ask('why-alive', { handle: i.handle, holder: 'me' }), { depth: 9 });
  console.timeEnd('why');
  console.dir(await lisp.ask('threads', {}), { depth: 9 });
  for (const i of (await lisp.ask('threads', {})).threads) {
    console.dir([i.name, await lisp.ask('thread-backtrace', { id: i.id ?? 0, limit: 20 })], { depth: 9 });
    console.dir([i.name, await lisp.ask('end-thread', { id: i.id ?? 0 })], { depth: 9 });
  }
}, 60000);
