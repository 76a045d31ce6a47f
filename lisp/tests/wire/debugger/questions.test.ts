/** Questions to the person from code in the debugger: interactive functions of restarts, and code in frames that reads input. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DebuggerRecord } from '#contract/image/debugger.ts';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';
import { abort, restart, stopped } from './debugger.fixture.ts';
import { FOLLOWS } from '../effects.fixture.ts';

let test: TestImage;

beforeEach(async () => {
  test = await openTestImage();
}, 120_000);

afterEach(() => test.close());

/** Invokes the restart with this name as the person does, which makes its interactive function ask. */
function asking({ id, restarts }: DebuggerRecord, name: string) {
  const { index } = restarts.find((each) => each.name === name)!;
  const outcome = test.ask('invoke-restart', { debugger: id, restart: index, arguments: [], asks: true });
  outcome.catch(() => {});
  return outcome;
}

async function answer(record: DebuggerRecord, text: string | null, cancel = false): Promise<string> {
  const { question, debugger: asker } = await test.next('question-asked');
  expect(asker).toBe(record.id);
  expect(await test.ask('answer-question', { debugger: record.id, question: question.id, text, cancel })).toEqual({
    found: true,
  });
  return question.text;
}

const TWO_VALUES = `(list (restart-case (error "which?")
  (use-two (a b)
    :report "Use two."
    :interactive (lambda ()
                   (format *query-io* "~&First: ")
                   (let ((first (read *query-io*)))
                     (format t "Second: ")
                     (list first (read-line))))
    (list a b))))`;

