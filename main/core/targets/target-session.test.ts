import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PERSON } from '#contract/clients/known-actors.ts';
import { groupOf, runs } from '#core/lisp/process.ts';
import { mountSmallDisk } from '#core/settings/small-disk.fixture.ts';
import { invokeRestart } from '#core/sessions/debugging.ts';
import { AGENT } from '#core/sessions/session.fixture.ts';
import { ended, until } from './processes.fixture.ts';
import { CACHE_THERE, commandTarget, FAR_GUARD_MS, openTargetSession, type TargetSession } from './targets.fixture.ts';

let folder: string;
let test: TargetSession;

/** The target's project folder differs from the local one. The target's login shell prints something before the script begins. */
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'target there '));
  const noisy = path.join(folder, 'noisy');
  await writeFile(noisy, '#!/bin/sh\nprintf "Welcome to devbox\\nno newline at the end of this"\nexec "$@"\n');
  await chmod(noisy, 0o755);
  await writeFile(path.join(folder, 'shop.asd'), '(defsystem "shop" :components ((:file "cart")))');
  await writeFile(path.join(folder, 'cart.lisp'), '(defun cart-total () 42)\n');
  test = await openTargetSession(
    commandTarget({ place: `"${noisy}" env XDG_CACHE_HOME=${CACHE_THERE}`, directory: folder }),
  );
  await test.session.start();
}, FAR_GUARD_MS);

