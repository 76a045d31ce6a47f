/**
 * Programs, scripts, input and libraries run with the content that was compared, even while another process continually swaps their files.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Effect } from '#contract/decisions/effect.ts';
import { AGENT, decide, decideAll } from '../effects.fixture.ts';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';

let image: TestImage;
let folder: string;

beforeEach(async () => {
  const base = await mkdtemp(path.join(tmpdir(), 'held-'));
  folder = await realpath(base);
  await mkdir(at('tmp'));
  image = await openTestImage({ environment: { TMPDIR: at('tmp') } });
});

afterEach(async () => {
  await image.close();
  await rm(folder, { recursive: true });
});

const at = (name: string): string => path.join(folder, name);
const digest = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');
const factsOf = ({ facts }: Effect<'waiting'>): Record<string, string> =>
  Object.fromEntries(facts.map(({ name, value }) => [name, value]));

/** Approves effects that show the digest of `good`, and denies all others. Returns the approved effects. */
function approve(good: string): Effect<'waiting'>[] {
  const approved: Effect<'waiting'>[] = [];
  image.image.events.on('event', (event) => {
    if (event.event !== 'effect-requested') return;
    const isGood = event.effect.facts.some(
      ({ name, value }) => /^(program|file|input|library)\b.* SHA-256$/.test(name) && value === good,
    );
    if (isGood) approved.push(event.effect);
    decide(image, event.effect, isGood ? 'proceed' : 'deny').catch(() => {});
  });
  return approved;
}

async function library(name: string): Promise<Buffer> {
  for (const place of ['/lib/x86_64-linux-gnu', '/lib/aarch64-linux-gnu', '/lib64', '/usr/lib'])
    if (existsSync(path.join(place, name))) return readFile(path.join(place, name));
  throw new Error(`This system has no ${name}.`);
}

interface Race {
  readonly good: string | Buffer;
  readonly evil: string | Buffer;
  /** The call of the operator. `@file` stands for the swapped file. */
  readonly call: string;
  /** A form that is true if the code of the wrong file ran. */
  readonly ran?: string;
}

/** Returns two scripts of equal length. */
const scripts = () => {
  const evil = `#!/bin/sh\n: > ${at('ran')}\n`;
  return { evil, good: `${'#!/bin/sh\nexit 0 #'.padEnd(evil.length - 1, '-')}\n` };
};

const RACES: [string, () => Promise<Race>][] = [
  ['a script that is the program', async () => ({ ...scripts(), call: '(sb-ext:run-program "@file" nil)' })],
  [
    'a script that a shell is given',
    async () => ({ ...scripts(), call: '(sb-ext:run-program "/bin/sh" (list "@file"))' }),
  ],
  [
    'the standard input of a shell',
    async () => ({ ...scripts(), call: '(sb-ext:run-program "/bin/sh" nil :input "@file")' }),
  ],
  [
    'a program of machine code',
    async () => ({
      good: await readFile('/bin/true'),
      evil: await readFile('/usr/bin/touch'),
      call: '(sb-ext:run-program "@file" (list "@ran"))',
    }),
  ],
  [
    'a library',
    async () => ({
      good: await library('libBrokenLocale.so.1'),
      evil: await library('libresolv.so.2'),
      call: '(load-shared-object "@file")',
      ran: '(sb-sys:find-foreign-symbol-address "ns_format_ttl")',
    }),
  ],
];

const EXCHANGES: [string, string][] = [
  [
    'renames another over it',
    `(dolist (octets (list evil-octets good-octets)) (put octets spare) (sb-posix:rename spare file))`,
  ],
  [
    'writes another into it',
    `(dolist (octets (list evil-octets good-octets))
       (with-open-file (s file :direction :output :if-exists :overwrite :element-type '(unsigned-byte 8)) (write-sequence octets s)))`,
  ],
];

