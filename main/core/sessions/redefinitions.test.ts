/**
 * An agent redefines definitions on which other code depends. Each case states the expected label of the undo, and the state that the undo
 * restores.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PERSON } from '#contract/clients/known-actors.ts';
import { AGENT, openTestSession, type TestSession } from './session.fixture.ts';

let test: TestSession;

beforeAll(async () => {
  test = await openTestSession();
});

afterAll(() => test.close());

async function undo(of: string, dry: boolean) {
  const who = { evaluation: randomUUID(), actor: PERSON, context: PERSON.id };
  const { result } = await test.session.undoDefinitions(who, { events: null, of, dry });
  return result!.undone;
}

interface Redefinition {
  readonly what: string;
  readonly before: string;
  readonly code: string;
  /** A form that is evaluated before the redefinition, after it, and after its undo. */
  readonly ask: string;
  readonly answers: readonly [string, string, string];
  readonly label: string;
  readonly why?: RegExp;
}

const redefinitions: readonly Redefinition[] = [
  {
    what: 'a function',
    before: '(defun r1 () :before) (defun r1-caller () (r1))',
    code: '(defun r1 () :after)',
    ask: '(r1-caller)',
    answers: [':BEFORE', ':AFTER', ':BEFORE'],
    label: 'exact',
  },
  {
    what: 'a function by (setf fdefinition), which no defining form announces',
    before: '(defun r2 () :before)',
    code: "(setf (fdefinition 'r2) (lambda () :after))",
    ask: '(r2)',
    answers: [':BEFORE', ':AFTER', ':BEFORE'],
    label: 'exact',
  },
  {
    what: 'an inline function that a caller has taken in',
    before: '(declaim (inline r3)) (defun r3 () :before) (defun r3-caller () (r3))',
    code: '(defun r3 () :after) (defun r3-caller () (r3))',
    ask: '(r3-caller)',
    answers: [':BEFORE', ':AFTER', ':BEFORE'],
    label: 'recompile',
  },
  {
    what: 'a class with 100,000 instances',
    before:
      "(defclass r4 () ((a :initform 42 :accessor r4-a))) (defvar *r4* (loop repeat 100000 collect (make-instance 'r4)))",
    code: '(defclass r4 () ((b :initform 1 :accessor r4-b)))',
    ask: "(length (remove-if-not (lambda (x) (slot-exists-p x 'a)) *r4*))",
    answers: ['100000', '0', '100000'],
    label: 'lossy',
    why: /instances lose the slots/,
  },
  {
    what: 'a structure in an incompatible way',
    before: '(defstruct r5 x)',
    code: "(handler-bind ((error (lambda (c) (invoke-restart (find-restart 'continue c))))) (eval '(defstruct r5 x y z)))",
    ask: "(if (fboundp 'r5-z) (r5-z (make-r5 :z 3)) (r5-x (make-r5 :x 1)))",
    answers: ['1', '3', '1'],
    label: 'exact',
  },
  {
    what: 'a function of Common Lisp, its lock taken off',
    before: '',
    code: '(sb-ext:without-package-locks (defun cl:seventh (list) list :stolen))',
    ask: "(funcall 'seventh '(1 2 3 4 5 6 7))",
    answers: ['7', ':STOLEN', '7'],
    label: 'exact',
  },
];

describe('what an agent redefines', () => {
  it.each(redefinitions)(
    'An undo of what an agent redefines has its label and result: $what [P3, case 37]',
    async ({ before, code, ask, answers, label, why }) => {
      const evaluation = randomUUID();
      await test.say(`${before} nil`);
      const said = [await test.say(ask)];
      expect(await test.say(`${code} nil`, { actor: AGENT, evaluation })).toBe('NIL');
      said.push(await test.say(ask));
      const told = await undo(evaluation, true);
      expect(told.map((each) => each.label)).toContain(label);
      expect(told.map((each) => each.why).join(' ')).toMatch(why ?? /^/);
      const undone = await undo(evaluation, false);
      expect(undone.map((each) => [each.done, each.message])).toEqual(undone.map(() => [true, null]));
      said.push(await test.say(ask));
      expect(said).toEqual(answers);
    },
  );

  it('A function of Common Lisp is locked, and is locked again after an undo [P3, case 37]', async () => {
    for (const name of ['car', 'seventh'])
      expect(await test.say(`(defun cl:${name} (x) x)`, { actor: AGENT })).toMatch(/^SYMBOL-PACKAGE-LOCKED-ERROR/);
    expect(await test.say("(list (car '(1 2)) (sb-ext:package-locked-p :cl))")).toBe('(1 T)');
  });
});
