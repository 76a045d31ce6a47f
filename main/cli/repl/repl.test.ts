import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeReplHome, type ReplHome, type ReplProcess } from './repl.fixture.ts';

let home: ReplHome;

beforeAll(() => {
  home = makeReplHome();
});

afterAll(() => home.close());

/** Passes a whole text as input. Resolves with the standard output and the exit code. */
async function fed(
  text: string | Buffer,
  args: readonly string[] = [],
): Promise<{ out: string; err: string; code: number | null }> {
  const { child, ended, out, err } = home.pipe(args);
  child.stdin!.end(text);
  const code = await ended;
  return { out: out(), err: err(), code };
}

describe('the command repl on a pipe', () => {
  /** Texts after which the REPL returns to its prompt, each with the output up to that prompt. */
  const TEXTS: readonly (readonly [what: string, text: string, out: string])[] = [
    ['values', '(+ 1 2)\n(values 1 2)\n(values)\n"a"\n', '* 3\n* 1\n2\n* * "a"\n'],
    ['several forms on a line', '1 (list 2) 3\n4\n', '* 1\n(2)\n3\n* 4\n'],
    ['a form over lines', '(list 1\n\n  2)\n', '* (1 2)\n'],
    ['printed text', '(progn (princ "x") 1)\n(print 5)\n', '* x\n1\n* \n5 \n5\n'],
    [
      'lines that code reads',
      '(list (read-line)\n(read-line))\nfirst\nsecond\n(read)\n(a\nb)\n',
      '* ("first" "second")\n* (A B)\n',
    ],
    ['a line behind the form that reads it', '(read-line) rest of it\n', '* " rest of it"\nNIL\n'],
    ['long lists, as SBCL prints them', '(let ((x (list 1))) (list x x))\n(length (list))\n', '* ((1) (1))\n* 0\n'],
    ['a circular list, to an end', '(let ((x (list 1))) (setf (cdr x) x))\n', '* #1=(1 . #1#)\n'],
    ['line ends of Windows', '(+ 1\r\n 2)\r\n', '* 3\n'],
    ['comments and blank lines', '\n; hello (\n\n#| a\n b |#\n1\n', '* 1\n'],
    [
      'text that cannot be read',
      '(foo:bar 1)\n)\n2\n',
      '* ; READER-ERROR:\n;   Package FOO does not exist.\n;\n;     Line: 1, Column: 8\n* ; READER-ERROR:\n;   unmatched close parenthesis\n;\n;     Line: 1, Column: 1\n* 2\n',
    ],
    [
      'history and package',
      '(defpackage :p (:use :cl))\n(in-package :p)\n(package-name *package*)\n*\n(list ** +)\n',
      '* #<PACKAGE "P">\n* #<PACKAGE "P">\n* "P"\n* "P"\n* ("P" *)\n',
    ],
    ['settings of the printer', '(setf *print-length* 2)\n(list 1 2 3)\n', '* 2\n* (1 2 ...)\n'],
  ];

  describe('all its text at once', () => {
    /** The answers to the texts. One process gets all texts one after the other, each after a line with its number. */
    let answers: readonly string[];
    let code: number | null;

    beforeAll(async () => {
      const text = TEXTS.map(([, each], index) => `"text ${index}"\n${each}`).join('');
      const all = await fed(text);
      code = all.code;
      answers = all.out.split(/\* "text \d+"\n/).slice(1);
    }, 60_000);

    it.each(TEXTS.map(([what, , out], index) => [what, out, index] as const))(
      'A pipe that gives all its text at once is answered as by SBCL: %s [L17, L24, decision 25]',
      (_what, out, index) => {
        const last = index === TEXTS.length - 1;
        expect({ answer: answers[index], count: answers.length }).toEqual({
          answer: last ? `${out}* ` : out,
          count: TEXTS.length,
        });
        expect(code).toBe(0);
      },
    );
  });

  it.each<[string, string, string]>([
    ['a last line without an end', '(+ 1 2)', '* 3\n* '],
    ['nothing', '', '* '],
    [
      'the end of the input within a form',
      '1\n(list 1\n',
      '* 1\n* ; The last form was not evaluated, because the input ended before the form did.\n',
    ],
    [
      'the error at the end',
      '(error "boo")\n',
      '* \ndebugger invoked on a SIMPLE-ERROR:\n  boo\n\nType HELP for debugger help.\n\nrestarts (invokable by number or by name):\n  0: [RETRY] Evaluate the form again, so that its frames keep their locals.\n  1: [ABORT] Abort the evaluation.\n\n2: (EVAL (ERROR "boo"))\n0] ',
    ],
  ])('A pipe that ends is answered as by SBCL: %s [L17, L24, decision 25]', async (_what, text, out) => {
    expect(await fed(text)).toMatchObject({ out, code: 0 });
  });

  it('Warnings and what code prints to its standard error go to that of the command [L24]', async () => {
    const { out, err } = await fed('(defun f () (undefined-g))\n(warn "mind ~A" 1)\n(format *error-output* "err")\n');
    expect(out).toBe('* F\n* NIL\n* NIL\n* ');
    expect(err).toContain('; STYLE-WARNING: undefined function: UNDEFINED-G\n; WARNING: mind 1\nerr');
  });

  it('Junk is an error of the reader, and the next line is read [L24, case 9]', async () => {
    const junk = Buffer.from([0x28, 0xff, 0xfe, 0x00, 0x29, 0x0a, ...Buffer.from('(+ 1 2)\nabort\n(+ 1 3)\n')]);
    const { out, code } = await fed(junk);
    // The junk calls undefined functions. Forms are evaluated in the debugger even though the frame shows nothing.
    expect(out).toMatch(/on an UNDEFINED-FUNCTION:/);
    expect({ end: out.slice(-24), code }).toEqual({ end: '\n0] 3\n0] ; Aborted.\n* 4\n* '.slice(-24), code: 0 });
  });

  it('A form may be longer than any line a terminal has, and one without end is refused [L24, K6]', async () => {
    const long = `(length "${'a'.repeat(1_000_000)}")`;
    expect((await fed(`${long}\n`)).out).toBe('* 1000000\n* ');
    const { out } = await fed(`(list "${'b'.repeat(5_000_000)}")\n(+ 1 2)\n`);
    expect(out).toContain('; The form was ignored, because it is longer than 4000000 characters.');
    expect(out.endsWith('3\n* ')).toBe(true);
  }, 120_000);

  it('Output without end is bounded, and said so [K6]', async () => {
    const { out } = await fed('(dotimes (i 1100000) (write-string "0123456789"))\n1\n');
    expect(out.length).toBeLessThan(11_000_000);
    expect(out).toMatch(/0123456789\n; … 1000000 more characters were printed\.\nNIL\n\* 1\n\* $/);
  }, 120_000);

  it('Effects of a pipe are a client’s: denied unless the command line allows them, and in the audit [L24, G1, G6, decision 25]', async () => {
    const file = path.join(home.folder, 'victim');
    writeFileSync(file, '');
    const { out } = await fed(`(delete-file "${file}")\n`);
    expect(out).toMatch(/debugger invoked on a LISP-WORKBENCH:EFFECT-DENIED:\n  Denied: DELETE-FILE .*\n0\] $/s);
    const allowed = await fed(`(delete-file "${file}")\n`, ['--effects', 'allow', '--client', 'robot']);
    expect(allowed.out).toBe('* T\n* ');
    const audit = home.audit();
    const told = (name: string): unknown[] => audit.filter((line) => JSON.stringify(line).includes(`"client:${name}"`));
    expect(told('stdio').length).toBeGreaterThan(0);
    expect(JSON.stringify(told('robot'))).toContain('victim');
  });

  it('EXIT ends the command with its code, where effects are allowed [decision 25]', async () => {
    expect(await fed('(sb-ext:exit :code 7)\n(print 1)\n', ['--effects', 'allow'])).toMatchObject({
      code: 7,
      out: '* ',
    });
  });

  it.each<[string, string, number]>([
    ['was lost with its image', '(+ 1 2)\n(sb-posix:kill (sb-posix:getpid) 9)\n', 2],
    ['was served after such a loss', '(sb-posix:kill (sb-posix:getpid) 9)\n(+ 1 2)\n', 0],
  ])('The exit code tells whether the last form of a pipe %s [L24, decision 37]', async (_what, text, code) => {
    const ended = await fed(text, ['--effects', 'allow']);
    expect(ended).toMatchObject({ code, out: expect.stringContaining('3\n* ') as string });
    expect(ended.out).toContain('; LISP-WORKBENCH:IMAGE-LOST:');
  });

  it('Wrong usage ends with one line [decision 37]', async () => {
    expect(await fed('', ['--port', '1'])).toMatchObject({
      code: 2,
      err: 'lisp-workbench: repl has no option "--port" (--help lists the options).\n',
    });
    expect(await fed('', ['--init', '/no/such.lisp'])).toMatchObject({
      code: 2,
      err: 'lisp-workbench: there is no init file /no/such.lisp.\n',
    });
  });
});