describe('questions in the debugger', () => {
  it('The restarts of an unbound variable ask for a form with the words of SBCL [issue 11.3]', async () => {
    const { reply, debugger: record } = await stopped(test, '(list *no-such*)');
    expect(record.restarts.map(({ name, asks }) => [name, asks])).toEqual([
      ['CONTINUE', false],
      ['USE-VALUE', true],
      ['STORE-VALUE', true],
      ['RETRY', false],
      ['ABORT', false],
    ]);
    const outcome = asking(record, 'USE-VALUE');
    const { question } = await test.next('question-asked');
    expect(question).toMatchObject({
      restart: 1,
      reads: 'form',
      text: expect.stringContaining('form to be evaluated'),
    });
    await test.ask('answer-question', { debugger: record.id, question: question.id, text: '(* 6 7)', cancel: false });
    expect(await outcome).toMatchObject({ left: true });
    expect((await reply).values[0]!.text).toBe('(42)');
  });

  it('Restarts of SBCL ask: for the number in a name conflict, for another file name [issue 11.3]', async () => {
    await test.evaluate(
      '(progn (defpackage :left (:use :cl) (:export "BOTH")) (defpackage :right (:use :cl) (:export "BOTH")) (defpackage :user-of-both (:use :cl :left)) nil)',
    );
    const conflict = await stopped(test, '(use-package :right :user-of-both)');
    const resolved = asking(conflict.debugger, 'RESOLVE-CONFLICT');
    expect(await answer(conflict.debugger, '2')).toContain('RIGHT:BOTH');
    expect(await resolved).toMatchObject({ left: true });
    expect(await conflict.reply).toMatchObject({ status: 'ok', values: [{ text: 'T' }] });

    const file = path.join(test.directory, 'there.txt');
    await writeFile(file, 'here it is\n');
    const missing = await stopped(test, '(with-open-file (s "/nowhere/at/all.txt") (read-line s))');
    const used = asking(missing.debugger, 'USE-VALUE');
    await answer(missing.debugger, `#p"${file}"`);
    expect(await used).toMatchObject({ left: true });
    expect(await missing.reply).toMatchObject({ status: 'ok', values: [{ text: '"here it is"' }, { text: 'NIL' }] });
  });

  it('An interactive function asks for several values, each with what it wrote [issue 11.3]', async () => {
    const { reply, debugger: record } = await stopped(test, TWO_VALUES);
    const outcome = asking(record, 'USE-TWO');
    expect((await test.next('question-asked')).question).toMatchObject({ reads: 'form', text: 'First: ' });
    // If the answer is an incomplete form, the question asks for the rest of the form.
    const [first] = test.events.flatMap((event) => (event.event === 'question-asked' ? [event.question] : []));
    await test.ask('answer-question', { debugger: record.id, question: first!.id, text: '(1', cancel: false });
    expect(await answer(record, '2) ')).toBe('');
    const { question } = await test.next('question-asked');
    // The rest of the previous line is not used as the answer to this question.
    expect(question).toMatchObject({ restart: 0, reads: 'line', text: 'Second: ' });
    await test.ask('answer-question', { debugger: record.id, question: question.id, text: 'two words', cancel: false });
    expect(await outcome).toMatchObject({ left: true });
    expect((await reply).values[0]!.text).toBe('(((1 2) "two words"))');
  });

  it('Of what floods before a question its end is told [issue 11.3]', async () => {
    const { reply, debugger: record } = await stopped(
      test,
      `(restart-case (error "which?")
         (use-one (a) :interactive (lambda ()
                        (dotimes (i 100000) (format *query-io* "~&line ~D of many~%" i))
                        (format *query-io* "~&Which? ")
                        (list (read-line *query-io*)))
           a))`,
    );
    const outcome = asking(record, 'USE-ONE');
    const text = await answer(record, 'one\n');
    expect(text).toHaveLength(10_000);
    expect(text.endsWith('line 99998 of many\nline 99999 of many\nWhich? ')).toBe(true);
    const whole = Array.from({ length: 100_000 }, (_, index) => `line ${index} of many\n`).join('').length + 7;
    const asked = test.events.flatMap((event) => (event.event === 'question-asked' ? [event.question] : []));
    expect(asked).toMatchObject([{ leftOut: whole - 10_000 }]);
    expect((await outcome).left).toBe(true);
    expect((await reply).values).toMatchObject([{ text: '"one"' }]);
  });

  it('A question that is cancelled leaves the debugger as it was, with nothing invoked [issue 11.3]', async () => {
    const { debugger: record } = await stopped(test, TWO_VALUES);
    const outcome = asking(record, 'USE-TWO');
    await answer(record, '1');
    await answer(record, null, true);
    expect(await outcome).toMatchObject({ left: false, result: { condition: { type: 'ABORT' } } });
    expect(await test.ask('debugger', { debugger: record.id })).toMatchObject({ id: record.id, level: 1 });
    await abort(test, record);
  });

  it.runIf(FOLLOWS)(
    "A question of a client's function, which the person's evaluation calls, names the client [issue 11.3]",
    async () => {
      await test.value(
        `(defun order () (restart-case (error "which?")
         (use-one (a) :interactive (lambda () (format *query-io* "Your password: ") (list (read-line *query-io*))) a)))`,
        { actor: 'client:a', context: 'a', guard: true },
      );
      const { debugger: record } = await stopped(test, '(list (order))');
      const outcome = asking(record, 'USE-ONE');
      const { question } = await test.next('question-asked');
      expect(question).toMatchObject({ author: 'client:a', text: 'Your password: ', leftOut: 0 });
      await test.ask('answer-question', { debugger: record.id, question: question.id, text: null, cancel: true });
      await outcome;
      await abort(test, record);
      const own = await stopped(test, TWO_VALUES);
      const ownOutcome = asking(own.debugger, 'USE-TWO');
      const { question: ownQuestion } = await test.next('question-asked');
      expect(ownQuestion).toMatchObject({ author: null, text: 'First: ' });
      await test.ask('answer-question', {
        debugger: own.debugger.id,
        question: ownQuestion.id,
        text: null,
        cancel: true,
      });
      await ownOutcome;
      await abort(test, own.debugger);
    },
  );

  it('Frames are looked at, and forms evaluated in them, while a question waits [issue 11.3]', async () => {
    const { reply, debugger: record } = await stopped(
      test,
      '(let ((twice 84)) (declare (optimize debug)) (list (restart-case (error "x") (use-value (v) :interactive (lambda () (list (read *query-io*))) (list twice v)))))',
    );
    const outcome = asking(record, 'USE-VALUE');
    const { question } = await test.next('question-asked');
    const { frames } = await test.ask('debugger', { debugger: record.id });
    const frame = frames.find(({ internal }) => !internal)!.index;
    expect((await test.ask('frame-locals', { debugger: record.id, frame })).locals).toBeInstanceOf(Array);
    expect(await test.ask('eval-in-frame', { debugger: record.id, frame, code: '(+ 1 2)' })).toMatchObject({
      result: { values: [{ text: '3' }] },
    });
    expect(await test.value('(* 5 5)', { context: 'other' })).toBe('25');
    await test.ask('answer-question', { debugger: record.id, question: question.id, text: '7', cancel: false });
    expect(await outcome).toMatchObject({ left: true });
    expect((await reply).values[0]!.text).toBe('((84 7))');
  });

  it('CONTINUE of CERROR and RETRY of a failed compilation by ASDF are taken, and a package that is not there waits [issue 11.3]', async () => {
    const first = await stopped(test, '(list (cerror "Go on anyway." "no ~A" :more))');
    await asking(first.debugger, 'CONTINUE');
    expect((await first.reply).values[0]!.text).toBe('(NIL)');
    await test.next('debugger-left');

    const second = await stopped(test, '(list (symbol-name (intern "THING" :no-such-package)))');
    expect(second.debugger.type).toMatch(/PACKAGE/);
    await abort(test, second.debugger);

    const system = path.join(test.directory, 'failing.asd');
    const source = path.join(test.directory, 'failing.lisp');
    await writeFile(system, '(defsystem "failing" :components ((:file "failing")))');
    await writeFile(source, '(defun failing () (let ((x 1 2)) x))\n');
    const code = `(progn (asdf:load-asd "${system}") (asdf:load-system "failing") (funcall (intern "FAILING")))`;
    const third = await stopped(test, code);
    const { index } = third.debugger.restarts.find(({ report }) => report.startsWith('Retry compiling'))!;
    await writeFile(source, '(defun failing () (let ((x 42)) x))\n');
    await test.ask('invoke-restart', { debugger: third.debugger.id, restart: index, arguments: [], asks: true });
    expect((await third.reply).values[0]!.text).toBe('42');
  });

  it('An error in an interactive function is a debugger of its own, and leads back [issue 11.3]', async () => {
    const { debugger: record } = await stopped(
      test,
      '(restart-case (error "outer") (use-value (v) :interactive (lambda () (error "inner ~A" (read-line *query-io*))) v))',
    );
    const outcome = asking(record, 'USE-VALUE');
    await answer(record, 'words');
    const { debugger: inner } = await test.next('debugger-entered');
    expect(inner).toMatchObject({ level: 2, message: 'inner words' });
    await restart(test, inner, 'ABORT');
    expect(await outcome).toMatchObject({ left: false, result: { condition: { type: 'ABORT' } } });
    await test.next('debugger-left');
    await abort(test, record);
  });

  it('What is evaluated in a frame reads from the person in the debugger [issue 11.3]', async () => {
    const { debugger: record } = await stopped(test, '(list (error "x"))');
    const evaluated = test.ask('eval-in-frame', { debugger: record.id, frame: 0, code: '(y-or-n-p "Sure?")' });
    expect(await answer(record, 'y')).toBe('');
    expect(await evaluated).toMatchObject({ result: { values: [{ text: 'T' }] } });
    expect(test.events.filter(({ event }) => event === 'input-requested')).toEqual([]);
    await abort(test, record);
  });

  it("The person answers the restart of a thread, and of an agent's code, which reads nothing by itself [issue 11.3]", async () => {
    const code =
      '(restart-case (error "held") (use-value (v) :interactive (lambda () (write-string "Which? " *query-io*) (list (read-line *query-io*))) v))';
    const held = await test.evaluate(code, { onError: 'hold', guard: true, actor: 'client:a' });
    const { debugger: record } = await test.next('debugger-entered');
    expect(held.debugger).toBe(record.id);
    // If an agent passes no arguments, the input of the restart's interactive function is empty.
    const { index } = record.restarts.find(({ name }) => name === 'USE-VALUE')!;
    expect(
      await test.ask('invoke-restart', { debugger: record.id, restart: index, arguments: [], guard: true }),
    ).toMatchObject({ left: false, result: { condition: { type: 'END-OF-FILE' } } });
    const outcome = asking(record, 'USE-VALUE');
    expect(await answer(record, 'this one')).toBe('Which? ');
    expect(await outcome).toMatchObject({ left: true });
    expect(await test.next('evaluation-continued')).toMatchObject({ values: [{ text: '"this one"' }] });

    const threaded = await test.evaluate(`(progn (sb-thread:make-thread (lambda () (print ${code}))) nil)`, {
      onError: 'debug',
      interactive: true,
    });
    expect(threaded.status).toBe('ok');
    await test.next('debugger-left');
    const { debugger: ofThread } = await test.next('debugger-entered');
    const cancelled = asking(ofThread, 'USE-VALUE');
    await answer(ofThread, null, true);
    expect(await cancelled).toMatchObject({ left: false });
    const again = asking(ofThread, 'USE-VALUE');
    await answer(ofThread, 'of a thread');
    expect(await again).toMatchObject({ left: true });
  });

  it('An interrupt ends a question, and so does the end of its evaluation [issue 11.3]', async () => {
    const { reply, debugger: record } = await stopped(test, TWO_VALUES);
    const outcome = asking(record, 'USE-TWO');
    const { question } = await test.next('question-asked');
    await test.ask('interrupt', { evaluation: record.evaluation });
    expect(await outcome).toMatchObject({ left: false, result: { status: 'interrupted' } });
    expect(
      await test.ask('answer-question', { debugger: record.id, question: question.id, text: '1', cancel: false }),
    ).toEqual({ found: false });
    const again = asking(record, 'USE-TWO');
    await test.next('question-asked');
    await test.ask('give-up', { evaluation: record.evaluation });
    expect(await again).toMatchObject({ left: true });
    expect((await reply).status).toBe('interrupted');
  });
});