describe.each(EXCHANGES)('what is approved while a thread %s', (_how, exchange) => {
  it.each(RACES)('The program that runs has %s as it was shown [issue 34.2]', async (_what, race) => {
    const { call, ran = 'nil', ...contents } = await race();
    const length = Math.max(contents.good.length, contents.evil.length);
    const [good, evil] = [contents.good, contents.evil].map((content) => {
      const padded = Buffer.alloc(length);
      Buffer.from(content).copy(padded);
      return padded;
    }) as [Buffer, Buffer];
    for (const [name, content] of [
      ['good', good],
      ['evil', evil],
    ] as const)
      await writeFile(at(name), content);
    const approved = approve(digest(good));
    await image.evaluate(
      `(defun octets (file)
         (with-open-file (s file :element-type '(unsigned-byte 8))
           (let ((octets (make-array (file-length s) :element-type '(unsigned-byte 8)))) (read-sequence octets s) octets)))
       (defun put (octets file)
         (with-open-file (s file :direction :output :element-type '(unsigned-byte 8)) (write-sequence octets s))
         (sb-posix:chmod file #o755))`,
      AGENT,
    );
    const reply = await image.evaluate(
      `(let* ((folder (namestring (lisp-workbench:temporary-directory))) (stop nil) (runs 0)
              (file (concatenate 'string folder "file")) (spare (concatenate 'string folder "spare"))
              (good-octets (octets "${at('good')}")) (evil-octets (octets "${at('evil')}")))
         (put good-octets file)
         (let ((thread (sb-thread:make-thread (lambda () (loop until stop do (ignore-errors ${exchange}))))))
           (unwind-protect
                (loop repeat 1000 until (= runs 20)
                      do (handler-case (progn ${call.replace('"@file"', 'file').replace('@ran', at('ran'))} (incf runs))
                           (error () nil)))
             (setf stop t)
             (sb-thread:join-thread thread)))
         runs)`,
      AGENT,
    );
    expect(reply.condition).toBe(null);
    expect(existsSync(at('ran'))).toBe(false);
    expect(await image.value(ran)).toBe('NIL');
    expect(Number(reply.values?.[0]?.text)).toBeGreaterThan(0);
    expect(approved.length).toBeGreaterThan(0);
    expect((await readdir(at('tmp'))).filter((name) => name.includes('held'))).toEqual([]);
  });
});

/** Runs a program as an agent and approves it. Returns the program's output and the facts of the card. */
async function run(call: string): Promise<{ out: string; facts: Record<string, string> }> {
  const reply = image.evaluate(
    `(with-output-to-string (s) (sb-ext:run-program ${call.replaceAll('@', folder)} :output s :error s))`,
    AGENT,
  );
  const { effect } = await image.next('effect-requested');
  await decide(image, effect, 'proceed');
  const { values, condition } = await reply;
  expect(condition).toBe(null);
  return { out: values[0]!.text, facts: factsOf(effect) };
}

async function put(name: string, content: string | Buffer): Promise<void> {
  await writeFile(at(name), content);
  await chmod(at(name), 0o755);
}