describe('a conversation with the command repl on a pipe', () => {
  /** Definitions of a function that offers restarts, one of which asks for a value. */
  const RESTARTS = `(progn
    (defun inner (n)
      (let ((half (/ n 2)))
        (restart-case (error "odd ~A" n)
          (use-half () :report "Use the half." half)
          (use-other (v) :report "Use another."
            :interactive (lambda () (format *query-io* "Value? ") (finish-output *query-io*) (list (eval (read *query-io*))))
            v))))
    (defun outer (n) (list :got (inner n))))`;

  /** The process that several tests share. Each test leaves the process at its prompt, or ends it. */
  let repl: ReplProcess;

  beforeEach(async () => {
    if (!repl?.goesOn()) await start();
  }, 60_000);

  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await end();
  });

  afterAll(end);

  async function start(): Promise<void> {
    repl = home.pipe();
    await repl.until(/^\* $/);
    await repl.ask(RESTARTS);
  }

  async function end(): Promise<void> {
    repl.child.kill();
    await repl.ended;
  }

  it('The debugger shows the error and its restarts, and a number takes one [L18, L19, L21, L22]', async () => {
    const shown = await repl.ask('(outer 7)');
    expect(shown).toBe(
      '\ndebugger invoked on a SIMPLE-ERROR:\n  odd 7\n\nType HELP for debugger help.\n\nrestarts (invokable by number or by name):\n  0: [USE-HALF ] Use the half.\n  1: [USE-OTHER] Use another.\n  2: [RETRY    ] Evaluate the form again, so that its frames keep their locals.\n  3: [ABORT    ] Abort the evaluation.\n\n2: (INNER 7)\n0] ',
    );
    expect(await repl.ask('0')).toBe('(:GOT 7/2)\n* ');
    await repl.ask('(outer 7)');
    expect(await repl.ask('use-half')).toBe('(:GOT 7/2)\n* ');
    await repl.ask('(outer 7)');
    expect(await repl.ask('17')).toMatch(/^; There is no restart 17\.\nrestarts .*\n0\] $/s);
    expect(await repl.ask('abort')).toBe('; Aborted.\n* ');
  });

  it('A restart that takes a value asks for it, and reads it over lines [L20, D6]', async () => {
    await repl.ask('(outer 7)');
    expect(await repl.ask('1', /Value\? $/)).toBe('Value? ');
    repl.say('(list 6\n');
    expect(await repl.ask('7)')).toBe('(:GOT (6 7))\n* ');
  });

  it('Frames are looked at, and forms are evaluated among their variables [L20, D6]', async () => {
    await end();
    await start();
    await repl.ask('(outer 7)');
    expect(await repl.ask('backtrace')).toBe('2: (INNER 7)\n3: (OUTER 7)\n5: (EVAL (OUTER 7))\n0] ');
    expect(await repl.ask('backtrace 1')).toBe('2: (INNER 7)\n… and 2 more: backtrace 3\n0] ');
    expect(await repl.ask('locals')).toBe('  HALF = 7/2\n  N = 7\n0] ');
    expect(await repl.ask('(list n half)')).toBe('(7 7/2)\n0] ');
    expect(await repl.ask('n')).toBe('7\n0] ');
    expect(await repl.ask('up')).toBe('3: (OUTER 7)\n0] ');
    expect(await repl.ask('down')).toBe('2: (INNER 7)\n0] ');
    expect(await repl.ask('down')).toBe('; This is the innermost frame.\n0] ');
    expect(await repl.ask('frame 3')).toBe('3: (OUTER 7)\n0] ');
    expect(await repl.ask('frame 4711')).toMatch(/^; There is no frame 4711; the last one is \d+\.\n0\] $/);
    expect(await repl.ask(':error')).toBe('; SIMPLE-ERROR:\n;   odd 7\n0] ');
    expect(await repl.ask('frame 2')).toBe('2: (INNER 7)\n0] ');
    expect(await repl.ask('return (* n n)')).toBe('(:GOT 49)\n* ');
    await repl.ask('(outer 5)');
    expect(await repl.ask('restart-frame')).toMatch(/debugger invoked on a SIMPLE-ERROR:\n  odd 5/);
    expect(await repl.ask('top')).toBe('; Aborted.\n* ');
  });

  it('A command wins over a variable of its name, which is reached as a form [decision 25]', async () => {
    await repl.ask('(defvar top 5)');
    await repl.ask('(error "x")');
    expect(await repl.ask('eval top')).toBe('5\n0] ');
    expect(await repl.ask('(list top)')).toBe('(5)\n0] ');
    expect(await repl.ask('help')).toMatch(/takes the restart with that number.*\n0\] $/s);
    expect(await repl.ask('top')).toBe('; Aborted.\n* ');
    expect(await repl.ask('top')).toBe('5\n* ');
  });

  it('An error in the debugger is a level deeper, which is left by itself or with all [L20, L22]', async () => {
    await repl.ask('(error "first")');
    expect(await repl.ask('(error "second")')).toMatch(/on a SIMPLE-ERROR, level 2:\n  second\n.*\n\[2\] 0\] $/s);
    expect(await repl.ask('abort')).toBe('; Aborted.\n0] ');
    expect(await repl.ask('(error "third")')).toMatch(/\n\[2\] 0\] $/);
    expect(await repl.ask('top')).toBe('; Aborted.\n* ');
  });

  it('CONTINUE goes on, and says so where it cannot [L20]', async () => {
    await repl.ask('(list (cerror "Continue." "stopped") 2)');
    expect(await repl.ask('continue')).toBe('(NIL 2)\n* ');
    await repl.ask('(error "x")');
    expect(await repl.ask('continue')).toMatch(/^; There is no restart CONTINUE\.\n/);
    await repl.ask('abort');
  });

  it('An interrupt leads into the debugger, from where the code goes on or ends [L20, K6]', async () => {
    const from = repl.out().length;
    repl.say('(loop (princ "working ") (finish-output) (sleep 0.01))\n');
    await repl.until(/working/, from);
    for (const way of ['continue', 'abort']) {
      const before = repl.out().length;
      repl.child.kill('SIGINT');
      expect(await repl.until(/\n0\] $/, before)).toContain('\ninterrupted:\n');
      const stopped = repl.out().length;
      if (way === 'continue') repl.say('continue\n');
      if (way === 'continue') await repl.until(/working/, stopped);
    }
    expect(await repl.ask('abort')).toBe('; Aborted.\n* ');
  });

  it('An interrupt drops a form that was begun, and a read of a line [K6]', async () => {
    repl.say('(list 1\n');
    await repl.ask('(list (list 2', /^$/);
    const before = repl.out().length;
    repl.child.kill('SIGINT');
    await repl.until(/\* $/, before);
    expect(await repl.ask('(+ 1 2)')).toBe('3\n* ');
    const reading = repl.out().length;
    repl.say('(progn (princ "name? ") (read-line))\n');
    await repl.until(/name\? $/, reading);
    repl.child.kill('SIGINT');
    expect(await repl.until(/\* $/, reading)).toBe('name? \n; Interrupted.\n* ');
  });

  it('The middleware finds its prompts: a blank line brings none, and all values stand before the last [L22, L24]', async () => {
    const from = repl.out().length;
    repl.say('\n');
    repl.say('(in-package :cl-user) (list 1 2)\n');
    expect(await repl.until(/\* $/, from)).toBe('#<PACKAGE "COMMON-LISP-USER">\n(1 2)\n* ');
  });

  it('A thread that fails behind the prompt is debugged [L20]', async () => {
    await repl.ask('(defvar *go* (sb-thread:make-semaphore))');
    await repl.ask(
      '(progn (sb-thread:make-thread (lambda () (sb-thread:wait-on-semaphore *go*) (error "in thread")) :name "mine") nil)',
    );
    const from = repl.out().length;
    repl.say('(sb-thread:signal-semaphore *go*)\n');
    // The form's value may appear before or after the debugger's text, because two threads write.
    expect(await repl.until(/NIL\n[^]*in thread[^]*0\] $|in thread[^]*NIL\n0\] $/, from)).toContain(
      'debugger invoked on a SIMPLE-ERROR in thread mine:\n  in thread',
    );
    expect(await repl.ask('abort')).toMatch(/\* $/);
  });

  it('A dead image is told of, and the REPL goes on with another [K6, decision 25]', async () => {
    await repl.ask('(defun kept () :kept)');
    const pid = Number(/\d+/.exec(await repl.ask('(sb-posix:getpid)'))![0]);
    const from = repl.out().length;
    repl.say('(progn (print :begun) (finish-output) (loop (sleep 0.01)))\n');
    await repl.until(/:BEGUN/, from);
    process.kill(pid, 'SIGKILL');
    expect(await repl.until(/\* $/, from)).toMatch(
      /; LISP-WORKBENCH:IMAGE-LOST:\n;   The image was ended by SIGKILL\./,
    );
    expect(await repl.ask('(kept)')).toBe(':KEPT\n* ');
  });

  it('INSPECT shows the object and its parts, and ED says that there is no editor [D7]', async () => {
    expect(await repl.ask('(inspect (list 7 "b"))')).toMatch(
      /^\(7 "b"\)\n {2}CONS\n(?: {2}.*\n)* {2}0: .*7\n {2}1: .*"b"\n/,
    );
    expect(await repl.ask('(ed "/tmp/some.lisp")')).toMatch(
      /^; ED cannot open an editor here: open \/tmp\/some\.lisp in your own\.\n/,
    );
  });

  it('Syntax that only the image knows is read as the image reads it [L24]', async () => {
    await repl.ask(
      `(set-macro-character #\\$ (lambda (stream character) (declare (ignore character)) (list 'list :dollar (list 'quote (read stream t nil t)))))`,
    );
    expect(await repl.ask('$(a b)')).toBe('(:DOLLAR (A B))\n* ');
  });
});

