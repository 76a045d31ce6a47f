import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Diagnostic } from '#contract/image/compilation.ts';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';

let image: TestImage;
beforeAll(async () => {
  image = await openTestImage();
}, 120_000);
afterAll(() => image.close());

const compile = (text: string, more: Partial<Parameters<typeof send>[0]> = {}) =>
  send({ text, package: null, source: null, load: false, policy: null, ...more });
const send = (fields: Parameters<typeof image.run<'compile-text'>>[1]) => image.run('compile-text', fields);

/** Returns the severity and message of each diagnostic, and the piece of text to which it points. */
const marked = (text: string, diagnostics: readonly Diagnostic[] = []) =>
  diagnostics.map(({ severity, message, start, end }) => [
    severity,
    message,
    start === null ? null : text.slice(start, end ?? undefined),
  ]);

describe('compile-text', () => {
  it('The operation compile-text points at the exact name or form, with astral characters before it', async () => {
    const text =
      '; 😀 é\n(defun one (x) #| 😀 |# #-sbcl nope (list "😀" #+sbcl (missing x) unbound))\n(defun two () (missing 1))';
    const { status, result } = await compile(text);
    expect({ status, failed: result?.failed, definitions: result?.definitions, total: result?.total }).toEqual({
      status: 'ok',
      failed: true,
      definitions: 2,
      total: 3,
    });
    expect(marked(text, result?.diagnostics)).toEqual([
      ['style-warning', 'undefined function: MISSING', 'missing'],
      ['style-warning', 'undefined function: MISSING', 'missing'],
      ['warning', 'undefined variable: UNBOUND', 'unbound'],
    ]);
    expect(result?.diagnostics[2]).toEqual({
      severity: 'warning',
      type: 'WARNING',
      message: 'undefined variable: UNBOUND',
      file: null,
      start: text.indexOf('unbound'),
      end: text.indexOf('unbound') + 7,
      line: 2,
      column: text.split('\n')[1]?.indexOf('unbound'),
      context: 'ONE',
    });
  });

  it('The operation compile-text tells what cannot be read, and loads nothing', async () => {
    const source = { file: '/shop/three.lisp', offset: 40, line: 5 };
    const { result } = await compile('(defun two ())\n\n(defun three ()\n  (list 1)', { load: true, source });
    expect(result).toMatchObject({ failed: true, loaded: false });
    expect(result?.diagnostics).toMatchObject([
      {
        severity: 'read-error',
        type: 'END-OF-FILE',
        message: '(defun three …), which begins at line 7, is not closed before the end of the text.',
        start: 56,
        end: 82,
        line: 7,
        column: 0,
      },
    ]);
  });

  it('The operation compile-text loads what it compiled, in the package that was named', async () => {
    await image.evaluate('(defpackage :four (:use :cl))');
    const { result } = await compile('(defun four () :four)', { load: true, package: 'four' });
    expect(result).toMatchObject({ failed: false, loaded: true, diagnostics: [], fasl: null });
    expect(await image.value('(four::four)')).toBe(':FOUR');
    expect((await compile('1', { package: 'no-such' })).condition?.type).toMatch(/PACKAGE-ERROR/);
  });

  it('The operation compile-text keeps what was said when loading fails, and tells at which form', async () => {
    const text = '(defun five (x) 1)\n(error "stop")\n(defun never-five () 1)';
    const { status, condition, result } = await compile(text, { load: true });
    expect({ status, message: condition?.message, loaded: result?.loaded }).toEqual({
      status: 'error',
      message: 'stop',
      loaded: false,
    });
    expect(marked(text, result?.diagnostics)).toEqual([
      ['style-warning', 'The variable X is defined but never used.', 'x'],
      ['error', 'stop', '(error "stop")'],
    ]);
  });

  it('The operation compile-text is interrupted like any evaluation, and leaves no file', async () => {
    const reply = image.image.request('compile-text', {
      evaluation: 'endless',
      context: 'test',
      actor: 'person',
      outputLimit: 1000,
      guard: false,
      onError: 'report',
      text: '(eval-when (:compile-toplevel) (princ (sb-ext:native-namestring *compile-file-truename*)) (finish-output) (loop))',
      package: null,
      source: null,
      load: false,
      policy: null,
    });
    // This is the first output of the image, because compiling a text prints nothing.
    const { text: file } = await image.next('output');
    expect(existsSync(file)).toBe(true);
    await image.ask('interrupt', { evaluation: 'endless' });
    expect((await reply).status).toBe('interrupted');
    expect(existsSync(path.dirname(file))).toBe(false);
  });

  it('A file that is compiled once more warns of no redefinition by itself, another that redefines its names does', async () => {
    const text =
      '(defun again (x) x) (defgeneric often (x)) (defmethod often ((x integer)) x) (defstruct anew a) (let ((n 1)) (defun inner-one () n))';
    const at = (file: string) => ({ load: true, source: { file, offset: 0, line: 1 } });
    const printedOf = async (text: string, file: string): Promise<string> => {
      const before = image.events.length;
      await compile(text, at(file));
      return image.events
        .flatMap((event, index) => (index >= before && event.event === 'output' ? [event.text] : []))
        .join('');
    };
    const printed = (file: string) => printedOf(text, file);
    expect([await printed('/p/one.lisp'), await printed('/p/one.lisp')]).toEqual(['', '']);
    await image.evaluate(text, { source: { file: '/p/one.lisp', offset: 0, line: 1 } });
    expect(await printed('/p/one.lisp')).toBe('');
    const loaded = path.join(image.directory, 'loaded.lisp');
    await writeFile(loaded, text.replaceAll('again', 'once-more').replaceAll(/often|anew|inner-one/g, 'loaded-$&'));
    await image.value(
      `(progn (load (compile-file ${JSON.stringify(loaded)} :output-file ${JSON.stringify(`${loaded}.fasl`)})) 1)`,
    );
    expect(await printedOf(await readFile(loaded, 'utf8'), loaded)).toBe('');
    expect((await printed('/p/two.lisp')).match(/redefining [^ ]*(AGAIN|OFTEN|ANEW-P|INNER-ONE)/g)).toHaveLength(5);
  });

  it.each([
    ['(defvar *late*\n  (list 1 (error "inner")))', 'inner', '(error "inner")'],
    ['(defun calls-later () (not-yet 1))\n(calls-later)', 'The function NOT-YET is undefined.', '(calls-later)'],
    ['(let ((n (list 1)))\n  (error "in ~A" (first n)))', 'in 1', '(error "in ~A" (first n))'],
    ['(in-package :no-such-package)', 'The name "NO-SUCH-PACKAGE" does not', '(in-package :no-such-package)'],
    [
      '(eval-when (:compile-toplevel)\n  (error "early"))',
      'early',
      '(eval-when (:compile-toplevel)\n  (error "early"))',
    ],
  ])('The error of %s is told at its form', async (form, message, place) => {
    const text = `(defun before-fault () 1)\n\n(progn\n  (defun beside-fault () 1))\n${form}\n(defun after-fault () 1)\n`;
    const { result } = await compile(text, { load: true });
    const errors = result?.diagnostics.filter(({ severity }) => severity === 'error');
    expect(marked(text, errors)).toEqual([['error', expect.stringContaining(message), place]]);
  });
});

