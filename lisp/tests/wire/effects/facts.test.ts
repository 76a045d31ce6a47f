/** The facts about an effect. If a fact has changed since the request, the effect does not happen: B1–B5, B7 of the tested attacks. */
import { chmod, readFile, realpath, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Effect } from '#contract/decisions/effect.ts';
import { AGENT, decide } from '../effects.fixture.ts';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';

let image: TestImage;
let folder: string;

beforeEach(async () => {
  image = await openTestImage();
  folder = await realpath(image.directory);
  await writeFile(at('file'), 'old');
});

afterEach(() => image.close());

const at = (name: string): string => path.join(folder, name);
const text = (name: string): Promise<string | null> => readFile(at(name), 'utf8').catch(() => null);
const factsOf = ({ facts }: Effect<'waiting'>): Record<string, string> =>
  Object.fromEntries(facts.map(({ name, value }) => [name, value]));
const sha256 = async (file: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex');

/** Evaluates `code` as an agent, with `@` replaced by the folder. Returns the first effect that is waiting for a decision. */
async function asked(code: string): Promise<{ effect: Effect<'waiting'>; reply: ReturnType<TestImage['evaluate']> }> {
  const reply = image.evaluate(code.replaceAll('@', folder), AGENT);
  return { effect: (await image.next('effect-requested')).effect, reply };
}

/** Approves `effect`. Denies the new request that replaces it, and returns this request. */
async function askedAgain({ effect, reply }: Awaited<ReturnType<typeof asked>>): Promise<Effect<'waiting'>> {
  await decide(image, effect, 'proceed');
  const { effect: again } = await image.next('effect-requested');
  await decide(image, again, 'deny');
  expect((await reply).condition?.type).toBe('LISP-WORKBENCH:EFFECT-DENIED');
  expect(again.effect).not.toBe(effect.effect);
  return again;
}

describe('facts about programs', () => {
  it('The facts of a program are where it is, its digest and that of the scripts that it is given', async () => {
    await writeFile(at('s.sh'), 'echo 1');
    const { effect, reply } = await asked(`(sb-ext:run-program "/bin/sh" '("-c" "sh ./s.sh") :directory "@/")`);
    const program = await realpath('/bin/sh');
    expect(factsOf(effect)).toMatchObject({
      program,
      'program SHA-256': await sha256(program),
      'program size': String((await stat(program)).size),
      'working directory': folder,
      'file ./s.sh': at('s.sh'),
      'file ./s.sh SHA-256': await sha256(at('s.sh')),
    });
    await decide(image, effect, 'deny');
    await reply;
  });

  it('A program is asked for again when its file is another by then', async () => {
    await writeFile(at('prog'), '#!/bin/sh\nexit 0\n');
    await chmod(at('prog'), 0o755);
    const waiting = await asked('(sb-ext:run-program "@/prog" nil)');
    await writeFile(at('prog'), '#!/bin/sh\necho x > ran\n');
    expect(factsOf(await askedAgain(waiting))['program SHA-256']).toBe(await sha256(at('prog')));
    expect(await text('ran')).toBe(null);
  });

  it('A program is asked for again when its script is another by then', async () => {
    await writeFile(at('s.sh'), 'exit 0');
    const waiting = await asked('(sb-ext:run-program "/bin/sh" (list "@/s.sh"))');
    await writeFile(at('s.sh'), 'echo x > "@/ran"'.replace('@', folder));
    await askedAgain(waiting);
    expect(await text('ran')).toBe(null);
  });

  it('A program reads what was shown of its input, whatever the code does to the stream meanwhile', async () => {
    const { effect, reply } = await asked(
      `(let* ((text (copy-seq "echo one > @/ran")) (in (make-string-input-stream text)))
         (defvar *text* text)
         (defvar *in* in)
         (sb-ext:run-program "/bin/sh" nil :input in))`,
    );
    expect(factsOf(effect)).toMatchObject({ 'input from': 'the code itself', input: `echo one > ${folder}/ran` });
    await image.evaluate('(progn (replace *text* "echo two") (file-position *in* 5))');
    await decide(image, effect, 'proceed');
    expect((await reply).status).toBe('ok');
    expect(await text('ran')).toBe('one\n');
  });

  it('The facts of a program tell where else its input comes from, and what its environment lacks', async () => {
    const streams: [string, string][] = [
      [':stream', 'a stream that the code itself writes to while the program runs'],
      ['t', "the image's own standard input"],
      ['"@/file"', at('file')],
      ['(make-concatenated-stream)', 'a stream of the code itself, concatenated-stream'],
    ];
    for (const [input, from] of streams) {
      const { effect, reply } = await asked(
        `(sb-ext:run-program "/bin/cat" nil :wait nil :input ${input} :environment (list "NEW=1"))`,
      );
      expect(factsOf(effect)).toMatchObject({ 'input from': from, environment: 'NEW=1' });
      expect(factsOf(effect)['not in its environment']).toMatch(/\bPATH\b/);
      await decide(image, effect, 'deny');
      await reply;
    }
  });
});

describe('facts about files', () => {
  it('A file that came into being meanwhile is not overwritten', async () => {
    const waiting = await asked('(with-open-file (s "@/new" :direction :output :if-exists :supersede) (print 1 s))');
    expect(waiting.effect.change).toBe('new file');
    await writeFile(at('new'), "the person's");
    expect((await askedAgain(waiting)).change).toBe('overwrites');
    expect(await text('new')).toBe("the person's");
  });

  it('A file that was replaced meanwhile is not deleted', async () => {
    const waiting = await asked('(delete-file "@/file")');
    await writeFile(at('other'), 'new');
    await rename(at('other'), at('file'));
    await askedAgain(waiting);
    expect(await text('file')).toBe('new');
  });

  it('A file whose folder became a link meanwhile is asked for again', async () => {
    await image.evaluate(`(ensure-directories-exist "${folder}/a/")`);
    const waiting = await asked('(with-open-file (s "@/a/new" :direction :output) (print 1 s))');
    await rm(at('a'), { recursive: true });
    await symlink(folder, at('a'));
    expect((await askedAgain(waiting)).path).toBe(at('new'));
    expect(await text('new')).toBe(null);
  });

  it('A file to which something is appended may have grown meanwhile', async () => {
    const { effect, reply } = await asked(
      '(with-open-file (s "@/file" :direction :output :if-exists :append) (write-string "x" s))',
    );
    await writeFile(at('file'), 'older', { flag: 'a' });
    await decide(image, effect, 'proceed');
    expect([(await reply).status, await text('file')]).toEqual(['ok', 'oldolderx']);
  });

  it('An effect on a file is told by the kind of change, which no other kind shares', async () => {
    const changes: [string, string, Record<string, string>][] = [
      ['(open "@/file" :direction :output :if-exists :append)', 'appends', { size: '3' }],
      ['(open "@/file" :direction :output :if-exists :overwrite)', 'changes in place', {}],
      ['(open "@/file" :direction :output :if-exists :supersede)', 'overwrites', {}],
      ['(sb-posix:truncate "@/file" 1)', 'cuts off', { 'new size': '1' }],
      ['(sb-posix:mkfifo "@/pipe" #o600)', 'new pipe', { 'new mode': '600' }],
      ['(sb-posix:chmod "@/file" #o777)', 'mode', { 'new mode': '777' }],
      ['(with-open-file (s "@/file") (sb-posix:fchmod s #o777))', 'mode', { 'new mode': '777' }],
      ['(with-open-file (s "@/file") (sb-posix:fchown s 7 8))', 'owner', { 'new owner': '7:8' }],
      ['(sb-posix:lchown "@/file" 7 8)', 'owner', { 'new owner': '7:8' }],
      ['(sb-posix:utime "@/file" 1 2)', 'times', { 'new times': '1, 2' }],
    ];
    for (const [code, change, facts] of changes) {
      const { effect, reply } = await asked(code);
      expect([code, effect.change]).toEqual([code, change]);
      expect(factsOf(effect)).toMatchObject({ change, ...facts });
      await decide(image, effect, 'deny');
      await reply;
    }
  });
});

describe('facts about systems', () => {
  it('A system that code made in the image is told from one that stands in a file', async () => {
    await writeFile(at('shop.asd'), '(defsystem "shop" :perform (load-op (o c) (delete-file "file")))');
    const made = `(asdf:defsystem "alexandria-utils" :perform (asdf:load-op (o c) (delete-file "@/file")))`;
    for (const [code, file] of [
      [`(progn ${made} (asdf:load-system "alexandria-utils"))`, null],
      ['(progn (asdf:load-asd "@/shop.asd") (asdf:load-system "shop"))', at('shop.asd')],
    ] as const) {
      const { effect, reply } = await asked(code);
      expect([effect.operator, effect.systemFile]).toEqual(['DELETE-FILE', file]);
      await decide(image, effect, 'abort');
      await reply;
    }
  });
});

describe('program that is run', () => {
  it('A program is found where its own environment and folder say, and is the one that was shown', async () => {
    for (const name of ['evil', 'work']) {
      await image.evaluate(`(ensure-directories-exist "${folder}/${name}/")`);
      await writeFile(at(`${name}/tool`), `#!/bin/sh\necho ${name} "$@" > "${folder}/ran"\n`);
      await chmod(at(`${name}/tool`), 0o755);
    }
    for (const [code, program] of [
      [
        `(sb-ext:run-program "tool" '("1") :search t :environment (list "PATH=@/none:@/evil:@/work" "PATH=@/work"))`,
        'evil',
      ],
      [`(sb-ext:run-program "tool" '("1") :search t :env '((:path . "@/work")))`, 'work'],
      [`(sb-ext:run-program "tool" '("1") :search t :directory "@/work/" :environment '("PATH=:/usr/bin"))`, 'work'],
      [`(sb-ext:run-program "evil/tool" '("1") :directory "@/")`, 'evil'],
      [
        `(let ((*default-pathname-defaults* #p"/usr/")) (sb-ext:run-program "./tool" '("1") :directory "@/evil/"))`,
        'evil',
      ],
    ] as const) {
      await rm(at('ran'), { force: true });
      const { effect, reply } = await asked(code);
      expect([code, factsOf(effect)['program']]).toEqual([code, at(`${program}/tool`)]);
      expect(factsOf(effect)['program SHA-256']).toBe(await sha256(at(`${program}/tool`)));
      await decide(image, effect, 'proceed');
      expect((await reply).condition?.message).toBe(undefined);
      expect([code, await text('ran')]).toEqual([code, `${program} 1\n`]);
    }
  });

  it('A program is not asked for where there is none', async () => {
    const reply = await image.evaluate(`(sb-ext:run-program "no-such-tool" nil :search t)`, AGENT);
    expect(reply.condition?.message).toMatch(/Couldn't execute "no-such-tool"/);
  });

  it.each([
    ['a hook on its status', `:status-hook (lambda (p) (declare (ignore p)) @AGAIN)`],
    ['a stream of the code that takes its output', `:output (make-instance 'calling :again (lambda () @AGAIN))`],
  ])('A program is asked for again within %s, whatever it has in common', async (_, option) => {
    await image.evaluate(
      `(progn (defclass calling (sb-gray:fundamental-character-output-stream) ((again :initarg :again :reader again)))
              (defmethod sb-gray:stream-line-column ((s calling)) nil)
              (defmethod sb-gray:stream-write-char ((s calling) c) (declare (ignore c)) (funcall (again s)))
              (defmethod sb-gray:stream-write-string ((s calling) string &optional a b) (declare (ignore string a b)) (funcall (again s)))
              (defmethod sb-gray:stream-line-length ((s calling)) 80))`,
    );
    const again = `(ignore-errors (sb-ext:run-program "/bin/sh" '("-c" "echo 1; $EXTRA") :environment '("EXTRA=touch ${folder}/ran2")))`;
    const { effect, reply } = await asked(
      `(sb-ext:run-program "/bin/sh" '("-c" "echo 1; $EXTRA") ${option.replace('@AGAIN', again)})`,
    );
    image.image.events.on('event', (event) => {
      if (event.event === 'effect-requested') void decide(image, event.effect, 'deny');
    });
    await decide(image, effect, 'proceed');
    await reply;
    expect(await text('ran2')).toBe(null);
  });

  it('A program is told with what it is given besides, each entry on a line of its own', async () => {
    const { effect, reply } = await asked(
      `(with-open-file (s "@/file")
         (sb-ext:run-program "/bin/true" nil :preserve-fds (vector (sb-posix:file-descriptor s))
           :environment (list (format nil "A=1~%PATH=/usr/bin"))))`,
    );
    expect(factsOf(effect)).toMatchObject({
      'keeps open': expect.stringContaining(at('file')),
      environment: 'A=1\\nPATH=/usr/bin',
    });
    await decide(image, effect, 'deny');
    await reply;
  });

  it('A program is not given the connection with the workbench', async () => {
    for (const descriptors of ["'(4)", '#(0 3)', '(make-array 1 :element-type t :initial-element 4)']) {
      const { condition } = await image.evaluate(
        `(sb-ext:run-program "/bin/true" nil :preserve-fds ${descriptors})`,
        AGENT,
      );
      expect([descriptors, condition?.message]).toEqual([
        descriptors,
        expect.stringContaining('Code must not use the connection'),
      ]);
    }
  });

  it('A program is said to lead to what cannot be compared, where its arguments are text or too many', async () => {
    const many = Array.from({ length: 21 }, (_, index) => `"@/f${index}"`);
    await Promise.all(many.map((_, index) => writeFile(at(`f${index}`), '')));
    for (const [code, untold] of [
      [`(sb-ext:run-program "/bin/sh" '("-c" "cd x; sh s.sh"))`, 'paths inside its arguments'],
      [`(sb-ext:run-program "/bin/cat" (list ${many.join(' ')}))`, '1 more files among its arguments'],
      [`(sb-ext:run-program "/bin/cat" (list "@/f1" "-n"))`, undefined],
    ] as const) {
      const { effect, reply } = await asked(code);
      expect(factsOf(effect)['not compared']).toBe(untold);
      await decide(image, effect, 'deny');
      await reply;
    }
  });

  it('A program that is sent a signal is told from its whole group', async () => {
    const { effect, reply } = await asked(
      `(let ((p (sb-ext:run-program "/bin/sleep" '("1000") :wait nil))) (unwind-protect (sb-ext:process-kill p 15 :process-group) nil))`,
    );
    await decide(image, effect, 'proceed');
    const { effect: signal } = await image.next('effect-requested');
    expect([signal.target, factsOf(signal)['reaches']]).toEqual([
      expect.stringMatching(/^signal 15 to process group \d+$/),
      'every process in the group, including those that the program started',
    ]);
    await decide(image, signal, 'proceed');
    expect((await reply).status).toBe('ok');
  });
});