afterAll(async () => {
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

const turn = () => ({ evaluation: randomUUID(), actor: PERSON, context: PERSON.id });

describe('An image behind a command', { timeout: FAR_GUARD_MS }, () => {
  it('Evaluates in the folder there, with its output in both streams and values of any size', async () => {
    const { session, say, evaluate, changes } = test;
    expect(session.view()).toMatchObject({ state: 'idle', target: 'devbox', sandbox: null, problem: null });
    expect(session.view().pid).toBe(Number(await say('(sb-posix:getpid)')));
    expect(changes[0]!.summary).toMatch(/^SBCL \S+ on the target devbox$/);
    expect(await say('(sb-posix:getcwd)')).toBe(`"${folder}"`);
    expect(await say('(sb-posix:getenv "LISP_WORKBENCH_RUN_CORES")')).toBe('NIL');
    const { output } = await evaluate('(progn (princ "out é") (princ "err" *error-output*))');
    expect(output).toMatchObject([
      { stream: 'stdout', text: 'out é' },
      { stream: 'stderr', text: 'err' },
    ]);
    expect((await say('(make-string 150000 :initial-element #\\λ)')).length).toBe(150_002);
  });

  it('Keeps what a login shell or a banner says before the image is there out of the first evaluation', async () => {
    const banner = path.join(folder, 'banner');
    await writeFile(banner, '#!/bin/sh\necho Authorized use only >&2\nexec "$@"\n');
    await chmod(banner, 0o755);
    const place = `"${banner}" env XDG_CACHE_HOME=${CACHE_THERE}`;
    const { session, evaluate, close } = await openTargetSession(commandTarget({ place, directory: folder }));
    try {
      const heard: string[] = [];
      session.events.on('output', ({ stream, text }) => stream === 'process' && heard.push(text));
      await evaluate('(run-program "/bin/sh" (list "-c" "echo mine >&2") :error t)');
      // Output of the process may arrive after the answer, because it uses another channel.
      await expect.poll(() => heard.join('')).toBe('mine\n');
    } finally {
      await close();
    }
  });

  it('Offers the restarts of an error, and stops what does not end', async () => {
    const { session, evaluate } = test;
    const entering = new Promise<string>((resolve) => {
      const stop = session.events.on('debugger-entered', ({ id }) => (stop(), resolve(id)));
    });
    const said = evaluate('(+ 1 (restart-case (error "stop") (use-one () 1)))', { onError: 'debug' });
    const debugger_ = await entering;
    const restart = session.debugger(debugger_).restarts.find(({ name }) => name === 'USE-ONE')!;
    await invokeRestart(session, { debugger: debugger_, restart: restart.index, arguments: [] });
    expect((await said).report.values[0]!.text).toBe('2');
    const begun = new Promise<void>((resolve) => {
      const stop = session.events.on('output', ({ text }) => text.includes('on') && (stop(), resolve()));
    });
    const looping = evaluate('(progn (princ "on") (finish-output) (loop))');
    await begun;
    await session.interrupt(null);
    expect((await looping).report.status).toBe('interrupted');
  });

  it('Compiles a text whose file is only here, and leads to its definition by the name that it has here', async () => {
    const { session, project } = test;
    const find = (symbol: string) => session.lookUp('find-definition', { context: PERSON.id, package: null, symbol });
    for (const file of [path.join(project, 'only-here.lisp'), '/elsewhere/outside.lisp']) {
      const name = path.basename(file, '.lisp');
      await session.compileText({
        ...turn(),
        text: `(defun ${name} () 1)`,
        package: null,
        source: { file, offset: 0, line: 1 },
        title: 'compile',
      });
      expect((await find(name)).definitions[0]!.source).toMatchObject({ file });
    }
    expect(
      (await find('asdf:find-system')).definitions.every(({ source }) => !source || source.file.startsWith('devbox:/')),
    ).toBe(true);
  });

  it('Loads a system of the folder there, and tells its files by the names that they have here', async () => {
    const { session, say, project } = test;
    const { reply } = await session.loadSystem({ ...turn(), system: 'shop' });
    expect(reply).toMatchObject({ status: 'ok', result: { name: 'shop' } });
    expect(await say('(cart-total)')).toBe('42');
    const { definitions } = await session.lookUp('find-definition', {
      context: PERSON.id,
      package: null,
      symbol: 'cart-total',
    });
    expect(definitions[0]!.source).toMatchObject({ file: path.join(project, 'cart.lisp'), line: 1 });
    await expect(
      session.run(
        'compile-file',
        turn(),
        { file: '/elsewhere/a.lisp', load: true, externalFormat: null, output: null },
        'c',
      ),
    ).resolves.toMatchObject({
      reply: {
        status: 'lost',
        condition: { message: expect.stringContaining('is on this machine, outside the project') },
      },
    });
  });

  it('Goes back to a checkpoint, and after a crash to the one before, and leaves no process when it ends', async () => {
    const own = await openTargetSession(commandTarget({ directory: folder }), { checkpoints: true });
    const { session, say, changes, close } = own;
    try {
      await say('(defvar *kept* 1)');
      const first = session.view().pid!;
      const { id } = await session.checkpoint('here', PERSON);
      await say('(setf *kept* 2)');
      await session.rewind(id, PERSON);
      expect(await say('*kept*')).toBe('1');
      await ended(first);
      await say('(defun mine () :mine)', { actor: AGENT });
      await say('(sb-posix:kill (sb-posix:getpid) sb-posix:sigkill)', { actor: AGENT });
      expect(await say('(mine)')).toBe(':MINE');
      expect(changes.some(({ change }) => change === 'rewound')).toBe(true);
      const pids = processesIn(session.view().pid!);
      expect(pids.length).toBeGreaterThan(1);
      await session.dispose();
      for (const pid of pids) await ended(pid);
    } finally {
      await close();
    }
  });

  it('Is lost with its definitions, which come back, when its process is killed; two at one target live side by side', async () => {
    const { session, say, changes, close } = await openTargetSession(commandTarget({ directory: folder }));
    try {
      await say('(defun lost-one () 1)');
      expect(session.view().pid).not.toBe(test.session.view().pid);
      process.kill(session.view().pid!, 'SIGKILL');
      await until(() => changes.some(({ change }) => change === 'ended'));
      expect(changes.find(({ change }) => change === 'ended')!.summary).toBe('The image was ended by SIGKILL.');
      expect(await say('(fboundp (quote lost-one))')).toBe('NIL');
      await session.replay();
      expect(await say('(lost-one)')).toBe('1');
      expect(await test.say('(+ 1 2)')).toBe('3');
    } finally {
      await close();
    }
  });

  it('Says no exit code of a checkpoint that went on as the image and was killed with all others', async () => {
    const own = await openTargetSession(commandTarget({ directory: folder }), { checkpoints: true });
    const { session, say, changes, close } = own;
    try {
      await say('(defvar *kept* 1)');
      const { id } = await session.checkpoint('here', PERSON);
      await session.rewind(id, PERSON);
      const live = session.view().pid!;
      const isLisp = (pid: number): boolean => readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('sbcl');
      for (const pid of [...processesIn(live).filter((each) => each !== live && isLisp(each)), live])
        process.kill(pid, 'SIGKILL');
      await until(() => changes.some(({ change }) => change === 'ended'));
      expect(changes.find(({ change }) => change === 'ended')!.summary).toBe(
        'The image ended without a message, possibly by SIGKILL.',
      );
      expect(await say('(boundp (quote *kept*))')).toBe('NIL');
    } finally {
      await close();
    }
  });

  it('Ends for good although its code can be neither interrupted nor heard', async () => {
    const { session, say, close } = await openTargetSession(commandTarget({ directory: folder }));
    try {
      await session.start();
      const pid = session.view().pid!;
      await session.checkpoint('here', PERSON);
      const pids = processesIn(pid);
      void say('(sb-sys:without-gcing (loop (make-list 1000)))').catch(() => {});
      await until(() => session.underway.length > 0);
      await session.dispose();
      for (const each of pids) await ended(each);
      expect(pids).toContain(pid);
    } finally {
      await close();
    }
  });

  it('Builds a damaged core anew', async () => {
    const own = await mkdtemp(path.join(tmpdir(), 'cache-there-'));
    const target = commandTarget({ place: `env XDG_CACHE_HOME="${own}"`, directory: folder });
    const cache = path.join(own, 'lisp-workbench');
    try {
      for (const wanted of ['3', '7']) {
        const { session, say, close } = await openTargetSession(target);
        await session.start();
        expect(await say(`(+ ${wanted} 0)`)).toBe(wanted);
        await close();
        const cores = readdirSync(cache);
        expect(cores).toEqual([expect.stringMatching(/^engine-[0-9a-f]{24}\.core$/)]);
        await truncate(path.join(cache, cores[0]!), 100_000);
      }
    } finally {
      await rm(own, { recursive: true, force: true });
    }
  });
});

describe('What keeps an image from a target', { timeout: FAR_GUARD_MS }, () => {
  const problem = async (more: Parameters<typeof commandTarget>[0]): Promise<string | null> => {
    const { session, close } = await openTargetSession(commandTarget({ directory: folder, ...more }));
    try {
      await session.start().catch(() => {});
      return session.view().problem;
    } finally {
      await close();
    }
  };

  it('Is told in a sentence with what to do: no SBCL, no such folder, no launcher, a launcher that fails', async () => {
    expect(await problem({ sbcl: 'no-such-sbcl' })).toBe(
      "SBCL was not found on the target devbox: its shell cannot find no-such-sbcl. Install SBCL there, or enter its absolute path in the target's settings.",
    );
    expect(await problem({ sbcl: '/bin/echo' })).toMatch(/^\/bin\/echo on the target devbox is not a working SBCL/);
    expect(await problem({ directory: '/no/such/folder' })).toMatch(
      /^The folder \/no\/such\/folder does not exist on the target devbox\. Copy the project there/,
    );
    expect(await problem({ place: 'no-such-launcher -x' })).toBe(
      'The target devbox cannot be used: the program no-such-launcher is not on this machine. Install it, or choose another target.',
    );
    expect(await problem({ place: 'sh -c "echo no such room >&2; exit 3"' })).toMatch(
      /^The target devbox cannot be used: sh ended with exit code 3 before the image started\. Its message: no such room/,
    );
  });

  it.each([
    ['before anything is written', 0],
    ['before the core is written as a whole', 20],
  ])('Is a disk there that is full %s: its file system, and what may go', async (_when, left) => {
    const disk = mountSmallDisk(left + 1);
    try {
      if (left === 0) disk.fill();
      expect(await problem({ place: `env XDG_CACHE_HOME=${disk.folder}` })).toMatch(
        new RegExp(
          `^The disk of the target devbox, the file system ${disk.folder} with \\d+ MB left, has no space for the engine’s core in ${disk.folder}/lisp-workbench, .* you can delete files engine-\\*\\.core in that folder`,
        ),
      );
    } finally {
      disk.unmount();
    }
  });

  it('Is an SBCL there that is too old, of which nothing is started', async () => {
    const old = path.join(folder, 'old-sbcl');
    await writeFile(old, '#!/bin/sh\necho "SBCL 1.4.5"\n');
    await chmod(old, 0o755);
    expect(await problem({ sbcl: old })).toMatch(
      /^The target devbox has SBCL 1\.4\.5, but Lisp Workbench needs 2\.2\.9 or newer\./,
    );
  });
});

/** Returns all running processes in the process group of `pid`. They include the processes that its code forked. */
function processesIn(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => runs(each) && groupOf(each) === groupOf(pid));
}
