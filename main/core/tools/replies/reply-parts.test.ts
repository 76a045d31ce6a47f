/** Replies of tools that run code: the order of their sections, and how they are truncated. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';

const LIMIT = 8192;
const HANDLE = /lisp-workbench:\/\/replies\/[0-9a-f-]{36}\/1/;

let bench: TestWorkbench;
let client: TestClient;

beforeAll(async () => {
  bench = await openTestWorkbench();
  client = await bench.connect();
}, 120_000);

afterAll(() => bench.close());

/** Resolves with the complete text of a long reply, read page by page. */
async function allOf(reply: string): Promise<string> {
  let [next] = HANDLE.exec(reply)!;
  let all = '';
  for (let more: string | undefined = next; more !== undefined;) {
    next = more;
    const { text } = await client.call('read-file', { path: next });
    const [, page, after] =
      /^([^]*?)(?:\n… \d+ more characters are not shown\. They are stored for an hour: read (\S+) as .*)?$/.exec(text)!;
    all += page;
    more = after;
  }
  return all;
}

/** Returns the section headers and the prefixes of values, in the order in which they appear. */
function orderOf(text: string): string[] {
  return text.split('\n').flatMap((line) => /^(\[[a-zA-Z]+\]|=>)/.exec(line)?.[0] ?? []);
}

