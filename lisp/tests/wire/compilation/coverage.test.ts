/** Coverage of code that is compiled for counting. */
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openTestImage } from '#core/lisp/image.fixture.ts';

const lisp = await openTestImage();
afterAll(() => lisp.close());

const TEXT = `(defpackage :covered (:use :cl))
(in-package :covered)
;; 𝛌 takes two units of UTF-16.
(defun sign (x)
  (if (plusp x)
      (list x :pos)
      #+(or) (never)
      (list x :neg)))
(defun never (x) (when x (cond ((eq x 1) \`(one ,(sign x))) (t (sign x)))))
(defmethod half ((x integer)) (unless (zerop x) (/ x 2)))
`;
async function compile(text: string, counts: boolean, file: string) {
  const source = { file, offset: 0, line: 1 };
  const policy = counts ? { coverage: 3 } : null;
  return lisp.run('compile-text', { text, package: null, source, load: true, policy, whole: true });
}

/** Returns the counted forms of a text, each with its reported result. */
async function marks(file: string) {
  const { text, forms } = await lisp.ask('coverage-marks', { file });
  return forms.map(({ start, end, executed, thenTaken: then, elseTaken: other }) => {
    const ways = then === null && other === null ? '' : ` then ${then} else ${other}`;
    return `${text.slice(start, end).replaceAll(/\s+/g, ' ')}: ${executed}${ways}`;
  });
}

describe('coverage', () => {
  it('What has run of a text is told by form, with the ways that its branches took [D11]', async () => {
    const file = '/project/covered.lisp';
    const { status, result } = await compile(TEXT, true, file);
    expect([status, result?.loaded]).toEqual(['ok', true]);
    await lisp.ask('reset-coverage', {});
    expect((await marks(file)).filter((each) => each.includes('true'))).toEqual([]);
    await lisp.value('(list (sign 3) (half 4))', { context: 'test', package: 'COVERED' });
    const told = await marks(file);
    expect(told).toEqual(
      expect.arrayContaining([
        '(list x :pos): true',
        '(list x :neg): false',
        '(cond ((eq x 1) `(one ,(sign x))) (t (sign x))): false',
        '(/ x 2): true',
      ]),
    );
    expect(told).toContain('(plusp x): true then true else false');
    const { files } = await lisp.ask('coverage', {});
    expect(files.map((each) => each.file)).toEqual([file]);
    const [{ executed, expressions, taken, branches }] = files as [(typeof files)[0]];
    expect(executed).toBeGreaterThan(4);
    expect(executed).toBeLessThan(expressions);
    expect([taken, branches]).toEqual([2, 6]);
    // Once the text is compiled without counting, it has no coverage.
    await compile(TEXT, false, file);
    expect((await lisp.ask('coverage', {})).files).toEqual([]);
    expect(await lisp.ask('coverage-marks', { file })).toEqual({ found: false, text: '', forms: [] });
  });

  it('The text of a file that is there is counted, and again when it is compiled again, with line ends of Windows and methods [D11]', async () => {
    const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'covered text [1] ')));
    const file = path.join(folder, 'there.lisp');
    const text = [
      '(defpackage :there (:use :cl))',
      '(in-package :there)',
      '(defgeneric area (it))',
      '(defmethod area ((it integer)) (if (zerop it) :none (* it it)))',
      '(defmethod area :around ((it t)) (list (call-next-method)))',
    ].join('\r\n');
    writeFileSync(file, text);
    for (const argument of [3, 0]) {
      await compile(text, true, file);
      await lisp.ask('reset-coverage', {});
      expect((await lisp.ask('coverage', {})).files).toMatchObject([{ file, executed: 0, taken: 0, branches: 2 }]);
      await lisp.value(`(area ${argument})`, { context: 'test', package: 'THERE' });
      expect(await marks(file)).toEqual(
        expect.arrayContaining([
          `(zerop it): true then ${argument === 0} else ${argument !== 0}`,
          `(* it it): ${argument !== 0}`,
        ]),
      );
    }
    await compile(text, false, file);
    expect((await lisp.ask('coverage', {})).files).toEqual([]);
  });

  it('The files of a system are compiled anew to be counted, and its compiled files stay what they were [D11]', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'covered-'));
    mkdirSync(path.join(folder, 'more'));
    writeFileSync(
      path.join(folder, 'cov-sys.asd'),
      '(defsystem "cov-sys" :components ((:file "one") (:module "more" :components ((:file "two")))))',
    );
    writeFileSync(path.join(folder, 'one.lisp'), '(defun cov-one (x) (if (null x) 1 2))');
    writeFileSync(path.join(folder, 'more/two.lisp'), '(defun cov-two (x) (cov-one (not x)))');
    await lisp.value(`(progn (asdf:load-asd ${JSON.stringify(path.join(folder, 'cov-sys.asd'))}) :done)`, {
      context: 'test',
    });
    const cover = (counts: boolean) => {
      return lisp.run('cover-system', { system: 'cov-sys', counts });
    };
    const { condition, result } = await cover(true);
    expect([condition, result]).toEqual([null, { name: 'cov-sys', files: 2 }]);
    await lisp.ask('reset-coverage', {});
    await lisp.value('(cov-two nil)', { context: 'test', package: 'COMMON-LISP-USER' });
    const { files } = await lisp.ask('coverage', {});
    expect(files.map(({ file, taken, branches }) => [path.relative(folder, file), taken, branches])).toEqual([
      ['one.lisp', 1, 2],
      ['more/two.lisp', 0, 0],
    ]);
    expect((await marks(files[0]!.file)).slice(0, 2)).toEqual([
      '(if (null x) 1 2): true',
      '(null x): true then false else true',
    ]);
    expect((await marks(files[1]!.file))[0]).toBe('(cov-one (not x)): true');
    await cover(false);
    expect((await lisp.ask('coverage', {})).files).toEqual([]);
  });
});
