import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Diagnostic } from '#contract/compilation.ts';
import { openTestImage, type TestImage } from './image.fixture.ts';

let image: TestImage;
beforeAll(async () => {
  image = await openTestImage();
}, 120_000);
afterAll(() => image.close());

const compile = (text: string, more: Partial<Parameters<typeof send>[0]> = {}) =>
  send({ text, package: null, source: null, load: false, policy: null, ...more });
const send = (fields: Parameters<typeof image.run<'compile-text'>>[1]) => image.run('compile-text', fields);

/** Severity, message and the piece of the text that each diagnostic points at. */
const marked = (text: string, diagnostics: readonly Diagnostic[] = []) =>
  diagnostics.map(({ severity, message, start, end }) => [
    severity,
    message,
    start === null ? null : text.slice(start, end ?? undefined),
  ]);

describe('compile-text', () => {
  it('points at the exact name or form, with astral characters before it', async () => {
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

  it('tells what cannot be read, and loads nothing', async () => {
    const { result } = await compile('(defun three ()\n  (list 1)', { load: true });
    expect(result).toMatchObject({
      failed: true,
      loaded: false,
      diagnostics: [{ severity: 'read-error', type: 'END-OF-FILE', start: 0, end: 26, line: 1, column: 0 }],
    });
  });

  it('loads what it compiled, in the package that was named', async () => {
    await image.evaluate('(defpackage :four (:use :cl))');
    const { result } = await compile('(defun four () :four)', { load: true, package: 'four' });
    expect(result).toMatchObject({ failed: false, loaded: true, diagnostics: [], fasl: null });
    expect(await image.value('(four::four)')).toBe(':FOUR');
    expect((await compile('1', { package: 'no-such' })).condition?.type).toMatch(/PACKAGE-ERROR/);
  });

  it('keeps what was said when loading fails', async () => {
    const { status, condition, result } = await compile('(defun five (x) 1)\n(error "stop")', { load: true });
    expect({ status, message: condition?.message, loaded: result?.loaded }).toEqual({
      status: 'error',
      message: 'stop',
      loaded: false,
    });
    expect(result?.diagnostics.map(({ message }) => message)).toEqual(['The variable X is defined but never used.']);
  });

  it('is interrupted like any evaluation, and leaves no file', async () => {
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
    // What is compiled from a text prints nothing of its own: this is the first output of the image.
    const { text: file } = await image.next('output');
    expect(existsSync(file)).toBe(true);
    await image.ask('interrupt', { evaluation: 'endless' });
    expect((await reply).status).toBe('interrupted');
    expect(existsSync(path.dirname(file))).toBe(false);
  });
});

describe('compile-file', () => {
  it('compiles into the cache and tells the places in the file', async () => {
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
});
