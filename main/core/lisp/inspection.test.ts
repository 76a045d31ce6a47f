import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InspectedPage } from '#contract/inspection.ts';
import { openTestImage, type TestImage } from './image.fixture.ts';

let lisp: TestImage;

beforeAll(async () => {
  lisp = await openTestImage();
  await lisp.value(
    `(defpackage :inspected (:use :cl)) (in-package :inspected)
     (defclass base () ((id :initarg :id :initform 7) (shared :allocation :class :initform "all")))
     (defclass broken (base) ((bad :initform 2) empty (wide :type (integer 0 9) :initform 3)))
     (defmethod sb-mop:slot-value-using-class ((class standard-class) (it broken) slot)
       (if (eq 'bad (sb-mop:slot-definition-name slot)) (error "No reading.") (call-next-method)))
     (defclass endless () (one two three four five six))
     (defmethod sb-mop:slot-boundp-using-class ((class standard-class) (it endless) slot) (loop))
     (defclass rude () ()) (defmethod print-object ((it rude) stream) (error "No."))
     (defstruct point (x 1 :type fixnum) (y 2 :read-only t))
     (define-condition trouble (error) ((why :initarg :why)) (:report "There is trouble."))
     (defgeneric area (shape &key unit) (:documentation "Square."))
     (defmethod area ((shape point) &key unit) unit) (defmethod area :around ((shape base) &key unit) unit)
     (defun plain (a &optional b) "Plain." (list a b))
     (defvar *settings* 1) (defconstant +limit+ 9)
     (defun counter () (let ((count 41) (step 1)) (lambda () (incf count step))))`,
    { context: 'inspected' },
  );
});

afterAll(() => lisp.close());

const page = { holder: 'inspector', view: null, offset: 0, limit: 50, package: 'INSPECTED' };

async function inspected(code: string, more: { view?: string | null; offset?: number; limit?: number } = {}) {
  const reply = await lisp.run('inspect-expression', { ...page, code, ...more });
  if (!reply.result) throw new Error(JSON.stringify(reply.condition));
  return reply.result;
}

const look = async (code: string, view: string | null = null) => (await inspected(code, { view })).page;
const rows = ({ parts }: InspectedPage) => parts.map(({ label, text }) => `${label} = ${text}`);
const facts = (shown: InspectedPage) => Object.fromEntries(shown.facts.map(({ label, value }) => [label, value]));

