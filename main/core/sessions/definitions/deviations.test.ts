import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OpenBuffer } from '#core/project/files/buffers.ts';
import { DefinitionList } from './definition-list.ts';
import { Deviations } from './deviations.ts';
import { AGENT, openTestSession, type TestSession } from '../session.fixture.ts';

let test: TestSession;
let deviations: Deviations;
let open: OpenBuffer[];
let project: string;
let file: string;

beforeEach(async () => {
  test = await openTestSession();
  project = path.join(test.directory, 'project');
  await mkdir(project);
  file = path.join(project, 'shop.lisp');
  open = [];
  deviations = new Deviations({
    session: test.session,
    definitions: new DefinitionList(test.session),
    root: () => project,
    buffers: () => open,
  });
});

afterEach(async () => {
  deviations.dispose();
  await test.close();
});

const shown = (): string[] =>
  deviations.value.deviations
    .map(({ name, state, file: of }) => `${name} ${state}${of === null ? '' : ' in file'}`)
    .toSorted();
const load = (): Promise<string> => test.say(`(load ${JSON.stringify(file)})`);
const edit = (text: string | null): void => {
  open = [{ title: 'shop.lisp', path: file, text, active: true }];
  deviations.lookAgain();
};
/** Waits until all earlier events have been processed. A later event shows this. */
async function settled(): Promise<void> {
  await expect.poll(shown).toContain('FINAL only-in-image');
}

