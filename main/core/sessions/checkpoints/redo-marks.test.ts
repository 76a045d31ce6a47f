/**
 * The person's review marks on definitions, after the image has ended and the definitions were evaluated again. A mark is restored only if
 * the code is the same.
 */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DefinitionEntry } from '#contract/image/definition.ts';
import { PERSON } from '#contract/clients/known-actors.ts';
import { AGENT, openTestSession, type TestSession } from '../session.fixture.ts';
import { unreviewedDefinitions } from '../definitions/views.ts';

let test: TestSession;
let file: string;

beforeEach(async () => {
  test = await openTestSession({ checkpoints: true, redoMs: 5_000, effects: 'deny' });
  file = path.join(test.directory, 'kept.txt');
  await writeFile(file, 'the person wrote this');
  await test.say('(progn (require :sb-posix) (+ 1 2))');
  await test.say('(identity 1)', { actor: AGENT });
});

afterEach(() => test.close());

const entryOf = (name: string) =>
  test.session.definitions
    .entries()
    .find((entry) => entry.name === name && entry.life === test.session.definitions.life);
const listed = () => unreviewedDefinitions(test.session.definitions).entries.map(({ name }) => name);

/**
 * Evaluates each piece of code as the agent, in a separate evaluation. `EFFECT` stands for code whose value is 1 in the current process
 * and, in any other process, a form that deletes the file.
 */
async function define(...codes: string[]): Promise<void> {
  const effect = `(if (= (sb-posix:getpid) ${test.session.view().pid}) 1 '(delete-file ${JSON.stringify(file)}))`;
  for (const code of codes)
    expect(await test.say(code.replaceAll('EFFECT', effect), { actor: AGENT })).not.toMatch(/ERROR|DENIED/);
}

/** Marks the definition as reviewed. Then ends the image, which goes back to a checkpoint and evaluates the agent's code again. */
async function markedAndMadeAgain(name: string): Promise<void> {
  await expect.poll(() => entryOf(name)).toBeDefined();
  const before = entryOf(name)!;
  test.session.definitions.review([before], true);
  await madeAgain(name, before);
}

/** Ends the image, which goes back to a checkpoint. Waits until the name has an event with another id. */
async function madeAgain(name: string, before: DefinitionEntry): Promise<void> {
  const rewound = new Promise<void>((resolve) => {
    test.session.events.on('lifecycle', ({ change }) => change === 'rewound' && resolve());
  });
  await test.say('(sb-posix:kill (sb-posix:getpid) 9)');
  await rewound;
  await test.say('1');
  await expect.poll(() => entryOf(name)?.id !== before.id && entryOf(name) !== undefined).toBe(true);
}

/**
 * Code whose meaning depends on the process although its text is the same. Each row has a description, the code, the name that the code
 * defines, and the person's call of it.
 */
const TRICKS: [what: string, codes: string[], name: string, call: string][] = [
  ['the expansion of a macro', ['(macrolet ((m () EFFECT)) (defun f () (m)))'], 'F', '(f)'],
  ['what is evaluated as it is read', ['(defun f () #.EFFECT)'], 'F', '(f)'],
  ['a constant that is made as it is loaded', ['(defun f () (eval (load-time-value EFFECT)))'], 'F', '(f)'],
  ['a value that it closes over', ['(let ((form EFFECT)) (defun f () (eval form)))'], 'F', '(f)'],
  [
    'a named constant',
    [
      '(defconstant +form+ (if (eq 1 EFFECT) 1 2))',
      `(defun f () (if (= +form+ 1) 1 (delete-file #.(namestring "FILE"))))`,
    ],
    'F',
    '(f)',
  ],
  [
    'an inline function',
    ['(declaim (inline g))', '(macrolet ((m () `(defun g () ,EFFECT))) (m))', '(defun f () (g))'],
    'F',
    '(f)',
  ],
  [
    'the expansion of a symbol macro',
    ['(macrolet ((m () `(define-symbol-macro s ,EFFECT))) (m))', '(defun f () s)'],
    'F',
    '(f)',
  ],
  [
    'the expansion of a compiler macro',
    ['(defun g () 1)', '(define-compiler-macro g () EFFECT)', '(defun f () (g))'],
    'F',
    '(f)',
  ],
  [
    'a method',
    ['(defgeneric h (x))', '(macrolet ((m () EFFECT)) (defmethod h ((x integer)) (m)))'],
    'H (INTEGER)',
    '(h 1)',
  ],
  ['a macro', ['(macrolet ((m () EFFECT)) (defmacro f () (list (quote quote) (m))))'], 'F', '(f)'],
  [
    'a variable with a closure',
    ['(macrolet ((m () EFFECT)) (defparameter *f* (lambda () (m))))'],
    '*F*',
    '(funcall *f*)',
  ],
  [
    'an initial value of a class',
    ['(macrolet ((m () EFFECT)) (defclass k () ((a :initform (m)))))'],
    'K',
    "(make-instance 'k)",
  ],
  ['a setf expander', ['(macrolet ((m () EFFECT)) (defsetf f () (new) `(progn ,(m) ,new)))'], 'F', '(setf (f) 1)'],
];