describe('programs that are held', () => {
  it('A program of machine code has its own name, and finds itself where it is [issue 34.2]', async () => {
    await put('mysh', await readFile('/bin/sh'));
    const { out, facts } = await run(`"@/mysh" '("-c" "echo $0; readlink /proc/$$/exe; cat /proc/$$/comm")`);
    expect(out).toBe(`"${at('mysh')}\n${at('mysh')}\nmysh\n"`);
    expect(facts).toMatchObject({ program: at('mysh'), 'program SHA-256': digest(await readFile('/bin/sh')) });
  });

  it('A script has its arguments, and its interpreter that of the first line [issue 34.2]', async () => {
    await put('args', '#!/bin/sh -eu\necho "$- $# $1 $2"\n');
    const { out, facts } = await run(`"@/args" '("a b" "--c")`);
    expect(out).toMatch(/^"(eu|ue) 2 a b --c\n"$/);
    expect(facts).toMatchObject({ program: at('args'), interpreter: await realpath('/bin/sh') });
    expect(facts).not.toHaveProperty('looked up by name');
  });

  it('A script that looks for files beside itself finds them, and the card says that it is looked up by name [issue 34.2]', async () => {
    await writeFile(at('beside'), 'found');
    await put('self', '#!/bin/sh\ncd "$(dirname "$0")" && cat beside\n');
    for (const call of [`"@/self" nil :directory "/"`, `"/bin/sh" '("@/self") :directory "/"`]) {
      const { out, facts } = await run(call);
      expect(out).toBe('"found"');
      expect(facts['looked up by name']).toMatch(/self: the file could be replaced/);
    }
  });

  it('A script of another interpreter finds its modules, also where the interpreter is large [issue 34.2]', async () => {
    await writeFile(at('beside.cjs'), 'module.exports = "module";');
    await writeFile(at('main.cjs'), 'console.log(require("./beside.cjs"));');
    const { out } = await run(`"${process.execPath}" '("@/main.cjs") :environment '("ELECTRON_RUN_AS_NODE=1")`);
    expect(out).toBe('"module\n"');
  });

  it('An interpreter in the project is held as well [issue 34.2]', async () => {
    await put('mysh', await readFile('/bin/sh'));
    await put('script', `#!${at('mysh')}\nreadlink /proc/$$/exe\n`);
    const { out, facts } = await run(`"@/script" nil`);
    expect(out).toBe(`"${at('mysh')}\n"`);
    expect(facts).toMatchObject({ interpreter: at('mysh'), 'interpreter SHA-256': digest(await readFile('/bin/sh')) });
  });

  it('A program is given the files that it works on, not copies, and the card says that they are looked up by name [issue 34.2]', async () => {
    await writeFile(at('notes'), 'text');
    const { facts } = await run(`"/bin/rm" '("@/notes")`);
    expect(existsSync(at('notes'))).toBe(false);
    expect(facts['looked up by name']).toMatch(`${at('notes')}: the file could be replaced`);
  });

  it('A script that is not waited for is whole until it ends, and nobody can write to its copy [issue 34.2]', async () => {
    decideAll(image, 'proceed');
    await image.evaluate('(defvar *process*) (defvar *copy*)');
    await put('slow', '#!/bin/sh\necho "$*" "$(ps -o args= $$)"\nread line\necho "got $line"\n');
    const started = await image.evaluate(
      `(progn (setf *process* (sb-ext:run-program "${at('slow')}" '("x") :wait nil :input :stream :output :stream))
              (setf *copy* (car (last (uiop:split-string (read-line (sb-ext:process-output *process*))) 2))))`,
      AGENT,
    );
    expect(started.condition).toBe(null);
    expect(await image.value('*copy*')).toMatch(/-held-\w+\/\d+\/slow"$/);
    await rm(at('slow'));
    for (const change of [
      '(open *copy* :direction :output :if-exists :append)',
      '(delete-file *copy*)',
      '(sb-posix:rename "/dev/null" *copy*)',
      '(sb-posix:chmod *copy* #o777)',
    ])
      expect((await image.evaluate(change, AGENT)).condition?.type).toBe('LISP-WORKBENCH:EFFECT-DENIED');
    const ended = await image.value(
      `(let ((in (sb-ext:process-input *process*)))
         (write-line "a line" in) (finish-output in)
         (prog1 (read-line (sb-ext:process-output *process*)) (sb-ext:process-wait *process*)))`,
      AGENT,
    );
    expect(ended).toBe('"got a line"');
    await image.evaluate('(sb-ext:run-program "/bin/true" nil)', AGENT);
    expect((await readdir(at('tmp'))).filter((name) => name.includes('held'))).toEqual([]);
  });

  it('What is not there when the call is made is not run when it comes to be there [issue 34.2]', async () => {
    const reply = image.evaluate(
      `(progn (defvar *stop* nil)
              (let ((file (format nil "~Ainput" (lisp-workbench:temporary-directory))))
                (sb-ext:run-program "/bin/cat" nil :input file :output "${at('out')}" :if-input-does-not-exist nil)))`,
      AGENT,
    );
    const { effect } = await image.next('effect-requested');
    await decide(image, effect, 'proceed');
    expect((await reply).condition).toBe(null);
    expect(existsSync(at('out'))).toBe(false);
  });

  it('A shell is not given a script that was not there when it was compared [issue 34.2]', async () => {
    const { out } = await run(`"/bin/sh" '("@/later.sh")`);
    expect(out).toMatch(/held-\w+\/0\/later\.sh/);
  });

  it('A script whose shell is found by env finds itself by the words of that shell [issue 34.2]', async () => {
    await mkdir(at('bin'));
    await put('bin/words', '#!/usr/bin/env sh\necho other bin\n');
    await put('bin/other', '');
    const { out, facts } = await run(`"@/bin/words" nil`);
    expect(out).toBe('"other bin\\n"'.replaceAll('\\n', '\n'));
    expect(facts).not.toHaveProperty('looked up by name');
  });
});

describe('while a program beside the image exchanges files of the project', () => {
  it('The program, its script and its input are those that were shown [issue 34.2]', async () => {
    const { good, evil } = scripts();
    for (const name of ['prog', 'good']) await put(name, good);
    await put('evil', evil);
    const approved = approve(digest(good));
    const racer = spawn(
      '/bin/sh',
      ['-c', 'while :; do cp evil e; mv e prog; cat good > prog; cat evil > prog; cp good g; mv g prog; done'],
      {
        cwd: folder,
        stdio: 'ignore',
      },
    );
    try {
      const reply = await image.evaluate(
        `(let ((runs 0))
           (loop repeat 300 until (= runs 15)
                 do (dolist (call (list (list "${at('prog')}" nil) (list "/bin/sh" '("${at('prog')}")) (list "/bin/sh" nil :input "${at('prog')}")))
                      (handler-case (progn (apply #'sb-ext:run-program call) (incf runs)) (error () nil))))
           runs)`,
        AGENT,
      );
      expect(Number(reply.values?.[0]?.text)).toBeGreaterThan(0);
      expect(approved.length).toBeGreaterThan(0);
      expect(existsSync(at('ran'))).toBe(false);
    } finally {
      racer.kill('SIGKILL');
      await once(racer, 'exit');
    }
  });
});
