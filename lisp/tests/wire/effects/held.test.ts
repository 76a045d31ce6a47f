/** What was compared is what runs, while somebody exchanges files all the time: programs, scripts, input and libraries. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Effect } from '#contract/effect.ts';
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

/** Approves what is shown with the digest `good` and denies everything else; gives what was approved. */
function approve(good: string): Effect<'waiting'>[] {
  const approved: Effect<'waiting'>[] = [];
  image.image.events.on('event', (event) => {
    if (event.event !== 'effect-requested') return;
    const isGood = event.effect.facts.some(({ name, value }) => /^(program|file|input|library)\b.* SHA-256$/.test(name) && value === good);
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
  /** The call, in which `@file` stands for the file that is exchanged. */
  readonly call: string;
  /** True when the evil one ran. */
  readonly ran?: string;
}

/** Two scripts of the same length. */
const scripts = () => {
  const evil = `#!/bin/sh\n: > ${at('ran')}\n`;
  return { evil, good: `${'#!/bin/sh\nexit 0 #'.padEnd(evil.length - 1, '-')}\n` };
};

const RACES: [string, () => Promise<Race>][] = [
  ['a script that is the program', async () => ({ ...scripts(), call: '(sb-ext:run-program "@file" nil)' })],
  ['a script that a shell is given', async () => ({ ...scripts(), call: '(sb-ext:run-program "/bin/sh" (list "@file"))' })],
  ['the standard input of a shell', async () => ({ ...scripts(), call: '(sb-ext:run-program "/bin/sh" nil :input "@file")' })],
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
    `(progn (sb-posix:rename file good) (sb-posix:rename evil file) (sb-posix:rename file evil) (sb-posix:rename good file))`,
  ],
  [
    'writes another into it',
    `(dolist (octets (list evil-octets good-octets))
       (with-open-file (s file :direction :output :if-exists :overwrite :element-type '(unsigned-byte 8)) (write-sequence octets s)))`,
  ],
];

describe.each(EXCHANGES)('what is approved while a thread %s', (_how, exchange) => {
  it.each(RACES)('The program that runs has %s as it was shown [issue 34.2]', async (_what, race) => {
    const { call, ran, ...contents } = await race();
    const length = Math.max(contents.good.length, contents.evil.length);
    const [good, evil] = [contents.good, contents.evil].map((content) => {
      const padded = Buffer.alloc(length);
      Buffer.from(content).copy(padded);
      return padded;
    }) as [Buffer, Buffer];
    for (const [name, content] of [['good', good], ['evil', evil]] as const) await writeFile(at(name), content);
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
              (file (concatenate 'string folder "file")) (evil (concatenate 'string folder "evil")) (good (concatenate 'string folder "spare"))
              (good-octets (octets "${at('good')}")) (evil-octets (octets "${at('evil')}")))
         (put good-octets file)
         (put evil-octets evil)
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
    if (ran) expect(await image.value(ran)).toBe('NIL');
    expect(Number(reply.values?.[0]?.text)).toBeGreaterThan(0);
    expect(approved.length).toBeGreaterThan(0);
    expect((await readdir(at('tmp'))).filter((name) => name.includes('held'))).toEqual([]);
  });
});
void [spawn, once, chmod, copyFile, decideAll, factsOf];
