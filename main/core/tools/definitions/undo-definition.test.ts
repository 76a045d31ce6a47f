import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { INERT_MS } from '#contract/decisions/decision.ts';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';

let bench: TestWorkbench;
let client: TestClient;

beforeAll(async () => {
  bench = await openTestWorkbench();
  client = await bench.connect();
  bench.workbench.approvals.setApprover('the test');
}, 120_000);

afterAll(() => bench.close());

beforeEach(async () => {
  await client.call('reset-session');
});

async function personSays(code: string): Promise<void> {
  const who = { evaluation: randomUUID(), package: null, origin: 'repl' as const, source: null };
  await bench.workbench.evaluateAsPerson({ ...who, code });
}

async function decideNext(decision: 'approved' | 'denied'): Promise<string> {
  const { approvals } = bench.workbench;
  await expect.poll(() => approvals.view().waiting.length).toBe(1);
  const card = approvals.view().waiting[0]!;
  await new Promise((resolve) => setTimeout(resolve, INERT_MS + 20)); // a decision is ignored if it comes too soon after the card appeared
  await approvals.decide(
    card.id,
    card.fingerprint,
    decision === 'approved' ? { decision } : { decision, reason: 'no' },
  );
  return card.headline;
}

const undo = (args: Record<string, unknown> = {}) => client.call('undo-definition', args);

