/** Tracing of calls. */
import { describe, expect, it } from 'vitest';
import type { TracedCall } from '#contract/image/observation/profiling.ts';
import { runningImage } from './running.fixture.ts';

const lisp = await runningImage();

const here = { context: 'test', package: 'RUNNING' };

let count = 0;

/** Returns the calls of an evaluation and the number of dropped calls. */
async function traced(code: string) {
  count += 1;
  const evaluation = `traced ${count}`;
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
  calls.map((call) =>
    `${call.depth} ${call.function} ${call.kind} ${call.values.map(({ text }) => text).join(' ')}`.trim(),
  );

async function tracing<Result>(functions: string[], methods: boolean, action: () => Promise<Result>): Promise<Result> {
  await lisp.ask('trace', { ...here, functions, methods });
  try {
    return await action();
  } finally {
    await expect(lisp.ask('untrace', { ...here, functions: null })).resolves.toEqual({ traced: [] });
  }
}

describe('tracing', () => {
  it('Tracing says what cannot be traced [D11]', async () => {
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
      [
        expect.stringMatching(/^0 TWICE enter #<error UNBOUND-SLOT printing SHAPE: The slot .*>$/) as never,
        expect.stringContaining('0 TWICE exit') as never,
      ],
    ],
  ])('Tracing tells the calls of %s [D11]', async (code, expected) => {
    const functions = ['countdown', 'leave', 'twice', '(setf twice)', 'area'];
    const { calls, output } = await tracing(functions, true, () => traced(code));
    expect(told(calls).map((line) => line.replaceAll('RUNNING::', ''))).toEqual(expected);
    expect(output).toBe('');
  });

  it('Tracing tells when and in which thread calls happened [D11]', async () => {
    const code = '(sb-thread:join-thread (sb-thread:make-thread (lambda () (countdown 0)) :name "other"))';
    const { calls } = await tracing(['countdown'], false, () => traced(code));
    expect(calls).toEqual([
      {
        call: 1,
        caller: null,
        function: 'RUNNING::COUNTDOWN',
        depth: 0,
        kind: 'enter',
        values: [{ text: '0', handle: null }],
        more: 0,
        thread: 'other',
        threadId: expect.any(Number),
        at: expect.any(Number),
        took: null,
      },
      {
        call: 1,
        caller: null,
        function: 'RUNNING::COUNTDOWN',
        depth: 0,
        kind: 'exit',
        values: [{ text: '0', handle: null }],
        more: 0,
        thread: 'other',
        threadId: calls[0]!.threadId,
        at: expect.any(Number),
        took: expect.any(Number),
      },
    ]);
    expect(calls[1]!.at).toBeGreaterThanOrEqual(calls[0]!.at + calls[1]!.took!);
  });

  it('Arguments and values of calls are there to look into where those of the evaluation are kept [D7]', async () => {
    await tracing(['countdown'], false, () =>
      lisp.evaluate('(countdown 0)', { evaluation: 'kept', package: 'RUNNING', keepValues: true }),
    );
    const calls = lisp.events.flatMap((event) =>
      event.event === 'trace' && event.evaluation === 'kept' ? event.calls : [],
    );
    const [argument, value] = calls.map(({ values }) => values[0]!);
    expect([argument?.text, value?.text]).toEqual(['0', '0']);
    const page = { holder: 'pane', view: null, offset: 0, limit: 10, package: null };
    for (const each of [argument, value])
      expect((await lisp.ask('inspect', { ...page, handle: each!.handle! })).title).toMatch(/0/);
  });

  it('Tracing does not loop when the printer calls what is traced, and tells nothing of its own printing [D11]', async () => {
    const { calls, output, reply } = await tracing(['describe-shape', 'format', 'cl:print-object'], false, () =>
      traced("(print (make-instance 'shape :side 2))"),
    );
    expect(told(calls).map((line) => line.replaceAll('RUNNING::', ''))).toEqual(
      expect.arrayContaining(['1 DESCRIBE-SHAPE enter shape 2', '1 DESCRIBE-SHAPE exit "shape 2"']),
    );
    expect(calls.length).toBeLessThan(10);
    expect([output, reply.values[0]?.text]).toEqual(['\nshape 2 ', 'shape 2']);
  });

  it('Tracing is bounded: in batches, and counted beyond 200,000 calls [D11]', async () => {
    const { calls, dropped, events, reply } = await tracing(['countdown'], false, () =>
      traced('(dotimes (i 21) (countdown 9999))'),
    );
    expect([calls.length, dropped, reply.status]).toEqual([400_000, 10_000, 'ok']);
    expect(Math.max(...events.map((event) => event.calls.length))).toBeLessThanOrEqual(100);
  });

  it('Each call is told with the call that it was made from, in threads of one name apart, and with its time [D11]', async () => {
    const code = `(mapc #'sb-thread:join-thread (loop repeat 2 collect (sb-thread:make-thread (lambda () (countdown 2)) :name "same")))`;
    const { calls } = await tracing(['countdown'], false, () => traced(code));
    const begun = calls.filter(({ kind }) => kind === 'enter');
    const threads = new Set(begun.map(({ threadId }) => threadId));
    expect([begun.length, threads.size]).toEqual([6, 2]);
    for (const thread of threads) {
      const own = begun.filter(({ threadId }) => threadId === thread);
      expect(own.map(({ caller }) => caller)).toEqual([null, own[0]!.call, own[1]!.call]);
      const ends = calls.filter(({ kind, threadId }) => kind === 'exit' && threadId === thread);
      expect(ends.map(({ call }) => call)).toEqual(own.map(({ call }) => call).toReversed());
      // A call takes at least as long as the calls inside it.
      expect(ends.map(({ took }) => took!)).toEqual(
        ends.map(({ took }) => took!).toSorted((one, other) => one - other),
      );
    }
  });

  it('One method alone can be traced, also after it is defined again, until it is untraced or gone [D11]', async () => {
    const method = '(method area (integer))';
    const name = '(METHOD RUNNING::AREA (INTEGER))';
    await expect(
      lisp.ask('trace', { ...here, functions: [method, '(method area (cons))'], methods: false }),
    ).resolves.toEqual({
      traced: [name],
      problems: [{ name: '(method area (cons))', reason: 'There is no such method.' }],
    });
    const lines = [`0 ${name} enter 3`, `0 ${name} exit 9`];
    expect(told((await traced('(area 3)')).calls)).toEqual(lines);
    const again = await traced('(defmethod area ((shape integer)) (* shape shape)) (area 3)');
    expect(told(again.calls)).toEqual(lines);
    expect(again.output).toBe('');
    await lisp.value("(remove-method #'area (find-method #'area nil '(integer)))", { context: 'test' });
    await expect(lisp.ask('traced', {})).resolves.toEqual({ traced: [] });
    await lisp.value('(defmethod area ((shape integer)) (* shape shape))', { context: 'test' });
    await expect(lisp.ask('untrace', { ...here, functions: [method] })).resolves.toEqual({ traced: [] });
    expect((await traced('(list (area 3))')).events).toEqual([]);
  });

  it('Arguments that print without end hold a traced call up once, and break nothing [D11]', async () => {
    await lisp.value('(defclass endless () ()) (defmethod print-object ((it endless) stream) (loop))', {
      context: 'test',
      package: 'RUNNING',
    });
    const { calls, reply } = await tracing(['twice'], false, () =>
      traced("(let ((it (make-instance 'endless))) (dotimes (i 50) (twice it)) (eq it (twice it)))"),
    );
    expect(reply.values[0]?.text).toBe('T');
    expect(calls[0]!.values[0]!.text).toBe('#<printing took too long>');
    expect(calls.at(-1)!.values.map(({ text }) => text)).toEqual([
      '#<RUNNING::ENDLESS, not printed because another one took too long>',
      '#<RUNNING::ENDLESS, not printed because another one took too long>',
    ]);
  });

  it("Tracing leaves the code's own TRACE alone [D11]", async () => {
    const { output } = await tracing(['twice'], false, () => traced('(trace twice) (twice 1) (untrace twice)'));
    expect(output).toContain('0: (RUNNING::TWICE 1)');
  });
});