describe('compile-file', () => {
  it('The operation compile-file compiles into the cache and tells the source locations in the file', async () => {
    const file = path.join(image.directory, 'six.lisp');
    await writeFile(file, '(in-package :cl-user)\n(defun six (é) (declare (ignore é)) "😀" (missing-six))\n');
    const { result } = await image.run('compile-file', { file, load: true, externalFormat: null, output: null });
    expect(result).toMatchObject({
      failed: false,
      loaded: true,
      diagnostics: [{ severity: 'style-warning', file, start: 64, end: 75, line: 2, column: 42, context: 'SIX' }],
    });
    expect(result?.fasl?.endsWith('.fasl')).toBe(true);
    expect(result?.fasl?.startsWith(image.directory)).toBe(false);
    const missing = await image.run('compile-file', {
      file: path.join(image.directory, 'none.lisp'),
      load: false,
      externalFormat: null,
      output: null,
    });
    expect(missing).toMatchObject({ status: 'error', condition: { type: 'FILE-ERROR' } });
  });

  it.each([
    ['a string', '  "caf', '")\n', 'read-error'],
    ['a comment', '  1) ; caf', '\n', 'style-warning'],
  ])('Octets in %s that are no characters are told at their line', async (_where, before, after, severity) => {
    const file = path.join(image.directory, 'octets.lisp');
    const start = `; é 😀\n(defun octets ()\n${before}`;
    await writeFile(file, Buffer.concat([Buffer.from(start), Buffer.from([0xe9, 0x20]), Buffer.from(after)]));
    const { result } = await image.run('compile-file', { file, load: false, externalFormat: null, output: null });
    expect(result?.diagnostics).toMatchObject([
      { severity, start: start.length, end: start.length + 1, line: 3, column: before.length },
    ]);
  });
});

describe('definitions of a compiled text', () => {
  it('Each definition is known by its own form of the text, so that it is the same as in the file', async () => {
    const file = '/shop/compiled.lisp';
    const text = `(defpackage #:compiled (:use #:cl))
(in-package #:compiled)
; 😀
(defvar *rate* 10)
(defun total (cart) (reduce #'+ cart))
(defun (setf total) (new cart) (list new cart))
(defgeneric area (shape))
(defclass circle () ((radius :accessor radius)))
(defmethod area ((shape circle)) 1)
(defmethod area ((shape integer)) 2)
(defstruct (point (:conc-name p-)) x y)
(defmacro twice (x) \`(* 2 ,x))
`;
    const { result } = await compile(text, { load: true, source: { file, offset: 0, line: 1 } });
    expect(result).toMatchObject({ loaded: true, failed: false });
    const { definitions } = await image.ask('definition-states', { files: [{ file, text }], package: null });
    expect(definitions.map(({ name, state, line }) => `${line} ${name} ${state}`)).toEqual([
      '1 COMPILED same',
      '4 *RATE* same',
      '5 TOTAL same',
      '6 (SETF TOTAL) same',
      '7 AREA same',
      '8 CIRCLE same',
      '9 AREA (CIRCLE) same',
      '10 AREA (INTEGER) same',
      '11 POINT same',
      '12 TWICE same',
    ]);
  });
});
