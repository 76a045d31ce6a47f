/** Values of marked forms, in an image that is started as for a person with agents. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';

let lisp: TestImage;
beforeAll(async () => {
  lisp = await openTestImage();
}, 120_000);
afterAll(() => lisp.close());

let forms = 0;

/** Returns a mark at the first occurrence of a form in a text. */
function markAt(text: string, form: string) {
  forms += 1;
  const start = text.indexOf(form);
  return { form: `form-${String(forms).padStart(4, '0')}`, start, end: start + form.length };
}

const compile = (text: string, marks: readonly ReturnType<typeof markAt>[]) =>
  lisp.run('compile-text', { text, package: null, source: null, load: true, policy: null, marks: [...marks] });

/** Compiles a text with one mark, and returns the id of the form. */
async function marked(text: string, form: string): Promise<string> {
  const mark = markAt(text, form);
  const { status, result } = await compile(text, [mark]);
  expect({ status, loaded: result?.loaded, refused: result?.refused }).toEqual({
    status: 'ok',
    loaded: true,
    refused: [],
  });
  return mark.form;
}

/** Returns the recorded evaluations of a form, oldest first. */
async function recorded(form: string) {
  const { evaluations } = await lisp.ask('recorded-evaluations', { before: null, limit: 2000, package: null });
  return evaluations.filter((each) => each.form === form).toReversed();
}

const countOf = async (form: string) =>
  (await lisp.ask('recordings', { package: null })).forms.find((each) => each.form === form)?.count;