describe('D7 the inspector', () => {
  it('shows an object with facts, views and parts to go on with', async () => {
    const { handle, page: shown } = await inspected('(list 1 "two")');
    const part = { state: 'value', keyHandle: null, editable: true, group: null, note: null };
    expect(shown).toEqual({
      expired: false,
      kind: 'list',
      title: 'A list',
      type: 'CONS',
      text: '(1 "two")',
      cut: 0,
      views: ['elements', 'cons'],
      view: 'elements',
      facts: [{ label: 'Length', value: '2' }],
      parts: [
        { ...part, label: '0', text: '1', type: 'FIXNUM', handle: expect.any(Number), path: expect.any(Number) },
        { ...part, label: '1', text: '"two"', type: 'STRING', handle: expect.any(Number), path: expect.any(Number) },
      ],
      total: 2,
      offset: 0,
      more: false,
      problem: null,
    });
    const second = await lisp.ask('inspect', { ...page, handle: shown.parts[1]?.handle ?? 0 });
    expect([second.kind, second.text]).toEqual(['string', '"two"']);
    const cons = await lisp.ask('inspect', { ...page, handle, view: 'cons' });
    expect(rows(cons)).toEqual(['CAR = 1', 'CDR = ("two")']);
  });

  it('says that a handle has expired', async () => {
    await lisp.run('inspect-expression', { ...page, holder: 'gone', code: '(list 1)' });
    const { handle } = (await lisp.run('inspect-expression', { ...page, holder: 'gone', code: '(list 1)' })).result!;
    await lisp.ask('release', { holder: 'gone' });
    await expect(lisp.ask('inspect', { ...page, handle })).resolves.toMatchObject({ expired: true, parts: [] });
    await expect(lisp.ask('describe-handle', { handle, limit: 9 })).resolves.toEqual({
      expired: true,
      text: '',
      cut: 0,
    });
    await expect(
      lisp.run('set-part', { ...page, handle, path: handle, code: '1', remove: false }),
    ).resolves.toMatchObject({
      status: 'ok',
      result: { expired: true },
    });
    await expect(
      lisp.run('evaluate-with-object', { handle, code: '*', package: null, holder: 'gone', valueLimit: 9 }),
    ).resolves.toMatchObject({ status: 'ok', result: { expired: true, values: [] } });
  });

  it.each<[string, string, string | null, string[]]>([
    ["'(1 2 . 3)", 'list', null, ['0 = 1', '1 = 2', '. = 3']],
    ['(let ((l (list 1 2))) (setf (cddr l) l) l)', 'list', null, ['0 = 1', '1 = 2']],
    ["(list (cons :a 1) (cons 'b 2))", 'list', 'association list', [':A = 1', 'B = 2']],
    ["(list :a 1 'b 2)", 'list', 'property list', [':A = 1', 'B = 2']],
    ['(cons 1 2)', 'cons', null, ['CAR = 1', 'CDR = 2']],
    ["(make-array '(2 2) :initial-contents '((1 2) (3 4)))", 'array', null, ['0 = #(1 2)', '1 = #(3 4)']],
    [
      "(make-array '(2 2) :initial-contents '((1 2) (3 4)))",
      'array',
      'elements',
      ['0 0 = 1', '0 1 = 2', '1 0 = 3', '1 1 = 4'],
    ],
    [
      "(make-array 3 :fill-pointer 1 :initial-contents '(1 2 3))",
      'array',
      'beyond the fill pointer',
      ['1 = 2', '2 = 3'],
    ],
    ['(copy-seq #*101)', 'array', null, ['0 = 1', '1 = 0', '2 = 1']],
    ['(format nil "a~%")', 'string', null, ['1 = a', '2 = ']],
    ['(format nil "a~%")', 'string', 'characters', ['0 = #\\a', '1 = #\\Newline']],
    [
      `(let ((h (make-hash-table :test 'equal))) (setf (gethash "b" h) 1 (gethash "a" h) 2) h)`,
      'hash-table',
      null,
      ['a = 2', 'b = 1'],
    ],
    [
      "(make-instance 'broken)",
      'instance',
      null,
      ['ID = 7', 'SHARED = "all"', 'BAD = #<error SIMPLE-ERROR>', 'EMPTY = #<unbound>', 'WIDE = 3'],
    ],
    ['(make-point)', 'structure', null, ['X = 1', 'Y = 2']],
    ["(make-condition 'trouble :why 3)", 'condition', null, ['WHY = 3']],
    ['1/3', 'number', null, ['Numerator = 1', 'Denominator = 3']],
    ['#c(1 2)', 'number', null, ['Real part = 1', 'Imaginary part = 2']],
    ['1.5', 'number', null, ['Significand = 12582912', 'Exponent = -23', 'Sign = 1']],
    ['(counter)', 'closure', null, ['0 = 1', '1 = 41']],
    [
      "'rude",
      'symbol',
      null,
      [
        'Value = #<unbound>',
        'Function = #<unbound>',
        'Property list = NIL',
        'Class = #<STANDARD-CLASS RUDE>',
        'Home package = #<PACKAGE "INSPECTED">',
      ],
    ],
    ["(find-class 'broken)", 'class', 'superclasses', ['BASE = #<STANDARD-CLASS BASE>']],
    ["(find-class 'base)", 'class', 'subclasses', ['BROKEN = #<STANDARD-CLASS BROKEN>']],
    ['(find-package :inspected)', 'package', 'uses', ['COMMON-LISP = #<PACKAGE "COMMON-LISP">']],
    ['(list (make-instance (quote rude)))', 'list', null, ['0 = #<error SIMPLE-ERROR printing RUDE>']],
    ['(make-synonym-stream (quote *standard-input*))', 'stream', null, ['Symbol = *STANDARD-INPUT*']],
    ['#\\a', 'character', null, ['Code = 97']],
  ])('shows the parts of %s', async (code, kind, view, expected) => {
    const shown = await look(code, view);
    expect([shown.kind, shown.view, rows(shown)]).toEqual([kind, view ?? shown.views[0], expected]);
  });

  it.each<[string, Record<string, string>]>([
    ["'(1 2 . 3)", { Length: '2', Shape: 'dotted' }],
    ['(let ((l (list 1))) (setf (cdr l) l) l)', { Length: '1', Shape: 'circular' }],
    ["(make-hash-table :weakness :key :test 'eq)", { Count: '0', Test: 'EQ', Weakness: ':KEY' }],
    [
      '65',
      { Decimal: '65', Hexadecimal: '41', Octal: '101', Binary: '1000001', Character: '#\\A', Octets: '41', Bits: '7' },
    ],
    ['1.5d0', { 'Exact value': '3/2', 'Bit pattern': '3FF8000000000000' }],
    ['#\\λ', { Code: '955', Hexadecimal: 'U+03BB', 'UTF-8': 'CE BB' }],
    ["(make-condition 'trouble :why 3)", { Report: 'There is trouble.', Severity: 'serious' }],
    [
      "'plain",
      { Name: 'PLAIN', Package: 'INSPECTED', Status: 'internal', Function: 'function', Documentation: 'Plain.' },
    ],
    ['(intern "X" :inspected)', { Package: 'INSPECTED' }],
    [
      "#'plain",
      { Name: 'PLAIN', 'Lambda list': '(A &OPTIONAL B)', Source: 'evaluated by person', Documentation: 'Plain.' },
    ],
    ["#'area", { Name: 'AREA', Methods: '2', 'Method combination': 'STANDARD', Documentation: 'Square.' }],
    ["(find-class 'point)", { Name: 'POINT', Metaclass: 'STRUCTURE-CLASS' }],
    ['(find-package :cl)', { Name: 'COMMON-LISP', Nicknames: 'CL', Locked: 'yes', 'External symbols': '978' }],
    ['#p"/no-such-place/x.lisp"', { Name: '/no-such-place/x.lisp', Exists: 'no' }],
    ['*standard-output*', { Direction: 'output', Open: 'yes' }],
    ['(sb-thread:main-thread)', { Name: 'main thread', Alive: 'yes', 'Main thread': 'yes' }],
    ['*readtable*', { Case: ':UPCASE' }],
    ['(asdf:find-system "asdf")', { Name: 'asdf', Loaded: 'yes' }],
    ['(let ((p (make-package "GOING"))) (delete-package p) p)', { Name: '(deleted)' }],
  ])('tells facts about %s', async (code, expected) => {
    expect(facts(await look(code))).toMatchObject(expected);
  });

  it('groups slots by the class that brought them', async () => {
    const { parts } = await look("(make-instance 'broken)", 'by class');
    expect(parts.map(({ label, group, note }) => [label, group, note])).toEqual([
      ['ID', 'BASE', null],
      ['SHARED', 'BASE', 'class'],
      ['BAD', 'BROKEN', null],
      ['EMPTY', 'BROKEN', null],
      ['WIDE', 'BROKEN', null],
    ]);
  });

  it('lists methods, instances and what a thread does', async () => {
    expect((await look("#'area")).parts.map(({ label }) => label)).toEqual(['AREA (POINT)', 'AREA :AROUND (BASE)']);
    await lisp.value('(defvar inspected::*kept* (list (inspected::make-point :x 11) (inspected::make-point :x 12)))');
    expect(rows(await look("(progn (sb-ext:gc :full t) (find-class 'point))", 'instances'))).toEqual(
      expect.arrayContaining([expect.stringMatching(/Count = [2-9]/), expect.stringContaining(':X 11')]),
    );
    const { handle } = await inspected(
      "(sb-thread:make-thread #'sb-thread:wait-on-semaphore :arguments (list (sb-thread:make-semaphore)))",
    );
    const frames = async () => rows(await lisp.ask('inspect', { ...page, handle, view: 'frames' })).join('\n');
    await expect.poll(frames).toContain('WAIT-ON-SEMAPHORE');
    expect(await frames()).not.toMatch(/lisp-workbench|interruption/i);
  });

  it('shows what is long a page at a time', async () => {
    const { handle, page: first } = await inspected('(loop for i below 1000 collect i)', { limit: 3 });
    expect([rows(first), first.total, first.more]).toEqual([['0 = 0', '1 = 1', '2 = 2'], 1000, true]);
    const last = await lisp.ask('inspect', { ...page, handle, offset: 998 });
    expect([rows(last), last.offset, last.more]).toEqual([['998 = 998', '999 = 999'], 998, false]);
    const beyond = await lisp.ask('inspect', { ...page, handle, offset: 5000 });
    expect([beyond.parts, beyond.more]).toEqual([[], false]);
    const large = await look('(let ((h (make-hash-table))) (dotimes (i 100000 h) (setf (gethash i h) i)))');
    expect([large.parts.length, large.total, large.more]).toEqual([50, 100_000, true]);
  });

  it('gives up what does not end, and shows the rest', async () => {
    const { handle } = await inspected("(list (make-instance 'endless))");
    const list = await lisp.ask('inspect', { ...page, handle });
    const shown = await lisp.ask('inspect', { ...page, handle: list.parts[0]?.handle ?? 0 });
    expect([shown.title, shown.parts.length, shown.parts[0]?.text, shown.parts[5]?.text]).toEqual([
      'An ENDLESS',
      6,
      '#<took too long>',
      '#<not looked at: the others took too long>',
    ]);
  });

  it('describes', async () => {
    const { handle } = await inspected('(make-point :x 5)');
    const { text, ...rest } = await lisp.ask('describe-handle', { handle, limit: 1000 });
    expect(text).toContain('#S(INSPECTED::POINT :X 5 :Y 2)');
    expect(rest).toEqual({ expired: false, cut: 0 });
  });

  it('evaluates with the object as *', async () => {
    const { handle } = await inspected('(make-point :x 5)');
    const reply = await lisp.run('evaluate-with-object', {
      handle,
      code: '(setf (point-x *) 6) (values (point-x *) *)',
      package: 'inspected',
      holder: 'inspector',
      valueLimit: 100,
    });
    expect(reply.result).toEqual({
      expired: false,
      values: [
        { text: '6', type: 'FIXNUM', cut: 0, handle: expect.any(Number) },
        { text: '#S(POINT :X 6 :Y 2)', type: 'POINT', cut: 0, handle: expect.any(Number) },
      ],
    });
  });

  it('tells what is wrong with an expression', async () => {
    const failed = async (code: string, inPackage: string | null = 'INSPECTED') =>
      (await lisp.run('inspect-expression', { ...page, code, package: inPackage })).condition;
    expect(await failed('(car 1)')).toMatchObject({ type: 'TYPE-ERROR', phase: 'evaluation' });
    expect(await failed('(car')).toMatchObject({ type: 'END-OF-FILE', phase: 'reader' });
    expect(await failed('1', 'no-such-package')).toMatchObject({ type: 'PACKAGE-ERROR' });
  });
});