describe('a reply that is too long', () => {
  it('Fifty megabytes of output keep their head and their tail in their section, and the value is whole [issue 35.1]', async () => {
    const text = await client.evaluate(
      '(progn (dotimes (i 50000) (write-string (make-string 1000 :initial-element #\\x)) (terpri)) (print :last-line) 42)',
    );
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LIMIT);
    expect(text).toMatch(/^\[stdout\]\nx{1000}\n/);
    expect(text).toMatch(
      /\n… \d+ characters are not shown here, and 49\d{6} more were not stored\. The whole text: read-file with path \S+ …\n/,
    );
    expect(text).toMatch(/x\n\n:LAST-LINE ?\n\n=> 42$/);
    expect(await allOf(text)).toMatch(/\n… 49\d{6} characters of output were not stored …\n/);
  }, 120_000);

  it('Each section is cut by itself and stays in its place, with what was printed to both streams [issue 35.1]', async () => {
    const text = await client.evaluate(
      '(progn (dotimes (i 5000) (format t "out ~d~%" i) (format *error-output* "err ~d~%" i)) (warn "a ~a" (make-string 9000 :initial-element #\\w)) (values 1 "two"))',
    );
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LIMIT);
    expect(orderOf(text)).toEqual(['[stdout]', '[stderr]', '[warnings]', '=>', '=>']);
    expect(text).toMatch(
      /^\[stdout\]\nout 0\n[^]*\nout 4999\n\n\[stderr\]\nerr 0\n[^]*\nerr 4999\n\n\[warnings\]\nWARNING: a w+\n… [^]*\nw+…?\n\n=> 1\n=> "two"$/,
    );
    const whole = await allOf(text);
    expect(orderOf(whole)).toEqual(orderOf(text));
    expect(whole).toMatch(/\nout 2500\n[^]*\nerr 2500\n/);
  });

  it('The last lines of one stream are shown although the other took all room in the image [issue 35.1]', async () => {
    const text = await client.evaluate(
      '(progn (dotimes (i 300000) (format t "line ~d~%" i)) (format *error-output* "at the end~%") (format t "done~%") 1)',
    );
    expect(text).toMatch(/\nline 299999\ndone\n\n\[stderr\]\nat the end\n\n=> 1$/);
  });

  it('Of several values the huge one is named and the others are whole [issue 35.1]', async () => {
    const text = await client.evaluate('(values :first (make-string 50000 :initial-element #\\y) :third)');
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LIMIT);
    expect(text).toMatch(
      /^=> :FIRST\n=> "y+\n; The first \d+ of 5000\d characters are shown\. The whole text: read-file with path \S+\n=> :THIRD$/,
    );
    expect(await allOf(text)).toBe(`=> :FIRST\n=> "${'y'.repeat(50_000)}"\n=> :THIRD`);
  });

  it('A value that is too long to be printed is named by the variable that has it [issue 35.1]', async () => {
    const text = await client.evaluate('(values 1 (make-string 50000000 :initial-element #\\z))');
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LIMIT);
    expect(text).toMatch(/ … 49800002 characters not shown\. The value is in \(nth 1 \/\): print parts of it\.$/);
    expect(await client.evaluate('(length (nth 1 /))')).toBe('=> 50000000');
  });

  it('Hundreds of values are shown from both ends [issue 35.1]', async () => {
    const text = await client.evaluate(
      '(values-list (loop for i below 1000 collect (format nil "value number ~d" i)))',
    );
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LIMIT);
    expect(text).toMatch(/^=> "value number 0"\n=> "value number 1"\n[^]*\n… \d+ characters are not shown here/);
    expect(text).toMatch(/\n=> "value number 999"$/);
  });

  it('An error after long output comes after it, whole, with the names that are near in its message [issue 35.1]', async () => {
    const { text, isError } = await client.call('evaluate-lisp', {
      code: '(progn (dotimes (i 40000) (print i)) (vector-push-extent 1 2))',
    });
    expect([isError, Buffer.byteLength(text) <= LIMIT]).toEqual([true, true]);
    expect(orderOf(text)).toEqual(
      ['[stdout]', '[warnings]', '[ERROR]', '[Backtrace]'].filter((each) => text.includes(each)),
    );
    expect(text).toMatch(
      /\n39999 ?\n\n\[ERROR\] UNDEFINED-FUNCTION\nThe function (?:\S*:)?VECTOR-PUSH-EXTENT is undefined\.\nDid you mean [^\n]*VECTOR-PUSH-EXTEND[^\n]*\n\n\[Backtrace\]\n0: [^]*[^\n]$/,
    );
  });

  it('Text is cut between characters: many octets, one long line, half a pair [issue 35.1]', async () => {
    const whole = [
      '(progn (dotimes (i 20000) (write-string "λ漢😀")) 1)',
      '(progn (write-string (make-string 100000 :initial-element #\\λ)) 1)',
    ];
    const halves = [
      '(progn (dotimes (i 20000) (write-char (code-char #xD83D)) (write-char (code-char 128512))) 1)',
      '(progn (write-char (code-char #xD83D)) (terpri) (dotimes (i 9000) (write-char #\\x)) 1)',
    ];
    for (const code of [...whole, ...halves]) {
      const text = await client.evaluate(code);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LIMIT);
      expect(text).toMatch(/^\[stdout\]\n[^]*… \d+ characters are not shown here[^]*\n\n=> 1$/);
      expect(text.includes('\uFFFD')).toBe(halves.includes(code));
      expect(Buffer.from(text).toString()).toBe(text);
    }
    const short = await client.evaluate('(progn (write-char (code-char #xD83D)) 1)');
    expect(short).toBe('[stdout]\n\uFFFD\n\n=> 1');
  });

  it('A caller that asks for more gets more [issue 35.1]', async () => {
    const code = '(progn (dotimes (i 4000) (format t "line ~d~%" i)) 1)';
    const lines = Array.from({ length: 4000 }, (_, i) => `line ${i}`).join('\n');
    expect((await client.call('evaluate-lisp', { code, max_bytes: 60_000 })).text).toBe(`[stdout]\n${lines}\n\n=> 1`);
    const short = (await client.call('evaluate-lisp', { code, max_bytes: 1024 })).text;
    expect(Buffer.byteLength(short)).toBeLessThanOrEqual(1024);
    expect(short).toMatch(/^\[stdout\]\nline 0\n[^]*\nline 3999\n\n=> 1$/);
  });

  it('Loads, tests, compilations and held errors have the same limit, and how they ended is whole [issue 35.1]', async () => {
    const noise = '(dotimes (i 20000) (format t "noise ~d~%" i))';
    await writeFile(path.join(bench.project, 'noisy.lisp'), `${noise}\n(defun noisy () 1)\n`);
    await writeFile(
      path.join(bench.project, 'noisy.asd'),
      '(defsystem "noisy" :components ((:file "noisy")) :perform (test-op (o c) (dotimes (i 20000) (format t "test ~d~%" i)) (error "tests broke")))\n',
    );
    const replies: [string, Record<string, unknown>, RegExp][] = [
      [
        'load-file',
        { path: 'noisy.lisp' },
        /^Compiled and loaded, 1 definition\.\n\n\[Output\]\nnoise 0\n[^]*\nnoise 19999$/,
      ],
      ['load-system', { system: 'noisy' }, /^Loading system: noisy\nnoise 0\n[^]*\nnoise 19999\nLoaded: noisy$/],
      ['run-tests', { system: 'noisy' }, /^Tool error: tests broke\n\n\[Output\]\ntest 0\n[^]*\ntest 19999$/],
      ['compile-form', { form: `(progn ${noise} (defun n2 () 1))` }, /^Compiled and loaded, [^]*\nnoise 19999$/],
      [
        'evaluate-lisp',
        { code: `(progn ${noise} (error "held ~a" 1))`, hold: true },
        /^Held in the debugger: SIMPLE-ERROR: held 1\n\n\[Restarts\]\n[^]*\[Frames\]\n[^]*\[Output\]\nnoise 0\n[^]*\nnoise 19999\n\nThe error waits/,
      ],
      [
        'eval-in-frame',
        { frame: 0, code: `(progn ${noise} :seen)` },
        /^=> :SEEN\n\n\[Output\]\nnoise 0\n[^]*\nnoise 19999$/,
      ],
      ['eval-form', { form: '(make-string 30000 :initial-element #\\q)' }, /^q+\n; The first \d+ of 30000 characters/],
    ];
    for (const [name, args, reply] of replies) {
      const { text } = await client.call(name, args);
      expect([name, Buffer.byteLength(text) <= LIMIT, text]).toEqual([name, true, expect.stringMatching(reply)]);
    }
  }, 60_000);
});