describe('recording', () => {
  it('Values of a marked form are told with their order, thread and moment, and are live objects', async () => {
    const form = await marked('(defun area (x) (list :area (* x x)))', '(* x x)');
    await expect(lisp.value('(list (area 2) (area 3))')).resolves.toBe('((:AREA 4) (:AREA 9))');
    const evaluations = await recorded(form);
    expect(evaluations.map(({ kind, values, actor }) => [kind, values, actor])).toEqual([
      ['values', ['4'], 'person'],
      ['values', ['9'], 'person'],
    ]);
    expect(evaluations[1]!.order).toBe(evaluations[0]!.order + 1);
    expect(Math.abs(evaluations[0]!.at - Date.now())).toBeLessThan(60_000);
    const { handle } = await lisp.ask('hold-recorded', {
      form,
      order: evaluations[1]!.order,
      index: 0,
      holder: 'pane',
    });
    const page = { handle: handle!, holder: 'pane', view: null, offset: 0, limit: 1, package: null };
    await expect(lisp.ask('inspect', page)).resolves.toMatchObject({ expired: false, text: '9' });
    expect(lisp.events).toContainEqual({ event: 'values-recorded', forms: [{ form, count: 2 }] });
  });

  it('Code of an agent is recorded as its own, in its threads too, with the guard in its place', async () => {
    const form = await marked('(defun mine (x) (list (1+ x)))', '(1+ x)');
    const code = '(sb-thread:join-thread (sb-thread:make-thread (lambda () (mine 1)) :name "its own"))';
    await lisp.evaluate(code, { actor: 'client:codex', guard: true, evaluation: 'agent' });
    await lisp.value('(mine 2)');
    expect((await recorded(form)).map(({ values, actor, thread }) => [values, actor, thread === 'its own'])).toEqual([
      [['2'], 'client:codex', true],
      [['3'], 'person', false],
    ]);
  });

  it('The name by which compiled code finds its recorder gives nothing of the engine to others', async () => {
    const asked = `(funcall (find-symbol "TEST-OF-LOADED-CODE" "LISP-WORKBENCH/EVALUATION") :recorder `;
    await expect(lisp.value(`(eq #'funcall ${asked} "nobody"))`)).resolves.toBe('T');
    await expect(lisp.value(`(eq #'funcall ${asked} 12))`)).resolves.toBe('T');
    const form = await marked('(defun found (x) (list x))', '(list x)');
    const reply = await lisp.evaluate(`(funcall ${asked} "${form}") 42)`, { actor: 'client:codex', guard: true });
    expect(reply.condition?.type).toBe('TYPE-ERROR');
  });

  it('What the debugger leaves by a restart is recorded with its error, and what goes on with its values', async () => {
    const form = await marked(
      '(defun checked (x) (list (restart-case (if (oddp x) (error "odd ~A" x) x) (use-value (y) y))))',
      '(if (oddp x) (error "odd ~A" x) x)',
    );
    await lisp.value('(handler-bind ((error (lambda (c) c (use-value 7)))) (checked 1))');
    await lisp.value('(checked 2)');
    expect((await recorded(form)).map(({ kind, values }) => [kind, values])).toEqual([
      ['condition', ['SIMPLE-ERROR: odd 1']],
      ['values', ['2']],
    ]);
  });

  it('A definition with a mark stands where its text stands, with no word of the mark in its source or its diagnostics', async () => {
    const text = '(defun placed (x) (let ((y (missing x))) (list y x)))';
    const mark = markAt(text, '(missing x)');
    const source = { file: '/shop/placed.lisp', offset: 40, line: 5 };
    const { result } = await lisp.run('compile-text', {
      text,
      package: null,
      source,
      load: true,
      policy: null,
      marks: [mark],
    });
    expect(result?.refused).toEqual([]);
    expect(result?.diagnostics.map(({ message, start, end }) => [message, start, end])).toEqual([
      ['undefined function: MISSING', 40 + text.indexOf('missing'), 40 + text.indexOf('missing') + 7],
    ]);
    await expect(
      lisp.ask('find-definition', { context: 'test', symbol: 'placed', package: 'COMMON-LISP-USER' }),
    ).resolves.toMatchObject({ definitions: [{ source: { file: '/shop/placed.lisp', offset: 40, line: 5 } }] });
  });

  it('A mark that is refused leaves the definition as it was', async () => {
    await compile('(defun kept (x) (list :old x))', []);
    const text = '(defun kept (x) (setf (car x) 1))';
    const { result } = await compile(text, [markAt(text, '(car x)'), markAt(text, '(setf (car x) 1)')]);
    expect(result).toMatchObject({ loaded: false, diagnostics: [] });
    expect(result?.refused.map(({ reason }) => reason)).toEqual([
      'This form is a place that is set, not evaluated. Mark the form around it, or the new value.',
    ]);
    await expect(lisp.value('(kept 1)')).resolves.toBe('(:OLD 1)');
  });

  it('Marks end with their definition, whoever makes it anew, and stay with others', async () => {
    const text = '(defmethod sides ((x integer)) (list (1+ x)))';
    const form = await marked(text, '(1+ x)');
    const other = await marked('(defmethod sides ((x ratio)) (list (1- x)))', '(1- x)');
    await lisp.value('(list (sides 1) (sides 1/2))');
    await lisp.evaluate(text, { actor: 'client:codex', guard: true, evaluation: 'anew' });
    expect(lisp.events).toContainEqual({ event: 'recordings-ended', forms: [form] });
    await lisp.value('(list (sides 1) (sides 1/2))');
    await expect(Promise.all([countOf(form), countOf(other)])).resolves.toEqual([undefined, 2]);
    await lisp.ask('forget-recordings', { forms: [other] });
    await expect(lisp.value('(sides 1/2)')).resolves.toBe('(-1/2)');
    await expect(countOf(other)).resolves.toBeUndefined();
  });

  it('What a definition keeps of its source as data is loaded with a mark in it, and what is copied elsewhere is refused', async () => {
    const form = await marked('(defclass kept-slot () ((x :initform (list 1 2))))', '(list 1 2)');
    await expect(lisp.value("(slot-value (make-instance 'kept-slot) 'x)")).resolves.toBe('(1 2)');
    expect((await recorded(form)).map(({ values }) => values)).toEqual([['(1 2)']]);
    const refusal = async (text: string, at: string) =>
      (await compile(text, [markAt(text, at)])).result?.refused[0]?.reason;
    const inline = 'This function is inline: its calls are copies of its code. Declaim it NOTINLINE first.';
    await lisp.value('(declaim (inline copied))');
    await expect(refusal('(defun copied (x) (* x x))', '(* x x)')).resolves.toBe(inline);
    await expect(refusal('(progn (declaim (inline copied-2)) (defun copied-2 (x) (* x x)))', '(* x x)')).resolves.toBe(
      inline,
    );
    await expect(refusal('(defstruct kept-default (x (list 1)))', '(list 1)')).resolves.toMatch(
      /^The defaults of a structure/,
    );
  });

  it('Code goes on without recording when its mark is forgotten', async () => {
    const form = await marked('(defun unheard (x) (list (1+ x)))', '(1+ x)');
    await lisp.ask('forget-recordings', { forms: [form] });
    await expect(lisp.value('(unheard 1)')).resolves.toBe('(2)');
    await expect(recorded(form)).resolves.toEqual([]);
  });

  it('A million evaluations are all counted, and the latest thousand kept', async () => {
    const form = await marked('(defun many (n) (let ((s 0)) (dotimes (i n s) (setf s (logxor s i)))))', '(logxor s i)');
    await lisp.value('(many 1000000)');
    await expect(countOf(form)).resolves.toBe(1_000_000);
    const kept = (await recorded(form)).map(({ order }) => order);
    expect(kept).toHaveLength(1000);
    expect(kept.at(-1)! - kept[0]!).toBe(999);
  });
});
