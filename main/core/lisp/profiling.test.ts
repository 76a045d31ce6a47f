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
     (defun outer (n) (let ((result (inner n))) (list result) result))
     (defun eat (n) (let ((kept '())) (dotimes (i n) (setf kept (make-array 1000))) kept))`,
    { context: 'test' },
  );
});

afterAll(() => lisp.close());

/** The calls of an evaluation and how many were dropped. */
async function traced(code: string) {
  const evaluation = `traced ${code}`;
  const reply = await lisp.evaluate(code, { evaluation, package: 'RUNNING' });
  const events = lisp.events.flatMap((event) =>
    event.event === 'trace' && event.evaluation === evaluation ? [event] : [],
  );
  const output = lisp.events.flatMap((event) =>
    event.event === 'output' && event.evaluation === evaluation ? [event.text] : [],
  );
  return {
    calls: events.flatMap(({ calls }) => calls),
    dropped: events.at(-1)?.dropped ?? 0,
    events,
    output: output.join(''),
    reply,
  };
}

const told = (calls: TracedCall[]) =>
  calls.map((call) => `${call.depth} ${call.function} ${call.kind} ${call.values.join(' ')}`.trim());

async function tracing<Result>(functions: string[], methods: boolean, action: () => Promise<Result>): Promise<Result> {
  await lisp.ask('trace', { ...here, functions, methods });
  try {
    return await action();
  } finally {
    await expect(lisp.ask('untrace', { ...here, functions: null })).resolves.toEqual({ traced: [] });
  }
}

describe('D11 tracing', () => {
  it('says what cannot be traced', async () => {
    const functions = ['countdown', '(setf twice)', 'macro', 'if', 'nothing', 'area'];
    const all = [
      'RUNNING::COUNTDOWN',
      '(SETF RUNNING::TWICE)',
      'RUNNING::AREA',
      '(METHOD RUNNING::AREA :AROUND (NUMBER))',
      '(METHOD RUNNING::AREA (INTEGER))',
    ];
    await expect(lisp.ask('trace', { ...here, functions, methods: true })).resolves.toEqual({
      traced: all,
      problems: [
        { name: 'macro', reason: 'It is a macro.' },
        { name: 'if', reason: 'It is a special operator.' },
        { name: 'nothing', reason: 'There is no such name.' },
      ],
    });
    await expect(lisp.ask('traced', {})).resolves.toEqual({ traced: all });
    await expect(lisp.ask('untrace', { ...here, functions: ['area'] })).resolves.toEqual({ traced: all.slice(0, 2) });
    await expect(lisp.ask('untrace', { ...here, functions: null })).resolves.toEqual({ traced: [] });
    expect((await traced('(area 3)')).events).toEqual([]);
  });

  it.each<[string, string[]]>([
    ['(countdown 1)', ['0 COUNTDOWN enter 1', '1 COUNTDOWN enter 0', '1 COUNTDOWN exit 0', '0 COUNTDOWN exit 0']],
    ["(catch 'out (leave 1))", ['0 LEAVE enter 1', '0 LEAVE unwound']],
    ['(twice 3)', ['0 TWICE enter 3', '0 TWICE exit 3 3']],
    ['(setf (twice 1) 2)', ['0 (SETF TWICE) enter 2 1', '0 (SETF TWICE) exit (2 1)']],
    [
      '(area 3)',
      [
        '0 AREA enter 3',
        '1 (METHOD AREA :AROUND (NUMBER)) enter 3',
        '2 (METHOD AREA (INTEGER)) enter 3',
        '2 (METHOD AREA (INTEGER)) exit 9',
        '1 (METHOD AREA :AROUND (NUMBER)) exit 9',
        '0 AREA exit 9',
      ],
    ],
    ['(progn (defun leave (x) (list x)) (leave 5))', ['0 LEAVE enter 5', '0 LEAVE exit (5)']],
    [
      '(defmethod area ((shape ratio)) :ratio) (area 1/2)',
      [
        '0 AREA enter 1/2',
        '1 (METHOD AREA :AROUND (NUMBER)) enter 1/2',
        '1 (METHOD AREA :AROUND (NUMBER)) exit :RATIO',
        '0 AREA exit :RATIO',
      ],
    ],
    [
      "(twice (make-instance 'shape))",
      ['0 TWICE enter #<error UNBOUND-SLOT printing SHAPE>', expect.stringContaining('0 TWICE exit') as never],
    ],
  ])('tells the calls of %s', async (code, expected) => {
    const functions = ['countdown', 'leave', 'twice', '(setf twice)', 'area'];
    const { calls, output } = await tracing(functions, true, () => traced(code));
    expect(told(calls).map((line) => line.replaceAll('RUNNING::', ''))).toEqual(expected);
    expect(output).toBe('');
  });

  it('tells when and in which thread', async () => {
    const code = '(sb-thread:join-thread (sb-thread:make-thread (lambda () (countdown 0)) :name "other"))';
    const { calls } = await tracing(['countdown'], false, () => traced(code));
    expect(calls).toEqual([
      {
        function: 'RUNNING::COUNTDOWN',
        depth: 0,
        kind: 'enter',
        values: ['0'],
        thread: 'other',
        at: expect.any(Number),
      },
      {
        function: 'RUNNING::COUNTDOWN',
        depth: 0,
        kind: 'exit',
        values: ['0'],
        thread: 'other',
        at: expect.any(Number),
      },
    ]);
    expect(calls[1]!.at).toBeGreaterThanOrEqual(calls[0]!.at);
  });

  it('does not loop when the printer calls what is traced, and tells nothing of its own printing', async () => {
    const { calls, output, reply } = await tracing(['describe-shape', 'format', 'cl:print-object'], false, () =>
      traced("(print (make-instance 'shape :side 2))"),
    );
    expect(told(calls).map((line) => line.replaceAll('RUNNING::', ''))).toEqual(
      expect.arrayContaining(['1 DESCRIBE-SHAPE enter shape 2', '1 DESCRIBE-SHAPE exit "shape 2"']),
    );
    expect(calls.length).toBeLessThan(10);
    expect([output, reply.values[0]?.text]).toEqual(['\nshape 2 ', 'shape 2']);
  });

  it('is bounded: in batches, and counted beyond 5,000 calls', async () => {
    const { calls, dropped, events, reply } = await tracing(['countdown'], false, () => traced('(countdown 9999)'));
    expect([calls.length, dropped, reply.status]).toEqual([5000, 15_000, 'ok']);
    expect(Math.max(...events.map((event) => event.calls.length))).toBeLessThanOrEqual(100);
  });

  it("leaves the code's own TRACE alone", async () => {
    const { output } = await tracing(['twice'], false, () => traced('(trace twice) (twice 1) (untrace twice)'));
    expect(output).toContain('0: (RUNNING::TWICE 1)');
  });
});

describe('D11 profiling', () => {
  const run = { package: 'RUNNING', intervalMs: null, limit: 20 };

  it('finds where the time goes', async () => {
    const { result } = await lisp.run('profile', {
      ...run,
      mode: 'cpu',
      code: '(defvar *n* 600000000) (list (outer *n*) 1)',
    });
    const inner = result?.functions.find(({ name }) => name === 'RUNNING::INNER');
    expect(result?.samples).toBeGreaterThan(3);
    expect(inner?.self).toBeGreaterThan((result?.samples ?? 0) / 2);
    expect(result?.functions.find(({ name }) => name === 'form')).toMatchObject({ total: result?.samples });
    expect(result?.stacks[0]).toEqual({
      frames: ['form', 'RUNNING::OUTER', 'RUNNING::INNER'],
      count: expect.any(Number),
    });
    expect((result?.stacks ?? []).reduce((sum, { count }) => sum + count, 0) + (result?.other ?? 0)).toBe(
      result?.samples,
    );
    expect(result?.valueText).toMatch(/^\(\d+ 1\)$/);
    expect(JSON.stringify(result)).not.toMatch(/lisp-workbench/i);
  });

  it('finds where the memory goes', async () => {
    const { result } = await lisp.run('profile', { ...run, mode: 'alloc', code: '(eat 10000)' });
    expect(result?.samples).toBeGreaterThan(2000);
    expect(result?.functions[0]).toMatchObject({ name: 'RUNNING::EAT' });
    expect(result?.stacks[0]?.frames).toEqual(['form', 'RUNNING::EAT']);
  });

  it('counts the time that passes too', async () => {
    const { result } = await lisp.run('profile', { ...run, mode: 'time', code: '(outer 300000000)' });
    expect(result?.functions[0]).toMatchObject({ name: 'RUNNING::INNER' });
  });

  it('ends with the code: error, interrupt, and the next one works', async () => {
    const failed = await lisp.run('profile', { ...run, mode: 'cpu', code: '(error "Stop.")' });
    expect([failed.status, failed.condition?.message, failed.condition?.frames]).toEqual(['error', 'Stop.', []]);
    const endless = lisp.image.request('profile', {
      ...run,
      evaluation: 'endless',
      context: 'test',
      actor: 'person',
      outputLimit: 1000,
      guard: false,
      onError: 'report',
      mode: 'cpu',
      code: '(write-line "begun") (finish-output) (loop)',
    });
    for (;;) if ((await lisp.next('output')).evaluation === 'endless') break;
    await lisp.ask('interrupt', { evaluation: 'endless' });
    await expect(endless).resolves.toMatchObject({ status: 'interrupted' });
    await expect(lisp.run('profile', { ...run, mode: 'cpu', code: '(list 1)' })).resolves.toMatchObject({
      status: 'ok',
      result: { valueText: '(1)' },
    });
    await expect(
      lisp.value(
        '(list (find "profiler" (sb-thread:list-all-threads) :key (quote sb-thread:thread-name) :test (quote search)) (sb-ext:list-all-timers))',
      ),
    ).resolves.toBe('(NIL NIL)');
  });

  it('is refused while the code itself profiles', async () => {
    await lisp.value('(sb-sprof:start-profiling)');
    const { condition } = await lisp.run('profile', { ...run, mode: 'cpu', code: '1' });
    await lisp.value('(sb-sprof:stop-profiling)');
    expect(condition?.message).toContain('has started the profiler of SBCL');
  });

  it('times the last form, compiled', async () => {
    const { result } = await lisp.run('time-form', { package: 'RUNNING', code: '(defvar *m* 100) (eat *m*)', runs: 4 });
    const times = (result?.runs ?? []).map(({ realMs }) => realMs).toSorted((a, b) => a - b);
    expect(result).toEqual({
      runs: Array.from({ length: 4 }, () => ({
        realMs: expect.any(Number),
        runMs: expect.any(Number),
        gcMs: expect.any(Number),
        bytesConsed: expect.any(Number),
        cycles: expect.any(Number),
      })),
      minMs: times[0],
      medianMs: expect.closeTo(((times[1] ?? 0) + (times[2] ?? 0)) / 2, 2),
      valueText: '#(0 0 0 0 0 0 0 0 ...)',
    });
    expect(result?.runs[0]?.bytesConsed).toBeGreaterThan(700_000);
  });
});

describe('D11 memory', () => {
  beforeAll(async () => {
    await lisp.value(
      `(in-package :running) (defvar *kept* (list 1 (vector (make-instance 'shape :side 1)))) (defstruct box content)
       (defvar *boxed* (make-box :content (list (make-instance 'shape :side 2)))) (defclass lonely () ()) nil`,
      { context: 'memory' },
    );
  });

  const holder = 'memory';

  it('is reported by type and generation', async () => {
    const report = await lisp.ask('memory-report', {});
    expect(report.used).toBeGreaterThan(10_000_000);
    expect(report.size).toBe(1024 ** 3);
    expect(report.generations).toHaveLength(7);
    expect(report.types).toHaveLength(100);
    expect(report.total).toBeGreaterThan(100);
    expect(report.types.map(({ type }) => type)).toEqual(expect.arrayContaining(['CONS', 'SIMPLE-VECTOR', 'SYMBOL']));
    expect(JSON.stringify(report)).not.toMatch(/lisp-workbench/i);
  });

  it('is collected', async () => {
    const { result } = await lisp.run('gc', { full: true });
    expect(result?.after).toBeLessThan(result?.before ?? 0);
  });

  it('shows what keeps an object', async () => {
    await lisp.run('gc', { full: true });
    const { found, total, instances } = await lisp.ask('instances', { ...here, class: 'shape', holder, limit: 10 });
    expect([found, total >= 2]).toEqual([true, true]);
    const steps = async (text: string) => {
      const { handle } = instances.find((instance) => instance.text === text)!;
      const { paths } = await lisp.ask('why-alive', { handle, holder });
      return paths.map((path) => [path.root, ...path.steps.map(({ slot, type }) => `${slot} of ${type}`)]);
    };
    await expect(steps('shape 1')).resolves.toEqual([
      ['the symbol RUNNING::*KEPT*', 'value of SYMBOL', 'CDR of CONS', 'CAR of CONS', '0 of (SIMPLE-VECTOR 1)'],
    ]);
    await expect(steps('shape 2')).resolves.toEqual([
      ['the symbol RUNNING::*BOXED*', 'value of SYMBOL', 'CONTENT of RUNNING::BOX', 'CAR of CONS'],
    ]);
  });

  it('lists instances that print without end', async () => {
    await lisp.value(
      `(progn (defclass running::slow () ()) (defmethod print-object ((it running::slow) stream) (loop))
              (defvar running::*slow* (loop repeat 8 collect (make-instance 'running::slow))) nil)`,
    );
    const { instances } = await lisp.ask('instances', { ...here, class: 'slow', holder, limit: 8 });
    expect(instances.map(({ text }) => text)).toContain('#<took too long>');
    expect(instances).toHaveLength(8);
    await lisp.value('(progn (setf running::*slow* nil) 1)');
  });

  it('shows that only a REPL remembers an object, or nobody', async () => {
    await lisp.value("(make-instance 'running::lonely)", { context: 'remembering' });
    const roots = async () => {
      const { instances } = await lisp.ask('instances', { ...here, class: 'lonely', holder, limit: 10 });
      const replies = await Promise.all(instances.map(({ handle }) => lisp.ask('why-alive', { handle, holder })));
      return replies.flatMap(({ paths }) => paths.map(({ root }) => root));
    };
    await expect(roots()).resolves.toContain('the results that a REPL remembers');
    await lisp.ask('forget-context', { context: 'remembering' });
    await expect(roots()).resolves.not.toContain('the results that a REPL remembers');
    await expect(lisp.ask('why-alive', { handle: 999_999, holder })).resolves.toEqual({ expired: true, paths: [] });
  });
});

describe('D11 threads', () => {
  it('are listed, looked into, and ended unless they are ours', async () => {
    await lisp.value(
      `(defvar running::*ready* (sb-thread:make-semaphore)) (defvar running::*never* (sb-thread:make-semaphore))
       (defun running::wait-for-ever (x) (list x (sb-thread:wait-on-semaphore running::*never*)))
       (defvar running::*waiting* (sb-thread:make-thread (lambda () (sb-thread:signal-semaphore running::*ready*) (running::wait-for-ever 42)) :name "waiting"))
       (sb-thread:wait-on-semaphore running::*ready*)`,
      { evaluation: 'starter' },
    );
    const { threads } = await lisp.ask('threads', {});
    const waiting = threads.find(({ name }) => name === 'waiting')!;
    expect(waiting).toEqual({
      id: expect.any(Number),
      name: 'waiting',
      alive: true,
      state: expect.any(String),
      main: false,
      ours: false,
      evaluation: 'starter',
      cpuMs: expect.any(Number),
    });
    const main = threads.find((thread) => thread.main)!;
    expect([main.ours, main.name]).toEqual([true, 'main thread']);

    const thread = waiting.id ?? 0;
    const { frames, ...rest } = await lisp.ask('thread-backtrace', { thread, limit: 50 });
    expect(frames.map(({ call }) => call)).toEqual(
      expect.arrayContaining([expect.stringMatching(/WAIT-FOR-EVER 42\)$/)]),
    );
    expect(rest).toEqual({ found: true, answered: true, more: 0 });
    expect(JSON.stringify(frames)).not.toMatch(/lisp-workbench/i);
    const all = frames.length;
    const cut = await lisp.ask('thread-backtrace', { thread, limit: 1 });
    expect([cut.frames.length, cut.more]).toEqual([1, all - 1]);

    await expect(lisp.ask('end-thread', { thread: main.id ?? 0 })).resolves.toMatchObject({
      found: true,
      refused: expect.stringContaining('belongs to'),
    });
    await expect(lisp.ask('end-thread', { thread })).resolves.toEqual({ found: true, refused: null });
    await lisp.value('(sb-thread:join-thread running::*waiting* :default nil)');
    await expect(lisp.ask('end-thread', { thread })).resolves.toEqual({ found: false, refused: null });
    await expect(lisp.ask('thread-backtrace', { thread, limit: 9 })).resolves.toEqual({
      found: false,
      answered: false,
      frames: [],
      more: 0,
    });
  });

  it('of the engine answer too, and go on', async () => {
    const { threads } = await lisp.ask('threads', {});
    for (const { id } of threads.filter(({ name }) => name !== 'finalizer'))
      await expect(lisp.ask('thread-backtrace', { thread: id ?? 0, limit: 100 })).resolves.toMatchObject({
        answered: true,
      });
    await expect(lisp.value('(progn (write-line "still here") 1)')).resolves.toBe('1');
  });

  it('that do not answer are given up', async () => {
    await lisp.value(
      `(defvar running::*go-on* t)
       (defvar running::*stubborn* (sb-thread:make-thread (lambda () (sb-sys:without-interrupts (sb-thread:signal-semaphore running::*ready*) (loop while running::*go-on*))) :name "stubborn"))
       (sb-thread:wait-on-semaphore running::*ready*)`,
    );
    const { threads } = await lisp.ask('threads', {});
    const { id, state } = threads.find(({ name }) => name === 'stubborn')!;
    expect(state).toBe('running');
    await expect(lisp.ask('thread-backtrace', { thread: id ?? 0, limit: 9 })).resolves.toMatchObject({
      found: true,
      answered: false,
    });
    await lisp.value('(setf running::*go-on* nil) (sb-thread:join-thread running::*stubborn* :default nil)');
  });
});