describe('marks of what is made again', () => {
  it.each(TRICKS)(
    'A reviewed definition that is made again as other code is not reviewed, and the person is told: %s [issue 34.1]',
    async (_what, codes, name, call) => {
      await define(...codes.map((code) => code.replace('FILE', file)));
      await markedAndMadeAgain(name);
      expect(entryOf(name)).toMatchObject({ seen: false, reviewed: false });
      expect(listed()).toContain(name);
      await test.say(call);
      expect(existsSync(file)).toBe(true);
      expect(
        test.changes.filter(({ summary }) => summary.includes(`${name} is no longer marked as reviewed`)),
      ).toHaveLength(1);
    },
  );

  it.each([
    ['a function', `(defun f (&optional x) (when x (print (list x :y "z" 1.5 'w))) (delete-file "FILE"))`, 'F', '(f)'],
    [
      'a function of a macro',
      `(defmacro f (x) (let ((y (gensym))) \`(let ((,y ,x)) (when ,y (delete-file "FILE")))))`,
      'F',
      '(f 1)',
    ],
    ['a closure', `(let ((n 1) (place "FILE")) (defun f () (incf n) (delete-file place)))`, 'F', '(f)'],
    ['a method', `(defmethod f ((x integer)) (delete-file "FILE"))`, 'F (INTEGER)', '(f 1)'],
  ])(
    'A reviewed definition that is made again as the same code runs as the person: %s [issue 34.1]',
    async (_what, code, name, call) => {
      await define(code.replace('FILE', file));
      await markedAndMadeAgain(name);
      await expect.poll(() => entryOf(name)?.reviewed).toBe(true);
      await test.say(call);
      expect(existsSync(file)).toBe(false);
      expect(test.changes.filter(({ summary }) => summary.includes('no longer marked as reviewed'))).toEqual([]);
    },
  );

  it('A saved world has the code that was marked as it was, and all else asks in it as before [issue 34.1]', async () => {
    await define(`(defun marked () (delete-file "${file}"))`, `(defun other () (delete-file "${file}"))`);
    await expect.poll(() => entryOf('MARKED')).toBeDefined();
    test.session.definitions.review([entryOf('MARKED')!], true);
    await test.session.saveWorld('marks');
    await test.session.openWorld('marks');
    await test.say('(other)');
    expect(existsSync(file)).toBe(true);
    await test.say('(marked)');
    expect(existsSync(file)).toBe(false);
  });

  it.each(['a restart', 'a reset'])(
    'What an agent defines again after %s waits for a mark, though it is the same code [issue 34.1]',
    async (how) => {
      await define(`(defun f () (delete-file "${file}"))`);
      await expect.poll(() => entryOf('F')).toBeDefined();
      test.session.definitions.review([entryOf('F')!], true);
      await (how === 'a reset' ? test.session.reset(PERSON) : test.session.restart());
      await define(`(defun f () (delete-file "${file}"))`);
      await expect.poll(() => entryOf('F')).toMatchObject({ seen: false, reviewed: false });
      await test.say('(f)');
      expect(existsSync(file)).toBe(true);
    },
  );

  it('A mark taken back while the image was going back stays taken back [issue 34.1]', async () => {
    await define(`(defun f () (delete-file "${file}"))`);
    await expect.poll(() => entryOf('F')).toBeDefined();
    const marked = entryOf('F')!;
    test.session.definitions.review([marked], true);
    test.session.definitions.review([marked], false);
    await madeAgain('F', marked);
    expect(entryOf('F')).toMatchObject({ seen: false, reviewed: false });
    await test.say('(f)');
    expect(existsSync(file)).toBe(true);
  });

  it('A mark of an image that is gone marks nothing in the one that took its place [issue 34.1]', async () => {
    await define('(defun harmless () 1)');
    await expect.poll(() => entryOf('HARMLESS')).toBeDefined();
    const stale = entryOf('HARMLESS')!;
    await test.session.restart();
    await test.say('1');
    await define(...Array.from({ length: stale.id }, (_, index) => `(defun f${index} () (delete-file "${file}"))`));
    await expect
      .poll(() => test.session.definitions.entries().some(({ life, id }) => life !== stale.life && id === stale.id))
      .toBe(true);
    test.session.definitions.review([stale], true);
    const { name } = test.session.definitions.entries().find(({ life, id }) => life !== stale.life && id === stale.id)!;
    await test.say(`(${name})`);
    expect(existsSync(file)).toBe(true);
    expect(listed()).toContain(name);
  });
});
