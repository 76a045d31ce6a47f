/** Frames in the debugger: their locals, their source locations, and evaluation in them. */
import { writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';
import { abort, frameOf, openDebuggers, restart, stopped, stoppedAgain } from './debugger.fixture.ts';

let test: TestImage;

beforeEach(async () => {
  test = await openTestImage();
}, 120_000);

afterEach(() => test.close());

describe('debugger', () => {
  it('The debugger shows the locals of a frame, with handles that end with the debugger [D6]', async () => {
    await test.value('(defun locals (a) (let* ((b (list a a)) (c "text")) (when a (error "~A ~A" b c)) (list b c)))');
    const { debugger: record } = await stoppedAgain(test, '(locals 7)');
    const { locals } = await test.ask('frame-locals', { debugger: record.id, frame: frameOf(record, 'LOCALS') });
    expect(locals.map(({ name, value }) => [name, value?.text])).toEqual([
      ['A', '7'],
      ['B', '(7 7)'],
      ['C', '"text"'],
    ]);
    expect(locals.every(({ value }) => value!.handle !== null)).toBe(true);
    await abort(test, record);
  });

  it('The debugger holds the arguments of a frame, which its call shows at their places, until it is left [D6, D7]', async () => {
    await test.value('(defun argued (text list &rest more) (error "~A ~A ~A" text list more))');
    const { debugger: record } = await stopped(test, '(argued "𝒳 (1" (list 1 2) :k #\\a)');
    const { call, arguments: given } = record.frames[frameOf(record, 'ARGUED')]!;
    expect(given.map(({ start, end, type }) => [call.slice(start, end), type])).toEqual([
      ['"𝒳 (1"', 'STRING'],
      ['(1 2)', 'CONS'],
      [':K', 'KEYWORD'],
      ['#\\a', 'STANDARD-CHAR'],
    ]);
    const show = async (handle: number) =>
      test.ask('inspect', { handle, holder: 'pane', view: null, offset: 0, limit: 10, package: null });
    expect(await show(given[1]!.handle)).toMatchObject({ expired: false, text: '(1 2)', kind: 'list' });
    // An agent may request the record repeatedly, so another request creates no new handles.
    const again = await test.ask('debugger', { debugger: record.id });
    expect([again.frames[frameOf(record, 'ARGUED')]!.arguments, again.handle]).toEqual([given, record.handle]);
    await abort(test, record);
    expect(await show(given[1]!.handle)).toMatchObject({ expired: true });
  });

  it('The debugger tells names and strings with their blanks, and a line end as an arrow where a row has one line [D6]', async () => {
    await test.value(
      '(defun |a   b| (|x   y|) (declare (optimize debug)) (list (cerror "Go   |on." "no ~S ~S" |x   y| \'|p\nq|)))',
    );
    const { debugger: record } = await stopped(test, '(|a   b| "1   2\n3")');
    const index = frameOf(record, '|a   b|');
    expect(record.frames[index]).toMatchObject({ call: '(|a   b| "1   2↵3")', function: '|a   b|' });
    const { locals } = await test.ask('frame-locals', { debugger: record.id, frame: index });
    expect(locals.map(({ name, value }) => [name, value?.text])).toEqual([['|x   y|', '"1   2\n3"']]);
    expect([record.message, record.restarts[0]!.report]).toEqual(['no "1   2\n3" |p\nq|', 'Go   |on.']);
    await abort(test, record);
    // A name with a line break is printed so that the reader can read it.
    await test.value('(defun |c\nd| (x) (error "~A" x))');
    const { debugger: other } = await stopped(test, '(|c\nd| 1)');
    const frame = other.frames[frameOf(other, '|c↵d|')]!;
    expect(await test.run('debug-function', { function: frame.function!, set: true })).toMatchObject({ status: 'ok' });
    await abort(test, other);
  });

  it('The debugger shows the locals of methods that are evaluated again after an error, and leaves no trace of that [D6]', async () => {
    await test.value(
      '(defclass shape () ()) (defmethod local-area ((s shape) n) (let ((b (list n n))) (when n (error "~A" b)) b))',
    );
    const { debugger: record } = await stoppedAgain(test, '(local-area (make-instance (quote shape)) 7)');
    const frame = record.frames.find(({ call }) => /LOCAL-AREA/.test(call))!.index;
    const { locals } = await test.ask('frame-locals', { debugger: record.id, frame });
    expect(locals.map(({ name, value }) => [name, value?.text])).toContainEqual(['B', '(7 7)']);
    await abort(test, record);
    expect(await test.value('(local-area (make-instance (quote shape)) nil)')).toBe('(NIL NIL)');
  });

  it('The debugger evaluates in a frame, with its variables [D6]', async () => {
    await test.value('(defun in-frame (a) (let ((b (* a 2))) (when (plusp a) (error "here")) b))');
    const { debugger: record } = await stoppedAgain(test, '(in-frame 5)');
    const frame = frameOf(record, 'IN-FRAME');
    expect(await test.ask('eval-in-frame', { debugger: record.id, frame, code: '(list a b (+ a b))' })).toMatchObject({
      left: false,
      result: { status: 'ok', values: [{ text: '(5 10 15)' }] },
    });
    await abort(test, record);
  });

  it('A function without a name or parameters is shown among the frames of the code, and what EVAL makes of a form is not [issue 11.3]', async () => {
    await test.value('(defun calling (function) (list (funcall function)))');
    const calls = async (code: string) => {
      const { debugger: record } = await stopped(test, code);
      await abort(test, record);
      return record.frames
        .filter(({ internal }) => !internal)
        .map(({ call }) => call.replace(/^\((\S+ NIL\)).*/, '($1)').slice(0, 15));
    };
    expect(await calls('(calling (lambda () (list (error "called"))))')).toEqual([
      '((LAMBDA NIL))',
      '(CALLING #<FUNC',
      '(EVAL (CALLING ',
    ]);
    expect(await calls('(list (error "alone"))')).toEqual(['(EVAL (LIST (ER']);
    expect(
      await calls('(sb-thread:join-thread (sb-thread:make-thread (lambda () (list (error "in a thread")))))'),
    ).toEqual(['((LAMBDA NIL))']);
  });

  it('A text with more than one form is refused in a frame and as the value of a restart, without a further debugger [D6]', async () => {
    const { reply, debugger: record } = await stopped(test, '(list (restart-case (error "which?") (use-value (v) v)))');
    const refused = {
      left: false,
      result: { status: 'error', condition: { message: expect.stringMatching(/^Enter one form/) } },
    };
    expect(await test.ask('eval-in-frame', { debugger: record.id, frame: 0, code: '1 2' })).toMatchObject(refused);
    expect(await restart(test, record, 'USE-VALUE', ['(values 1 2) three'])).toMatchObject(refused);
    expect(await openDebuggers(test)).toEqual([record.id]);
    await restart(test, record, 'USE-VALUE', ['(values 1 2) #+no-such-feature three ; four']);
    expect((await reply).values[0]!.text).toBe('(1)');
  });

  it('The debugger returns a value from a frame [D6]', async () => {
    await test.value('(defun returns (a) (error "no ~A" a)) (defun caller () (list :got (returns 1)))');
    const { reply, debugger: record } = await stopped(test, '(caller)');
    const frame = frameOf(record, 'RETURNS');
    expect(
      await test.ask('return-from-frame', { debugger: record.id, frame, code: '(list a :instead)' }),
    ).toMatchObject({
      left: true,
      result: null,
    });
    expect((await reply).values[0]!.text).toBe('(:GOT (1 :INSTEAD))');
    await test.next('debugger-left');
  });

  it('The debugger calls a frame again after its function was mended [D6]', async () => {
    await test.value('(defun broken (a) (error "broken ~A" a))');
    const { reply, debugger: record } = await stopped(test, '(list (broken 3))');
    await test.value('(defun broken (a) (* a a))', { context: 'other' });
    await test.ask('restart-frame', { debugger: record.id, frame: frameOf(record, 'BROKEN') });
    expect((await reply).values[0]!.text).toBe('(9)');
    await test.next('debugger-left');
  });

  it('A frame of a method is called again with the methods that it can go on to [D6]', async () => {
    await test.value(`(defvar *calls* '())
(defgeneric again (n))
(defmethod again ((n integer)) (push :integer *calls*) (when (oddp (length *calls*)) (error "in ~A" n)) (list n (call-next-method)))
(defmethod again ((n number)) (list :number n))
(defmethod again :before ((n integer)) (push :before *calls*))
(defmethod again :after ((n integer)) (push :after *calls*))
(defmethod again :around ((n integer))
  (push :around *calls*)
  (when (= (length *calls*) 1) (error "around ~A" n))
  (list :around (call-next-method)))`);
    const { reply, debugger: first } = await stopped(test, '(list (again 2) (reverse *calls*))');
    const method = ({ frames }: typeof first, name: string) =>
      frames.find(({ call }) => call.startsWith(`((:METHOD AGAIN ${name}`))!.index;
    await test.ask('restart-frame', { debugger: first.id, frame: method(first, ':AROUND') });
    await test.next('debugger-left');
    expect((await reply).values[0]!.text).toBe('((:AROUND (2 (:NUMBER 2))) (:AROUND :AROUND :BEFORE :INTEGER :AFTER))');
    await test.value('(setf *calls* (list :y :x))');
    const { reply: other, debugger: second } = await stopped(test, '(list (again 3) (reverse *calls*))');
    expect(second.message).toBe('in 3');
    await test.value('(defmethod again ((n integer)) (list :mended (call-next-method)))', { context: 'other' });
    await test.ask('restart-frame', { debugger: second.id, frame: method(second, '(INTEGER)') });
    await test.next('debugger-left');
    expect((await other).values[0]!.text).toBe(
      '((:AROUND (:MENDED (:NUMBER 3))) (:X :Y :AROUND :BEFORE :INTEGER :AFTER))',
    );
  });

  it('A function without a name is not called again, since what it closes over is not known, and can be returned from [D6]', async () => {
    await test.value('(let ((n (list (random 3)))) (defvar *closing* (lambda (x) (list n (error "closing ~A" x)))))');
    const { reply, debugger: record } = await stopped(test, '(list (funcall *closing* 1) 2)');
    const asked = { debugger: record.id, frame: frameOf(record, '(LAMBDA (X)') };
    expect(await test.ask('restart-frame', asked)).toMatchObject({
      left: false,
      result: {
        status: 'error',
        condition: { message: expect.stringMatching(/^A function without a name cannot be called again/) },
      },
    });
    await test.ask('return-from-frame', { ...asked, code: '(list x)' });
    expect((await reply).values[0]!.text).toBe('((1) 2)');
  });

  it.each([
    ['FLET', '(flet ((local (k) (list (error "local ~A" k)))) (declare (notinline local)) (list (local n) 1))'],
    ['LABELS', '(labels ((local (k) (if (plusp k) (list (local (1- k))) (list (error "deep"))))) (list (local n) 1))'],
    ['LAMBDA', '(list (sort (list n 1) (lambda (x y) (list n (error "each ~A ~A" x y)))))'],
  ])(
    'A frame of a local function is neither restarted nor returned from, which would spoil the stack: %s [D6]',
    async (kind, body) => {
      await test.value(`(defun around-local (n) (declare (optimize (debug 2))) ${body})`);
      const { reply, debugger: record } = await stopped(test, '(list (around-local 2))');
      const local = record.frames.find(({ call }) => call.startsWith(`((${kind} `))!;
      expect(local).toMatchObject({ restartable: false, internal: false });
      const refused = {
        left: false,
        result: {
          status: 'error',
          condition: { message: expect.stringMatching(/^The frame of a local function can neither/) },
        },
      };
      const asked = { debugger: record.id, frame: local.index };
      expect(await test.ask('restart-frame', asked)).toMatchObject(refused);
      expect(await test.ask('return-from-frame', { ...asked, code: '1' })).toMatchObject(refused);
      expect(await openDebuggers(test)).toEqual([record.id]);
      await test.ask('return-from-frame', { ...asked, frame: frameOf(record, 'AROUND-LOCAL'), code: ':instead' });
      expect((await reply).values[0]!.text).toBe('(:INSTEAD)');
    },
  );

  it.each([
    ['an evaluation', '(error "here")'],
    ['a thread', '(sb-thread:join-thread (sb-thread:make-thread (lambda () (error "here"))))'],
  ])(
    'A frame of %s that keeps too little is neither restarted nor returned from, without a further debugger [D6]',
    async (_of, code) => {
      const { debugger: record } = await stopped(test, code);
      const frame = record.frames.find(({ restartable }) => !restartable)!.index;
      const refused = {
        status: 'error',
        condition: { message: expect.stringContaining('too little debugging information') },
      };
      for (const op of ['restart-frame', 'return-from-frame'] as const)
        expect(await test.ask(op, { debugger: record.id, frame, code: '1' })).toMatchObject({
          left: false,
          result: refused,
        });
      expect(await openDebuggers(test)).toEqual([record.id]);
    },
  );

  it('The debugger shows where a frame stands: the evaluation or the file, and the form that runs [D6]', async () => {
    const source = { file: '/project/shop.lisp', offset: 100, line: 8 };
    await test.value('\n(defun placed (a)\n  (list 1 (error "in ~A" a)))', { source, evaluation: 'placing' });
    const { debugger: record } = await stopped(test, '(placed 3)');
    expect(record.frames[frameOf(record, 'PLACED')]!.source).toMatchObject({
      file: '/project/shop.lisp',
      offset: 101,
      line: 9,
      evaluation: 'placing',
      form: '(ERROR "in ~A" A)',
      path: expect.any(Array),
    });
    await abort(test, record);
  });

  it('The debugger shows the machine code of a frame [D6]', async () => {
    const { debugger: record } = await stopped(test, '(error "code")');
    const frame = record.frames.find(({ internal }) => !internal)!.index;
    const { text } = await test.ask('disassemble-frame', { debugger: record.id, frame });
    expect(text).toMatch(/disassembly for/);
    await abort(test, record);
  });

  it('The debugger compiles one function of a file for debugging, and goes back [D6]', async () => {
    const file = `${test.directory}/fast.lisp`;
    await writeFile(
      file,
      `(defpackage :fast (:use :cl)) (in-package :fast)
(declaim (optimize (speed 3) (debug 0)))
(defun fast (a)
  "Documented."
  (declare (type list a))
  (let ((b (list a a))) (when (cdr a) (cerror "Continue." "in fast")) (length b)))`,
    );
    await test.value(`(load (compile-file "${file}"))`);
    let calls = 0;
    const locals = async () => {
      calls += 1; // changes the code, because the same code would keep its locals the second time
      const { debugger: record } = await stopped(test, `(fast::fast '(1 2 ${calls}))`);
      const reply = await test.ask('frame-locals', { debugger: record.id, frame: frameOf(record, 'FAST::FAST') });
      await abort(test, record);
      return reply.locals.filter(({ value }) => value !== null).map(({ name }) => name);
    };
    const places = async () =>
      (await test.ask('find-definition', { context: 'test', symbol: 'fast::fast', package: null })).definitions;
    const before = await locals();
    const asLoaded = await places();
    expect(asLoaded.find(({ kind }) => kind === 'function')).toMatchObject({ source: { file, line: 3 }, actor: null });
    const set = await test.run('debug-function', { function: 'fast::fast', set: true });
    expect(set).toMatchObject({ status: 'ok', result: { functions: ['FAST::FAST'] } });
    expect(await locals()).toEqual(['FAST::A', 'FAST::B']);
    // The source location in the file is reported, regardless of which actor has recompiled the function.
    expect(await places()).toEqual(asLoaded);
    expect((await test.run('debug-function', { function: 'fast::fast', set: false })).result).toEqual({
      functions: [],
      note: null,
    });
    expect(await locals()).toEqual(before);
    expect((await test.run('debug-function', { function: 'cl:car', set: true })).condition?.message).toMatch(
      /not known|lock|source/i,
    );
  });

  it('Frames further out are told when they are asked for, down to the outermost [issue 11.3]', async () => {
    await test.value('(defun down (n) (if (plusp n) (list (down (1- n))) (error "deep")))');
    const { reply, debugger: record } = await stopped(test, '(down 2000)');
    expect(record).toMatchObject({ moreFrames: true });
    const calls = record.frames.map(({ call }) => call);
    const further = async () => test.ask('further-frames', { debugger: record.id, from: calls.length });
    const first = await further();
    expect(await further()).toMatchObject({ frames: first.frames.map(({ index, call }) => ({ index, call })) });
    for (let { frames, moreFrames } = first; ; { frames, moreFrames } = await further()) {
      expect(frames[0]!.index).toBe(calls.length);
      calls.push(...frames.map(({ call }) => call));
      if (!moreFrames) break;
    }
    expect(calls.filter((call) => call.startsWith('(DOWN '))).toEqual(
      Array.from({ length: 2001 }, (_, index) => `(DOWN ${index})`),
    );
    // Frames that are requested later behave like all other frames.
    const frame = calls.indexOf('(DOWN 1999)');
    const asked = { debugger: record.id, frame };
    expect((await test.ask('frame-locals', asked)).locals).toMatchObject([{ name: 'N', value: { text: '1999' } }]);
    await test.ask('return-from-frame', { ...asked, code: ':instead' });
    expect((await reply).values[0]!.text).toBe('(:INSTEAD)');
  });

  it('The debugger shows the running form at its exact source location, in what was evaluated and in a file [D6]', async () => {
    const text = `(defun exact (a)
  "Doc 😀."
  (declare (type number a)) ; a comment (with parentheses)
  #+no-such-feature (ignored)
  (when (plusp a) (list 1 (error "at ~A" a))))`;
    const running = async (code: string, name: string) => {
      const { debugger: record } = await stopped(test, code);
      const { running: place } = record.frames[frameOf(record, name)]!.source!;
      await abort(test, record);
      return place && [place.text.slice(place.start, place.end), place.offset];
    };
    await test.value(text);
    expect(await running('(exact 1)', 'EXACT')).toEqual(['(error "at ~A" a)', 0]);
    const file = `${test.directory}/exact.lisp`;
    await writeFile(
      file,
      `;; 😀 first\n(in-package :cl-user)\n(declaim (optimize (debug 2)))\n${text.replace('exact', 'in-file')}\n(defvar *closed* (lambda (x) (list (error "top ~A" x))))`,
    );
    await test.value(`(load (compile-file "${file}"))`);
    expect(await running('(in-file 1)', 'IN-FILE')).toEqual(['(error "at ~A" a)', 65]);
    expect((await running('(list (funcall *closed* 1))', '(LAMBDA (X) :IN'))?.[0]).toBe('(error "top ~A" x)');
  });
});