describe('definitions that are not as their files have them', () => {
  it('Deviations are what the image has from elsewhere, what it has alone, and what the editor has and it has not [P2]', async () => {
    await writeFile(file, '(defun area (r) (* r r)) (defun volume (r) (* r r r)) (defvar *unit* :m)');
    await load();
    await test.say('(defun final () 1)', { actor: AGENT });
    await settled();
    expect(shown()).toEqual(['FINAL only-in-image']);

    await test.say('(defun area (r) (* 3 r r))', { actor: AGENT });
    await expect.poll(shown).toEqual(['AREA changed-in-image in file', 'FINAL only-in-image']);

    const text = '(defun area (r) (* r r)) (defun volume (r) (* 4 r r r)) (defvar *unit* :m)';
    edit(text);
    await expect
      .poll(shown)
      .toEqual(['AREA changed-in-image in file', 'FINAL only-in-image', 'VOLUME changed-in-file in file']);
    await test.say('(defun volume (r) (* 4 r r r))', { source: { file, offset: 25, line: 1 } });
    await expect.poll(shown).toEqual(['AREA changed-in-image in file', 'FINAL only-in-image']);

    edit('(defun area (r) (* 3 r r)) (defun volume (r) (* r r 4)) (defun final () 1)');
    await expect.poll(shown).toEqual(['*UNIT* only-in-image in file', 'VOLUME changed-in-file in file']);
    edit(null);
    await expect
      .poll(shown)
      .toEqual(['AREA changed-in-image in file', 'FINAL only-in-image', 'VOLUME changed-in-file in file']);
  });

  it('Deviations follow a file that changes on disk, goes, comes back and is loaded again [P2]', async () => {
    await writeFile(file, '(defun area (r) (* r r)) (defun volume (r) (* r r r))');
    await load();
    await test.say('(defun final () 1)');
    await settled();
    await writeFile(file, '(defun area (r) (* r r)) (defun volume (r) (* 4 r r r))');
    await expect.poll(shown).toEqual(['FINAL only-in-image', 'VOLUME changed-in-file in file']);
    await rm(file);
    await expect
      .poll(shown)
      .toEqual(['AREA only-in-image in file', 'FINAL only-in-image', 'VOLUME only-in-image in file']);
    await writeFile(file, '(defun area (r) (* r r r)) (defun volume (r) (* 4 r r r))');
    await expect
      .poll(shown)
      .toEqual(['AREA changed-in-file in file', 'FINAL only-in-image', 'VOLUME changed-in-file in file']);
    await load();
    await expect.poll(shown).toEqual(['FINAL only-in-image']);
    await test.session.restart();
    await expect.poll(shown).toEqual([]);
  });

  it('Methods, classes and setf functions are compared under the names that the window lists [P2]', async () => {
    await writeFile(
      file,
      `(defpackage :shop (:use :cl)) (in-package :shop)
       (defclass item () ((price :accessor price))) (defstruct line count)
       (defgeneric discount (x y)) (defmethod discount :around ((x item) (y (eql :club))) 1) (defmethod discount (x y) 0)
       (defmethod print-object ((item item) stream) (princ "item" stream))
       (defun (setf place) (value) value) (deftype amount () 'integer) (defconstant +tax+ 2)`,
    );
    await load();
    const source = { file, offset: 0, line: 1 };
    await test.say(
      `(in-package :shop) (defclass item () (price name)) (defmethod discount :around ((x item) (y (eql :club))) 2)
       (defmethod print-object ((item item) stream) (princ "other" stream)) (defun (setf place) (value) (list value))
       (deftype amount () 'rational)`,
      { actor: AGENT },
    );
    await test.say('(cl:in-package :shop) (cl:defun cl-user::final () 1)', {
      context: 'x',
      source: { ...source, file: 'untitled' },
    });
    await settled();
    expect(shown()).toEqual([
      '(SETF PLACE) changed-in-image in file',
      'AMOUNT changed-in-image in file',
      'DISCOUNT :AROUND (ITEM (EQL :CLUB)) changed-in-image in file',
      'FINAL only-in-image',
      'ITEM changed-in-image in file',
      'PRINT-OBJECT (ITEM T) changed-in-image in file',
    ]);
  });

  it('What a compiled system brought is compared with its sources, and agrees with them once it is loaded again [P2]', async () => {
    const code = (rate: number): string =>
      `(defpackage :tiny (:use :cl) (:export #:rate)) (in-package :tiny)
       (defclass cart () ((items :accessor items :initarg :items))) (defstruct (line (:conc-name l-)) count)
       (define-condition trouble (error) ()) (defmethod describe-object ((cart cart) stream) (print 1 stream))
       (declaim (inline half)) (defun half (x) (/ x 2)) (defun rate () ${rate}) (defparameter *rates* (list 1 2))`;
    await writeFile(file, code(1));
    const definition = path.join(project, 'tiny.asd');
    await writeFile(definition, '(defsystem "tiny" :components ((:file "shop")))');
    const loadSystem = (): Promise<string> =>
      test.say(`(progn (asdf:load-asd ${JSON.stringify(definition)}) (asdf:load-system "tiny" :force t) :loaded)`);
    expect(await loadSystem()).toBe(':LOADED');
    await test.say('(defun final () 1)');
    await settled();
    expect(shown()).toEqual(['FINAL only-in-image']);
    await writeFile(file, code(2));
    await expect.poll(shown).toEqual(['FINAL only-in-image', 'RATE changed-in-file in file']);
    await test.say('(in-package :tiny) (defun half (x) (* x 1/2))', { actor: AGENT });
    await expect
      .poll(shown)
      .toEqual(['FINAL only-in-image', 'HALF changed-in-image in file', 'RATE changed-in-file in file']);
    expect(await loadSystem()).toBe(':LOADED');
    await expect.poll(shown).toEqual(['FINAL only-in-image']);
  });

  it('What comes out of a macro, and what libraries bring, is not marked as deviation [P2]', async () => {
    const library = path.join(test.directory, 'library.lisp');
    await writeFile(library, '(defun borrowed () 1)');
    await test.say(`(load ${JSON.stringify(library)})`);
    await writeFile(file, '(defmacro making (x) `(defun ,x () 1)) (making made)');
    await load();
    await test.say('(making made)', { source: { file, offset: 39, line: 1 } });
    await test.say('(defun borrowed () 2) (defun final () 1)');
    await settled();
    expect(shown()).toEqual(['BORROWED only-in-image', 'FINAL only-in-image']);
  });

  it('A file that is too large is left out and counted, and neither a pipe nor a link that leads nowhere holds up the comparison [P2]', async () => {
    await writeFile(file, `(defun area (r) (* r r)) ;${'x'.repeat(1024 * 1024)}`);
    await load();
    await symlink(path.join(project, 'nowhere.lisp'), path.join(project, 'broken.lisp'));
    execFileSync('mkfifo', [path.join(project, 'pipe.lisp')]);
    open = ['broken.lisp', 'pipe.lisp'].map((title) => ({
      title,
      path: path.join(project, title),
      text: null,
      active: false,
    }));
    await test.say('(defun area (r) r) (defun final () 1)');
    await settled();
    expect(deviations.value.unread).toBe(2);
  });
});