describe('undo-definition', () => {
  it("The tool undo-definition puts back what was there before a definition of the client's own, without asking [P3]", async () => {
    await client.evaluate('(defun area () 1)');
    await client.evaluate('(defun area () 2)');
    const reply = await undo({ name: 'area' });
    expect(reply).toMatchObject({ isError: false, meta: { safety_level: 'cautious' } });
    expect(reply.text).toMatch(
      /^- function AREA in COMMON-LISP-USER \(event \d+\): undone: exact; undo event \d+ to restore it$/,
    );
    expect(await client.evaluate('(area)')).toBe('=> 1');
    const event = Number(/undo event (\d+)/.exec(reply.text)![1]);
    await undo({ event });
    expect(await client.evaluate('(area)')).toBe('=> 2');
    await undo({ name: 'cl-user::area' });
    await undo({ name: 'AREA', package: 'cl-user' });
    expect(await client.evaluate("(fboundp 'area)")).toBe('=> NIL');
    expect((await undo({ name: 'area' })).text).toBe('Every recorded definition of AREA is already undone.');
  });

  it('A dry run of undo-definition tells what would come of it [P3]', async () => {
    await client.evaluate('(defun dry () 1)');
    expect((await undo({ name: 'dry', dry_run: true })).text).toMatch(/could be undone: exact$/);
    expect(await client.evaluate('(dry)')).toBe('=> 1');
  });

  it('A dry run of undo-definition says what an undo would lose [P3]', async () => {
    await client.evaluate('(defclass lossy () (a))');
    await client.evaluate('(defvar *lossy* (make-instance (quote lossy)))');
    await client.evaluate('(defclass lossy () (a b))');
    expect((await undo({ name: 'lossy', dry_run: true })).text).toMatch(
      /could be undone: lossy; Existing instances lose the slots that the former class does not have; 1 live instance$/,
    );
  });

  it('The tool undo-definition undoes all of one evaluation, which the list tells [P3]', async () => {
    expect((await undo()).text).toBe('You have defined nothing in this image.');
    await client.evaluate('(defun one () 1) (defvar *two* 2) (defmacro three () 3)');
    expect((await undo()).text).toMatch(/- event \d+: macro THREE in COMMON-LISP-USER defined, evaluation/);
    const evaluation = /evaluation (\S+)/.exec((await undo()).text)![1]!;
    expect((await undo({ evaluation })).text.match(/undone: exact/g)).toHaveLength(3);
    expect(await client.evaluate("(list (fboundp 'one) (boundp '*two*) (fboundp 'three))")).toBe('=> (NIL NIL NIL)');
  });

  it('The tool undo-definition lists what the client evaluated, compiled or loaded of the project, and of libraries their number [P3]', async () => {
    const write = (name: string, text: string) => writeFile(path.join(bench.project, name), text);
    await write('own.asd', '(defsystem "own" :depends-on ("alexandria") :components ((:file "own")))');
    await write('own.lisp', '(defpackage :own (:use :cl)) (in-package :own) (defvar *own* 1) (defun own-one () 1)');
    await client.evaluate('(defun typed () 1)');
    await client.call('compile-form', { form: '(defun compiled () 1)' });
    await client.call('load-system', { system: 'own' });
    await client.evaluate("(setf (symbol-function 'taken) #'car)");
    await write('kinds.lisp', '(defclass kind () ()) (defun kind-one () 1)');
    await client.call('load-file', { path: 'kinds.lisp' });
    const { text } = await undo();
    expect(text.replaceAll(/event \d+|evaluation [-\w]+/g, '#').split('\n')).toEqual([
      'Your definitions, newest first',
      '- #: function TAKEN in COMMON-LISP-USER defined, #',
      '- #: function COMPILED in COMMON-LISP-USER defined, #',
      '- #: function TYPED in COMMON-LISP-USER defined, #',
      'From files of the project that you loaded, by load',
      '- #: KIND-ONE, KIND',
      '- #: OWN-ONE, *OWN*, OWN',
      expect.stringMatching(/^\d{3,} more come from libraries that you loaded; they are not listed\.$/),
    ]);
    expect((await undo({ name: 'own::own-onee' })).text).toMatch(/Did you mean OWN-ONE/);
    expect(await undo({ name: 'own::own-one' })).toMatchObject({ isError: false });
    expect((await undo()).text).not.toContain('OWN-ONE');
  });

  it('The tool undo-definition asks the person where the definition is theirs [X9, P3]', async () => {
    await personSays('(defun mine () :person)');
    const reply = undo({ name: 'mine' });
    expect(await decideNext('denied')).toBe('Undo a definition, 1 of them not by this client');
    expect(await reply).toMatchObject({ isError: true, meta: { safety_level: 'dangerous', status: 'denied' } });
    expect(await client.evaluate('(mine)')).toBe('=> :PERSON');
    const again = undo({ name: 'mine' });
    await decideNext('approved');
    expect((await again).text).toMatch(/undone: exact/);
    expect(await client.evaluate("(fboundp 'mine)")).toBe('=> NIL');
  });

  it("The tool undo-definition asks where the person has changed the client's definition since [X9, P3]", async () => {
    await client.evaluate('(defun ours () 1)');
    const { definitions } = bench.workbench.session;
    await expect.poll(() => definitions.entries()[0]?.name).toBe('OURS');
    const event = definitions.entries()[0]!.id;
    await personSays('(defun ours () 2)');
    const reply = undo({ event });
    await decideNext('denied');
    expect(await reply).toMatchObject({ isError: true, meta: { safety_level: 'dangerous' } });
    expect(await client.evaluate('(ours)')).toBe('=> 2');
  });

  it("The tool undo-definition asks where a package of the client's holds what the person has defined [X9, P3]", async () => {
    await client.evaluate('(defpackage :bay (:use :cl))');
    await personSays('(in-package :bay) (defun precious () 1) (in-package :cl-user)');
    const reply = undo({ name: 'bay' });
    await decideNext('denied');
    expect(await reply).toMatchObject({ isError: true, meta: { safety_level: 'dangerous' } });
    expect(await client.evaluate('(bay::precious)')).toBe('=> 1');
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['two targets', { name: 'x', event: 1 }, /^Tool error: Give only one of symbol, event and evaluation\.$/],
    ['an event that is not there', { event: 99_999 }, /^There is no definition event 99999 in this image\.$/],
    ['an evaluation that defined nothing', { evaluation: 'none' }, /^Evaluation none has no known definitions\.$/],
    ['a name in a package that is not there', { name: 'nowhere:f' }, /^Package nowhere does not exist\.$/],
    ['no name', { name: '(((' }, /^No definition of \(\(\( is recorded/],
  ])('The tool undo-definition fails for %s [P3]', async (_, args, answer) => {
    expect(await undo(args)).toMatchObject({ isError: true, text: expect.stringMatching(answer) as unknown });
  });

  it('The tool undo-definition says which packages have the name [P3]', async () => {
    await client.evaluate('(defpackage :p1) (defpackage :p2) (defun p1::same () 1) (defun p2::same () 2)');
    expect((await undo({ name: 'same' })).text).toBe(
      'same was defined in several packages: P2, P1. Specify one of them.',
    );
    expect((await undo({ name: 'same', package: 'p1' })).isError).toBe(false);
    expect(await client.evaluate("(list (fboundp 'p1::same) (p2::same))")).toBe('=> (NIL 2)');
  });

  it('A definition that was loaded again as it was is not listed, and its undo takes back the change before [issue 35.1]', async () => {
    const write = (name: string, text: string) => writeFile(path.join(bench.project, name), text);
    const text = (value: number) => `(defun again-1 () ${value})\n(defun again-2 () :same)\n(defmacro again-3 () 1)\n`;
    await write('again.asd', '(defsystem "again" :components ((:file "again")))');
    await write('again.lisp', text(1));
    await client.call('load-system', { system: 'again' });
    await write('again.lisp', text(2));
    await client.call('load-file', { path: 'again.lisp' });
    await client.call('load-system', { system: 'again' });
    expect((await undo()).text).toMatch(/^- evaluation \S+: AGAIN-1$/m);
    expect((await undo({ symbol: 'again-1' })).text).toContain(': undone: exact');
    expect(await client.evaluate('(again-1)')).toBe('=> 1');
    await client.evaluate('(defvar *nothing* 1)');
    await client.evaluate('(defvar *nothing* 1)');
    const events = (
      await bench.workbench.session.lookUp('definition-history', {
        package: null,
        name: '*nothing*',
        evaluation: null,
        limit: 9,
      })
    ).events;
    expect(events.map(({ unchanged }) => unchanged)).toEqual([true, false]);
    expect((await undo({ event: events[0]!.id })).text).toMatch(
      /not undone; This change had no effect: the definition was the same before$/,
    );
  });
});
