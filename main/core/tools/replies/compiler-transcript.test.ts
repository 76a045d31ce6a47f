import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';
import { condense, isTranscript, withoutTranscript } from './compiler-transcript.ts';

let bench: TestWorkbench;
let client: TestClient;

beforeAll(async () => {
  bench = await openTestWorkbench();
  client = await bench.connect();
  const write = (name: string, text: string) => writeFile(path.join(bench.project, name), text);
  await write('loud.asd', '(defsystem "loud" :components ((:file "loud")))');
  await write(
    'loud.lisp',
    '(in-package :cl-user)\n\n(defun loud-one (x)\n  (declare (optimize speed))\n  (+ x undefined-thing-here))\n\n(format t "~&Said while loading.~%")\n(defun loud-two () (loud-none 1))\n',
  );
}, 120_000);

afterAll(() => bench.close());

describe('answer of a load', () => {
  it('A load tells its warnings, each with file, line and column, and what it printed, without the transcript', async () => {
    const { text } = await client.call('load-system', { system: 'loud' });
    expect(text).toMatch(/^Loading system: loud\n/);
    expect(text).toMatch(/\nloud\.lisp:3:1: WARNING in DEFUN LOUD-ONE: undefined variable: .*UNDEFINED-THING-HERE/);
    expect(text).toContain('Said while loading.');
    expect(text).not.toMatch(/note:|compiling file|wrote |caught|compilation unit/);
  });

  it('A load tells its warnings however much was printed before them', async () => {
    const write = (name: string, text: string) => writeFile(path.join(bench.project, name), text);
    const noisy = (characters: number, name: string) =>
      `(in-package :cl-user)\n(eval-when (:compile-toplevel)\n  (dotimes (i ${characters / 100}) (write-line (make-string 99 :initial-element #\\z))))\n(defun ${name} () ${name}-nowhere)\n`;
    await write(
      'noisy.asd',
      '(defsystem "noisy" :components ((:file "noisy")))\n(defsystem "deafening" :components ((:file "deafening")))\n',
    );
    await write('noisy.lisp', noisy(200_000, 'noisy-one'));
    await write('deafening.lisp', noisy(1_200_000, 'deafening-one'));
    const noise = (await client.call('load-system', { system: 'noisy' })).text;
    expect(noise).toMatch(/noisy\.lisp:4:1: WARNING in DEFUN NOISY-ONE: undefined variable: .*NOISY-ONE-NOWHERE/);
    expect(noise).toContain('characters are not shown here');
    // The output exceeds the number of characters that an image stores for an evaluation.
    const { text } = await client.call('load-system', { system: 'deafening' });
    expect(text).toMatch(/WARNING: undefined variable: .*DEAFENING-ONE-NOWHERE/);
  }, 120_000);
});

describe('transcript of the compiler', () => {
  const options = {
    isOwn: (file: string) => file.startsWith('/p/'),
    display: (file: string) => file.slice(3),
    textOf: () => null,
  };

  it("A transcript of a library is a count, of one's own file its lines, and of the code itself as it is", () => {
    const transcript = [
      '; compiling file "/lib/a.lisp" (written 22 NOV 2026 05:00:00 AM):',
      '; file: /lib/a.lisp',
      '; in: DEFUN A',
      ';     (B)',
      '; ',
      '; caught STYLE-WARNING:',
      ';   undefined function: B',
      '; wrote /cache/a.fasl',
      'printed by the code',
      '; file: /p/own.lisp',
      '; in: DEFUN OWN',
      '; caught WARNING:',
      ';   Constant "a" conflicts with',
      ';   its asserted type NUMBER.',
      ';   See also:',
      ';     The SBCL Manual, Node "Handling of Types"',
      '; ',
      '; note: deleting unreachable code',
    ].join('\n');
    expect(condense(transcript, options)).toEqual({
      warnings: ['own.lisp: WARNING in DEFUN OWN: Constant "a" conflicts with its asserted type NUMBER.'],
      others: 1,
      rest: 'printed by the code',
    });
  });
});

describe('faults of libraries and of code that is compiled at run time', () => {
  const transcript = `; compiling file "/lib/broken.lisp" (written 1 JAN 2026 00:00:00 AM):

; file: /lib/broken.lisp
; in: DEFUN BROKEN
;     (LET ((1 2)) X)
;
; caught ERROR:
;   1 is not a symbol and cannot be used as a local variable.

; caught STYLE-WARNING:
;   undefined variable: X

; wrote /tmp/broken.fasl
; compilation finished in 0:00:00.004

; in: LAMBDA ()
;     (FLOOR :A)
;
; caught WARNING:
;   Constant :A conflicts with its asserted type REAL.
`;
  const options = {
    isOwn: (file: string) => file.startsWith('/own/'),
    display: (file: string) => file,
    textOf: () => null,
  };

  it('A failed load tells the errors of any file, and code without a file gets none [issue 35.1]', () => {
    const late = 'WARNING in LAMBDA (): Constant :A conflicts with its asserted type REAL.';
    expect(condense(transcript, options)).toMatchObject({ warnings: [late], others: 2 });
    expect(condense(transcript, { ...options, failed: true })).toMatchObject({
      warnings: [
        '/lib/broken.lisp: ERROR in DEFUN BROKEN: 1 is not a symbol and cannot be used as a local variable.',
        late,
      ],
      others: 1,
    });
  });

  it('Output under way has nothing of the compiler, and keeps the line that goes on [issue 35.1]', () => {
    expect([isTranscript(transcript), isTranscript('; a comment that the code prints')]).toEqual([true, false]);
    expect(withoutTranscript(`${transcript}printed\n; comp`)).toBe('printed\n; comp');
  });
});
