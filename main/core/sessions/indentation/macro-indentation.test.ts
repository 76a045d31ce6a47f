import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestSession, type TestSession } from '#core/sessions/session.fixture.ts';
import { type IndentationChange, MacroIndentation } from './macro-indentation.ts';

let test: TestSession;
let indentation: MacroIndentation;
let changes: IndentationChange[];

/** Resolves with the first change for which `wanted` returns true, which may have been reported earlier. */
async function told(wanted: (change: IndentationChange) => boolean): Promise<IndentationChange> {
  return new Promise((resolve) => {
    const known = changes.find(wanted);
    if (known) return resolve(known);
    const end = indentation.watch((change) => {
      if (!wanted(change)) return;
      end();
      resolve(change);
    });
  });
}

const patternOf = (name: string, macro: string): unknown =>
  indentation
    .all()
    .find((each) => each.name === name)
    ?.macros.find((each) => each.name === macro)?.pattern;

beforeAll(async () => {
  test = await openTestSession();
  indentation = new MacroIndentation(test.session);
  changes = [];
  indentation.watch((change) => changes.push(change));
  await test.session.start();
});

afterAll(() => test.close());

describe('the indentation of macros', () => {
  it('Macros of the image are known once it has started, and those of an evaluation after it, by package', async () => {
    await told(({ packages }) => packages.some(({ name }) => name === 'SB-EXT'));
    await test.say('(defmacro with-paint (colour &body body) (list* colour body))');
    const first = await told(({ packages }) =>
      packages.some(({ macros }) => macros.some((m) => m.name === 'with-paint')),
    );
    expect(first.packages.map(({ name }) => name)).toEqual(['COMMON-LISP-USER']);
    expect(patternOf('COMMON-LISP-USER', 'with-paint')).toEqual([4, '&body']);
    changes.length = 0;
    await test.say('(defmacro with-paint (colour brush &body body) (list* colour brush body))');
    await told(({ packages }) => packages.length > 0);
    expect(patternOf('COMMON-LISP-USER', 'with-paint')).toEqual([4, 4, '&body']);
  });

  it('A package that is deleted is forgotten, and a macro that becomes a function has no pattern any more', async () => {
    changes.length = 0;
    await test.say(
      '(progn (defpackage :short-lived (:use :cl)) (eval (read-from-string "(defmacro short-lived::m (&body b) b)")))',
    );
    await told(({ packages }) => packages.some(({ name }) => name === 'SHORT-LIVED'));
    await test.say('(delete-package :short-lived)');
    await told(({ removedPackages }) => removedPackages.includes('SHORT-LIVED'));
    expect(patternOf('SHORT-LIVED', 'm')).toBeUndefined();
    changes.length = 0;
    await test.say('(progn (fmakunbound (quote with-paint)) (defun with-paint (a) a))');
    await told(({ packages }) => packages.some(({ name }) => name === 'COMMON-LISP-USER'));
    expect(patternOf('COMMON-LISP-USER', 'with-paint')).toBeUndefined();
  });

  it('What is known stays while no image runs, and is that of the new image once one runs', async () => {
    changes.length = 0;
    await test.say('(defmacro gone-soon (&body body) body)');
    await told(({ packages }) => packages.length > 0);
    expect(patternOf('COMMON-LISP-USER', 'gone-soon')).toEqual(['&body']);
    changes.length = 0;
    await test.session.restart();
    await told(({ packages }) => packages.some(({ name }) => name === 'COMMON-LISP-USER'));
    expect(patternOf('COMMON-LISP-USER', 'gone-soon')).toBeUndefined();
  });
});
