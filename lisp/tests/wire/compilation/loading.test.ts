/** Texts that are compiled and loaded for the person. Errors in their top-level forms stop in the debugger, as errors in evaluations do. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DebuggerRecord } from '#contract/image/debugger.ts';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';
import { abort, stopped } from '../debugger/debugger.fixture.ts';

let image: TestImage;
beforeAll(async () => {
  image = await openTestImage();
}, 120_000);
afterAll(() => image.close());

const TEXT = `; λ 😀
(defun shipped (order)
  (let ((unused 1))
    (list (/ 100 order))))

(defmacro define-weight (class &body body)
  \`(defmethod weigh ((order ,class)) ,@body))

(define-weight integer
  (list 1 (shipped order)))

(weigh 0)

(defun never () 1)
`;

const plain = { package: null, load: true, policy: null, interactive: true };
const load = (file: string) => {
  const source = { file, offset: 0, line: 1 };
  return image.run('compile-text', { ...plain, text: TEXT, source, whole: true, onError: 'debug' });
};

/** Returns the function, the line and the running form of each frame whose source is in a file. */
const placed = ({ frames }: DebuggerRecord, file: string) =>
  frames.flatMap(({ function: name, call, source }) =>
    source?.file === file && source.running
      ? [[name ?? call, source.running.line, source.running.text.slice(source.running.start, source.running.end)]]
      : [],
  );

describe('a text that is loaded', () => {
  it('An error of a top-level form waits in the debugger with the running forms in their file, and the faults are told', async () => {
    const file = path.join(image.directory, 'orders.lisp');
    await writeFile(file, TEXT);
    const loading = load(file);
    const { files } = await image.next('files-compiled');
    expect(files.map(({ file, diagnostics }) => [file, diagnostics.map(({ message }) => message)])).toEqual([
      [file, ['The variable UNUSED is defined but never used.']],
    ]);
    const { debugger: record } = await image.next('debugger-entered');
    expect(record.type).toBe('DIVISION-BY-ZERO');
    expect(placed(record, file)).toEqual([
      ['SHIPPED', 4, '(/ 100 order)'],
      [expect.stringContaining('WEIGH (INTEGER)'), 10, '(shipped order)'],
    ]);
    // Definitions that were loaded so far are reported while the load is stopped in the debugger.
    const { events } = await image.next('definition-events');
    expect(events.map(({ name }) => name)).toEqual(['DEFINE-WEIGHT', 'SHIPPED', 'DEFINE-WEIGHT', 'WEIGH (INTEGER)']);
    expect(await image.next('definitions-changed')).toMatchObject({ packages: ['COMMON-LISP-USER'], actor: 'person' });
    await abort(image, record);
    const { condition, result } = await loading;
    expect([condition?.type, result?.loaded]).toEqual(['ABORT', false]);
    expect(result?.diagnostics.at(-1)).toMatchObject({ severity: 'error', type: 'DIVISION-BY-ZERO', file, line: 12 });
    expect(await image.value("(list (and (fboundp 'weigh) t) (fboundp 'never))")).toBe('(T NIL)');
    // The source of definitions loaded so far is the file too.
    const { debugger: again } = await stopped(image, '(list (weigh 0))');
    expect(placed(again, file)).toEqual(placed(record, file));
    await abort(image, again);
  });

  it('Code that is loaded reads what the person gives it', async () => {
    const text = '(defparameter *given* (read-line))';
    const source = { file: path.join(image.directory, 'given.lisp'), offset: 0, line: 1 };
    const loading = image.run('compile-text', { ...plain, text, source });
    const { evaluation } = await image.next('input-requested');
    await image.ask('input', { evaluation, text: 'three\n' });
    expect(await loading).toMatchObject({ status: 'ok', result: { loaded: true } });
    expect(await image.value('*given*')).toBe('"three"');
  });
});
