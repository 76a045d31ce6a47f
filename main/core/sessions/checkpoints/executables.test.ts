import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestSession, type TestSession } from '../session.fixture.ts';

let test: TestSession;
/** The path of a program whose entry point is MAIN. */
let greeter: string;

beforeAll(async () => {
  test = await openTestSession({ checkpoints: true });
  await test.say(`(defpackage :greeter (:use :cl)) (in-package :greeter)
    (defvar *seen* (make-hash-table)) (setf (gethash :guests *seen*) '(ada grace))
    (defun greet () (format t "Hello ~{~(~A~)~^ and ~}, said ~S~%" (gethash :guests *seen*) (rest sb-ext:*posix-argv*)))
    (defun fail () (error "No guests"))
    (defun wait-long () (write-line "waiting") (finish-output) (sleep 100))
    (defun write-it () (with-open-file (out "made.txt" :direction :output) (write-line "made" out))
                       (sb-ext:run-program "/bin/rm" '("made.txt")))
    (defun write-files ()
      (let ((streams (loop for name in '("first.txt" "second.txt" "third.txt") collect (open name :direction :output))))
        (dolist (stream streams) (write-line "text" stream) (finish-output stream))
        (sb-ext:exit :abort t)))
    (defun main ()
      (let ((word (second sb-ext:*posix-argv*)))
        (cond ((equal word "fail") (fail)) ((equal word "wait") (wait-long)) ((equal word "write") (write-it))
              ((equal word "files") (write-files)) (t (greet)))))
    (defun named (name) name)
    (defmacro shout () nil)`);
  greeter = await saved('greeter', 'main');
});

afterAll(() => test.close());

const at = (name: string): string => path.join(test.directory, name);

async function saved(name: string, call: string | null): Promise<string> {
  await test.session.saveExecutable({ file: at(name), function: call, package: 'GREETER', hooks: [] });
  return at(name);
}

interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

async function ended(program: string, args: string[] = []): Promise<Ended> {
  try {
    return { ...(await promisify(execFile)(program, args, { cwd: test.directory })), code: 0 };
  } catch (error) {
    return error as Ended;
  }
}

describe('an image as an executable', () => {
  it('A program calls its function with the whole command line, and has the objects of the image', async () => {
    expect(statSync(greeter).mode & 0o111).not.toBe(0);
    const { stdout, code } = await ended(greeter, ['--version', 'x y']);
    expect([stdout, code]).toEqual(['Hello ada and grace, said ("--version" "x y")\n', 0]);
    expect(await test.say('(gethash :guests greeter::*seen*)')).toBe('(ADA GRACE) T');
  });

  it('A program ends with code 1 and a backtrace after an unhandled error', async () => {
    const { stderr, code } = await ended(greeter, ['fail']);
    expect(code).toBe(1);
    expect(stderr).toContain('No guests');
    expect(stderr).toMatch(/GREETER::FAIL/);
  });

  it('A program asks nobody before it writes files and runs programs', async () => {
    const { stderr, code } = await ended(greeter, ['write']);
    expect([stderr, code]).toEqual(['', 0]);
    expect(existsSync(at('made.txt'))).toBe(false);
  });

  it('A program that is interrupted by Ctrl+C ends as shells expect it', async () => {
    const running = execFile(greeter, ['wait']);
    const code = new Promise((resolve) => running.on('exit', resolve));
    running.stdout!.once('data', () => running.kill('SIGINT'));
    expect(await code).toBe(130);
  });

  it('A program writes nothing of its own into the files that it has open when it exits', async () => {
    const { stderr } = await ended(greeter, ['files']);
    expect(stderr).toBe('');
    expect(['first', 'second', 'third'].map((name) => readFileSync(at(`${name}.txt`), 'utf8'))).toEqual(
      Array(3).fill('text\n'),
    );
  });

  it('Without a function a program has the debugger of SBCL', async () => {
    const program = await saved('debugged', null);
    const running = execFile(program, ['--noinform', '--no-userinit']);
    const output = text(running.stdout!);
    running.stdin!.end('(car 1)\n');
    expect(await output).toMatch(/0: \[ABORT\] Exit debugger, returning to top level\.[^]*\(CAR 1\)/);
  });

  it('Without a function a program is SBCL with all that was loaded, its options and its debugger', async () => {
    const program = await saved('lisp', null);
    const { stdout } = await ended(program, [
      '--noinform',
      '--no-userinit',
      '--eval',
      '(progn (print (list (package-name *package*) (gethash :guests greeter::*seen*) sb-ext:*invoke-debugger-hook*)) (terpri))',
      '--quit',
    ]);
    expect(stdout.trim()).toBe('("COMMON-LISP-USER" (GREETER::ADA GREETER::GRACE) NIL)');
    const failed = await ended(program, ['--non-interactive', '--eval', '(car 1)']);
    expect([failed.code, failed.stderr.includes('The value')]).toEqual([1, true]);
  });

  it.each([
    ['nothing-of-this-name', 'There is no function nothing-of-this-name.'],
    ['shout', 'shout is not a function.'],
    ['named', 'named cannot be called without arguments.'],
    ['(setf car)', 'There is no function (setf car).'],
  ])('A program cannot begin with %s', async (call, reason) => {
    await expect(saved('no', call)).rejects.toThrow(reason);
    expect(existsSync(at('no'))).toBe(false);
  });

  it('A program that cannot be written is told, and leaves what was there', async () => {
    writeFileSync(at('kept'), 'text');
    await expect(saved('kept/inside', 'main')).rejects.toThrow(`${at('kept')} is not a writable folder.`);
    await expect(saved('nowhere/program', 'main')).rejects.toThrow(`${at('nowhere')} is not a writable folder`);
    expect((await readdir(test.directory)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});