/** The program `script` gives a command its own terminal. */
describe.skipIf(process.platform !== 'linux')('the command repl at a terminal', () => {
  const ESC = String.fromCodePoint(0x1b);
  const UP = `${ESC}[A`;
  /** Removes cursor movements and colours from output. */
  const plain = (text: string): string => text.replaceAll(new RegExp(String.raw`${ESC}\[[0-9;?]*[A-Za-z]|\r`, 'g'), '');

  async function start(args: readonly string[] = [], environment: NodeJS.ProcessEnv = {}): Promise<ReplProcess> {
    const repl = home.terminal(args, environment);
    await repl.until(/\* /);
    return repl;
  }

  /** Types keys. Resolves with the resulting output. */
  async function keys(repl: ReplProcess, typed: string, what: RegExp): Promise<string> {
    const from = repl.out().length;
    repl.say(typed);
    await expect.poll(() => plain(repl.out().slice(from)), { timeout: 60_000 }).toMatch(what);
    return plain(repl.out().slice(from));
  }

  /** Sends Ctrl-D. Resolves with the exit code. */
  async function leave(repl: ReplProcess): Promise<number | null> {
    repl.say('\u0004');
    return repl.ended;
  }

  it('The person at the terminal is no client: nothing of theirs is guarded, and EXIT leaves [L17, decision 25]', async () => {
    const repl = await start();
    const file = path.join(home.folder, 'mine');
    await keys(repl, `(with-open-file (s "${file}" :direction :output) (print 1 s))\r`, /\n1\n\* $/);
    repl.say('(sb-ext:exit :code 5)\r');
    expect(await repl.ended).toBe(5);
    const evaluations = home.audit().filter((line) => line['kind'] === 'evaluation-started');
    expect(JSON.stringify(evaluations)).toContain('"person"');
  }, 120_000);

  it('Who names a client or says what effects may do is a client at a terminal too [G1, decision 25]', async () => {
    const repl = await start(['--effects', 'deny']);
    await keys(repl, `(delete-file "${path.join(home.folder, 'mine')}")\r`, /EFFECT-DENIED[^]*\n0\] $/);
    await keys(repl, 'abort\r', /\* $/);
    expect(await leave(repl)).toBe(0);
    // When the command exits, it has turned bracketed paste off.
    expect(repl.out().lastIndexOf(`${ESC}[?2004l`)).toBeGreaterThan(repl.out().lastIndexOf(`${ESC}[?2004h`));
  }, 120_000);

  it('Forms go over lines, come again by Up and Ctrl-R, and are kept for the next start [L17, D5]', async () => {
    const repl = await start();
    await keys(repl, '(list :one\r', /\* \(list :one\n {2}$/);
    await keys(repl, ':two)\r', /\n\(:ONE :TWO\)\n\* $/);
    await keys(repl, `${UP}\r`, /\n\(:ONE :TWO\)\n\* $/);
    await leave(repl);
    const again = await start();
    await keys(again, UP, /\* \(list :one\n {2}:two\)$/);
    await keys(again, '\u0003', /\^C\n\* $/);
    await keys(again, '\u0012:tw', /\(reverse search\) ':tw': \(list :one/);
    await keys(again, '\r', /\n\(:ONE :TWO\)\n\* $/);
    await leave(again);
    expect(
      execFileSync('stat', ['-c', '%a', path.join(home.home, 'state', 'repl-history')], { encoding: 'utf8' }),
    ).toBe('600\n');
  }, 120_000);

  /** A form that prints in red, and tries to clear the screen. */
  const COLOURED = `(format t "~c[31mred~:*~c[2J" (code-char 27))\r`;

  it('Code has no colours with NO_COLOR [K2, case 26]', async () => {
    const bare = await start([], { NO_COLOR: '1' });
    await keys(bare, COLOURED, /red⟨U\+001B⟩\[2J\nNIL\n\* $/);
    expect(bare.out()).not.toMatch(new RegExp(String.raw`${ESC}\[[0-9;]*m`));
    await leave(bare);
  }, 120_000);

  const OFFER = /; Lost with the image: 1 definition\. :replay replays them, :forget discards them\.\n\* $/;

  it('After the end of an image the person is offered to bring back their definitions, and does so by a command [P4, K6]', async () => {
    const repl = await start();
    await keys(repl, '(defun mine () :mine)\r', /\nMINE\n\* $/);
    await keys(repl, ':replay\r', /\n:REPLAY\n\* $/);
    await keys(repl, '(sb-ext:run-program "/bin/kill" (list "-9" (princ-to-string (sb-posix:getpid))))\r', OFFER);
    await keys(repl, ':replay\r', /\n; 1 replayed\.\n\* $/);
    await keys(repl, '(mine)\r', /\n:MINE\n\* $/);
    await keys(repl, '(sb-ext:run-program "/bin/kill" (list "-9" (princ-to-string (sb-posix:getpid))))\r', OFFER);
    await keys(repl, ':forget\r', /\n; Discarded\.\n\* $/);
    await keys(repl, ':replay\r', /\n:REPLAY\n\* $/);
    expect(await leave(repl)).toBe(0);
  }, 120_000);

  it('A terminal that cannot be drawn on gets plain lines [D17]', async () => {
    const repl = home.terminal([], { TERM: 'dumb' });
    await repl.until(/\* $/);
    repl.say('(+ 1 2)\n');
    await repl.until(/\n3\r\n\* $/);
    expect(repl.out()).not.toContain(ESC);
    repl.say('\u0004');
    expect(await repl.ended).toBe(0);
  }, 120_000);

  describe('in one process, which each case leaves at its prompt', () => {
    let repl: ReplProcess;

    beforeEach(async () => {
      if (!repl?.goesOn()) repl = await start();
    }, 120_000);

    afterEach(async ({ task }) => {
      if (task.result?.state !== 'fail') return;
      repl.child.kill();
      await repl.ended;
    });

    it('Tab completes names, with packages, and lists them where there are several [D4]', async () => {
      await keys(repl, '(multiple-value-b\t', /\* \(multiple-value-bind$/);
      await keys(repl, '\u0015(mapc\t\t', /mapc {4}mapcan {2}mapcar {2}mapcon/);
      await keys(repl, '\u0015(sb-posix:getpi\t', /\* \(sb-posix:getpid$/);
      await keys(repl, ')\r', /\n\d+\n\* $/);
      expect(repl.goesOn()).toBe(true);
    }, 120_000);

    it('Half a paste is not evaluated, and all of it is once Enter is pressed [case 28]', async () => {
      const from = repl.out().length;
      await keys(
        repl,
        `${ESC}[200~(list :a\n:b)\n(list :c)\n${ESC}[201~`,
        /\* \(list :a\n {2}:b\)\n {2}\(list :c\)\n {2}$/,
      );
      expect(plain(repl.out().slice(from))).not.toContain('(:A :B)');
      await keys(repl, '\r', /\n\(:A :B\)\n\(:C\)\n\* $/);
    }, 120_000);

    it('Ctrl-C interrupts code, drops what is typed, and Ctrl-D leaves the debugger [L20, K6]', async () => {
      await keys(repl, '(progn (print :begun) (finish-output) (loop (sleep 0.01)))\r', /:BEGUN/);
      await keys(repl, '\u0003', /interrupted:[^]*\n0\] $/);
      await keys(repl, '(list 1\u0003', /\^C\n0\] $/);
      await keys(repl, '\u0004', /; Aborted\.\n\* $/);
      expect(repl.goesOn()).toBe(true);
    }, 120_000);

    it('Code that reads a line has it edited behind its own prompt, and the line is in no history [D5]', async () => {
      await keys(repl, '(progn (princ "Secret: ") (finish-output) (read-line))\r', /Secret: $/);
      await keys(repl, 'abd\u007Fc\r', /"abc"\nNIL\n\* $/);
      await keys(repl, UP, /\* \(progn \(princ/);
      await keys(repl, '\u0003', /\* $/);
      expect(repl.goesOn()).toBe(true);
    }, 120_000);

    it('Code cannot move the cursor; its colours are colours [K2, case 26]', async () => {
      await keys(repl, COLOURED, /red⟨U\+001B⟩\[2J\nNIL\n\* $/);
      expect(repl.out()).toContain(`${ESC}[31mred⟨U+001B⟩[2J`);
    }, 120_000);

    it('Ctrl-D leaves at the prompt, with exit code 0 [L20]', async () => {
      expect(await leave(repl)).toBe(0);
    });
  });
});