describe('D7 changing a part', () => {
  async function changed(code: string, part: string, value: string, more: { view?: string; remove?: boolean } = {}) {
    const { handle, page: before } = await inspected(code, { view: more.view ?? null });
    const { path } = before.parts.find(({ label }) => label === part) ?? {};
    if (path === null || path === undefined) throw new Error(`${part} is no place in ${rows(before).join(', ')}`);
    const fields = { ...page, view: more.view ?? null, handle, path, code: value, remove: more.remove ?? false };
    const { result, condition } = await lisp.run('set-part', fields);
    return result ? rows(result) : condition?.message;
  }

  it.each<[string, string, string, object, string[]]>([
    ['(list 1 2)', '1', '(* 5 *)', {}, ['0 = 1', '1 = 10']],
    ["(make-instance 'base)", 'ID', "'x", {}, ['ID = X', 'SHARED = "all"']],
    ['(make-point)', 'X', '5', {}, ['X = 5', 'Y = 2']],
    ['(vector 1 2)', '0', '"a"', {}, ['0 = "a"', '1 = 2']],
    ['(make-array 2 :initial-element 0)', '1', '7', {}, ['0 = 0', '1 = 7']],
    ['(let ((h (make-hash-table))) (setf (gethash 1 h) 2) h)', '1', '(1+ *)', {}, ['1 = 3']],
    ['(let ((h (make-hash-table))) (setf (gethash 1 h) 2) h)', '1', '', { remove: true }, []],
    ['(list :a 1)', ':A', '2', { view: 'property list' }, [':A = 2']],
    ['(list (cons 1 2))', '1', '9', { view: 'association list' }, ['1 = 9']],
    ['(counter)', '1', '50', {}, ['0 = 1', '1 = 50']],
    ['(cons 1 2)', 'CDR', 'nil', {}, ['0 = 1']],
    ["(make-instance 'base)", 'ID', '', { remove: true }, ['ID = #<unbound>', 'SHARED = "all"']],
  ])('of %s: %s becomes %s', async (code, part, value, more, expected) => {
    await expect(changed(code, part, value, more)).resolves.toEqual(expected);
  });

  it('of a variable sets its global value', async () => {
    await changed("'*settings*", 'Value', '(+ * 1)');
    await expect(lisp.value('inspected::*settings*')).resolves.toBe('2');
  });

  it.each<[string, string, string, string]>([
    ['(make-point)', 'Y', '1', 'The slot Y is read-only.'],
    ['(make-point)', 'X', '"a"', 'The value\n  "a"\nis not of type\n  FIXNUM'],
    ["(make-instance 'broken)", 'WIDE', '10', 'The value\n  10\nis not of type\n  (INTEGER 0 9)'],
    ["'+limit+", 'Value', '1', '+LIMIT+ is a constant.'],
    ["'car", 'Function', "#'cdr", 'The package COMMON-LISP is locked.'],
    ['(counter)', '0', '2', 'The code never assigns it'],
    ["(symbol-name 'plain)", '0', '#\\A', 'literal'],
    ["(make-array 2 :element-type 'bit)", '0', '2', 'not of type'],
    ['(list 1)', '0', '(error "Not today.")', 'Not today.'],
  ])('of %s is refused: %s to %s', async (code, part, value, reason) => {
    const view = code.startsWith('(symbol-name') ? { view: 'characters' } : {};
    await expect(changed(code, part, value, view)).resolves.toContain(reason);
  });
});

it('Inspecting interns nothing of ours and shows nothing of ours', async () => {
  for (const code of [
    '*standard-output*',
    '(find-package :cl)',
    "(find-class 'stream)",
    "#'print-object",
    '(find-class t)',
  ]) {
    const { handle, page: shown } = await inspected(code);
    for (const view of shown.views.filter((name) => !['slots', 'by class', 'instances'].includes(name)))
      expect(JSON.stringify(await lisp.ask('inspect', { ...page, handle, view, limit: 500 }))).not.toMatch(
        /lisp-workbench/i,
      );
  }
});
