/** The inspector: facts, views and parts of objects of all kinds. */
import { describe, expect, it } from 'vitest';
import type { InspectedPage } from '#contract/image/inspection.ts';
import { inspectedImage, page, rows } from './inspected.fixture.ts';

const { lisp, inspected } = await inspectedImage();

const look = async (code: string, view: string | null = null) => (await inspected(code, { view })).page;
const facts = (shown: InspectedPage) => Object.fromEntries(shown.facts.map(({ label, value }) => [label, value]));

describe('inspector', () => {
  it('The inspector shows an object with facts, views and parts to go on with [D7]', async () => {
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
      drawings: [],
      facts: [{ label: 'Length', value: '2' }],
      parts: [
        { ...part, label: '0', text: '1', type: 'FIXNUM', handle: expect.any(Number), path: expect.any(Number) },
        { ...part, label: '1', text: '"two"', type: 'STRING', handle: expect.any(Number), path: expect.any(Number) },
      ],
      total: 2,
      inexact: false,
      offset: 0,
      more: false,
      problem: null,
    });
    const second = await lisp.ask('inspect', { ...page, handle: shown.parts[1]?.handle ?? 0 });
    expect([second.kind, second.text]).toEqual(['string', '"two"']);
    const cons = await lisp.ask('inspect', { ...page, handle, view: 'cons' });
    expect(rows(cons)).toEqual(['CAR = 1', 'CDR = ("two")']);
  });

  it('The inspector says that a handle has expired [D7]', async () => {
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
      ['"a" = 2', '"b" = 1'],
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
    ["(sb-ext:make-weak-pointer 'counter)", 'weak-pointer', null, ['Value = COUNTER']],
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
    ['(list (make-instance (quote rude)))', 'list', null, ['0 = #<error SIMPLE-ERROR printing RUDE: No.>']],
    [
      '(make-instance (quote rude))',
      'instance',
      'error in printing',
      [expect.stringMatching(/^Condition = #<SIMPLE-ERROR "No\." /) as string, 'Report = No.'],
    ],
    ['(make-synonym-stream (quote *standard-input*))', 'stream', null, ['Symbol = *STANDARD-INPUT*']],
    ['#\\a', 'character', null, ['Code = 97']],
  ])('The inspector shows the parts of %s [D7]', async (code, kind, view, expected) => {
    const shown = await look(code, view);
    expect([shown.kind, shown.view, rows(shown)]).toEqual([kind, view ?? shown.views[0], expected]);
  });

  it.each(["#'plain", "#'counter", "#'mapcar"])(
    'The machine code of %s is as large as its disassembly says [D7]',
    async (code) => {
      const size = /Size: (\d+) bytes/.exec(rows(await look(code, 'disassembly')).join('\n'))![1];
      const { facts } = await look(code, null);
      expect(facts.find(({ label }) => label === 'Machine code')?.value).toBe(`${size} octets`);
    },
  );

  it.each<[string, Record<string, string>]>([
    ["'(1 2 . 3)", { Length: '2', Shape: 'dotted' }],
    ['(let ((l (list 1))) (setf (cdr l) l) l)', { Length: '1', Shape: 'circular' }],
    ["(make-hash-table :weakness :key :test 'eq)", { Count: '0', Test: 'EQ', Weakness: ':KEY' }],
    ["(sb-ext:make-weak-pointer 'counter)", { State: 'alive' }],
    [
      // The list is made in a thread that has ended, so that no stack still refers to the list by chance.
      '(prog1 (sb-thread:join-thread (sb-thread:make-thread (lambda () (sb-ext:make-weak-pointer (list 1))))) (sb-ext:gc :full t))',
      { State: 'broken: its object was collected' },
    ],
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
  ])('The inspector tells facts about %s [D7]', async (code, expected) => {
    expect(facts(await look(code))).toMatchObject(expected);
  });

  it('The inspector groups slots by the class that brought them [D7]', async () => {
    const { parts } = await look("(make-instance 'broken)", 'by class');
    expect(parts.map(({ label, group, note }) => [label, group, note])).toEqual([
      ['ID', 'BASE', null],
      ['SHARED', 'BASE', 'class'],
      ['BAD', 'BROKEN', null],
      ['EMPTY', 'BROKEN', null],
      ['WIDE', 'BROKEN', null],
    ]);
  });

  it('The inspector lists methods, instances and what a thread does [D7]', async () => {
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

  it('The inspector shows what is long a page at a time [D7]', async () => {
    const { handle, page: first } = await inspected('(loop for i below 1000 collect i)', { limit: 3 });
    expect([rows(first), first.total, first.more]).toEqual([['0 = 0', '1 = 1', '2 = 2'], 1000, true]);
    const last = await lisp.ask('inspect', { ...page, handle, offset: 998 });
    expect([rows(last), last.offset, last.more]).toEqual([['998 = 998', '999 = 999'], 998, false]);
    const beyond = await lisp.ask('inspect', { ...page, handle, offset: 5000 });
    expect([beyond.parts, beyond.more]).toEqual([[], false]);
    const large = await look('(let ((h (make-hash-table))) (dotimes (i 100000 h) (setf (gethash i h) i)))');
    expect([large.parts.length, large.total, large.more]).toEqual([50, 100_000, true]);
  });

  it('The inspector gives up what does not end, and shows the rest [D7]', async () => {
    const { handle } = await inspected("(list (make-instance 'endless))");
    const list = await lisp.ask('inspect', { ...page, handle });
    const shown = await lisp.ask('inspect', { ...page, handle: list.parts[0]?.handle ?? 0 });
    expect([shown.title, shown.parts.length, shown.parts[0]?.text, shown.parts[5]?.text]).toEqual([
      'An ENDLESS',
      6,
      '#<took too long>',
      '#<not read: the other parts took too long>',
    ]);
  });

  it('The inspector describes an object [D7]', async () => {
    const { handle } = await inspected('(make-point :x 5)');
    const { text, ...rest } = await lisp.ask('describe-handle', { handle, limit: 1000 });
    expect(text).toContain('#S(INSPECTED::POINT :X 5 :Y 2)');
    expect(rest).toEqual({ expired: false, cut: 0 });
  });

  it('The inspector evaluates with the object as * [D7]', async () => {
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

  it('The inspector tells what is wrong with an expression [D7]', async () => {
    const failed = async (code: string, inPackage: string | null = 'INSPECTED') =>
      (await lisp.run('inspect-expression', { ...page, code, package: inPackage })).condition;
    expect(await failed('(car 1)')).toMatchObject({ type: 'TYPE-ERROR', phase: 'evaluation' });
    expect(await failed('(car')).toMatchObject({ type: 'END-OF-FILE', phase: 'reader' });
    expect(await failed('1', 'no-such-package')).toMatchObject({ type: 'PACKAGE-ERROR' });
  });
});

it('The inspector interns nothing of ours and shows nothing of ours', async () => {
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
