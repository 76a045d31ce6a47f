import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PERSON } from '#contract/session.ts';
import { TEST_CACHE } from '#core/lisp/core.fixture.ts';
import { prepareWall } from '#core/lisp/wall.ts';
import type { LifeOptions } from './life.ts';
import { AGENT, openTestSession, type TestSession } from './session.fixture.ts';

/** The workbench's own, outside of the folders that the wall hides anyway. */
const home = mkdtempSync(path.join(homedir(), '.wall-test-'));
const hidden = ['config', 'state', 'run'].map((name) => path.join(home, name));
const wall = { hidden, cache: TEST_CACHE };
const possible = await prepareWall(wall, process.env, tmpdir()).then(
  () => true,
  () => false,
);

let test: TestSession;

beforeAll(() => {
  for (const folder of hidden) mkdirSync(folder);
  writeFileSync(path.join(home, 'config', 'token'), 'a secret');
  writeFileSync(path.join(home, 'file'), '');
});

afterAll(() => rmSync(home, { recursive: true, force: true }));
afterEach(() => test.close());

const WHY = /The image is to run in a sandbox, but .*It was not started without\. .*switch the sandbox off/;

/** Where the machine has no namespaces, what stands for every test is that nothing is started without the wall. */
function behind(proof: () => Promise<void>): () => Promise<void> {
  return possible ? proof : refuses;
}

async function refuses(): Promise<void> {
  test = await open();
  await expect(test.evaluate('1')).rejects.toThrow(WHY);
}

function open(options: Partial<LifeOptions> = {}): Promise<TestSession> {
  return openTestSession({ wall: () => wall, ...options });
}

const literal = (text: string): string => JSON.stringify(text);

/** A command of the shell, past the guard. */
const alien = (command: string): string =>
  `(sb-alien:alien-funcall (sb-alien:extern-alien "system" (function sb-alien:int sb-alien:c-string)) ${literal(command)})`;

describe('what code behind the wall cannot reach', () => {
  beforeEach(async () => {
    test = await open();
  });

  it(
    'G7 nothing outside the project is written, past the guard or by SB-POSIX, and nothing of the system',
    behind(async () => {
      const file = path.join(home, 'outside');
      await test.say(alien(`echo gone > ${file}`));
      await test.say(`(sb-posix:open ${literal(file)} (logior sb-posix:o-creat sb-posix:o-wronly) #o600)`);
      expect(await test.say(`(sb-posix:open "/etc/wall" (logior sb-posix:o-creat sb-posix:o-wronly) #o600)`)).toMatch(
        /SYSCALL-ERROR/,
      );
      expect(
        await test.say(alien(`rm -f ${path.join(home, 'config', 'token')} ${path.join(home, 'file')}`)),
      ).toBeTruthy();
      expect(await test.say(alien('cat /proc/sys/kernel/hostname > /proc/sys/kernel/hostname'))).not.toBe('0');
      expect(await test.say(alien('mount -o remount,rw /'))).not.toBe('0');
      expect(existsSync(file)).toBe(false);
      expect(readFileSync(path.join(home, 'config', 'token'), 'utf8')).toBe('a secret');
      expect(existsSync(path.join(home, 'file'))).toBe(true);
    }),
  );

  it(
    'G7 the workbench’s own files cannot be read, by their names or through another process',
    behind(async () => {
      const token = path.join(home, 'config', 'token');
      for (const way of ['', '/proc/1/root', '/proc/self/root', `/proc/${process.pid}/root`]) {
        const name = literal(`${way}${token}`);
        expect(await test.say(`(with-open-file (in ${name}) (read-line in))`)).toMatch(/ERROR|DOES-NOT-EXIST/);
        expect(await test.say(alien(`grep -q secret ${way}${token}`))).not.toBe('0');
      }
      expect(await test.say(alien(`grep -rqs 'a secret' ${home}`))).not.toBe('0');
    }),
  );

  it(
    'G7 there is no network, not even to this machine',
    behind(async () => {
      const server = createServer((socket) => socket.end('reached'));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      let reached = 0;
      server.on('connection', () => (reached += 1));
      const connect = `(let ((socket (make-instance 'sb-bsd-sockets:inet-socket :type :stream :protocol :tcp)))
                       (sb-bsd-sockets:socket-connect socket #(127 0 0 1) ${port}))`;
      expect(await test.say(`(require :sb-bsd-sockets) ${connect}`)).toMatch(/ERROR/);
      expect(reached).toBe(0);
      server.close();
    }),
  );

  it(
    'G7 nor a socket of this machine, in the file system or without a name there',
    behind(async () => {
      const names = [
        path.join(home, 'run', 'wall.sock'),
        path.join(home, 'wall.sock'),
        path.join(tmpdir(), `wall-${process.pid}.sock`),
        '\0wall',
      ];
      let reached = 0;
      const servers = names.map((name) => createServer(() => (reached += 1)).listen(name));
      const attempts = names.map(
        (name) =>
          `(let ((socket (make-instance (quote ${name.startsWith('\0') ? 'sb-bsd-sockets:local-abstract-socket' : 'sb-bsd-sockets:local-socket'}) :type :stream)))
           (handler-case (progn (sb-bsd-sockets:socket-connect socket ${literal(name.replace('\0', ''))}) :reached)
             (error () :refused)))`,
      );
      expect(await test.say(`(require :sb-bsd-sockets) (values ${attempts.join(' ')})`)).toMatch(
        /^(\S+ )?(:REFUSED ?){4}$/,
      );
      expect(reached).toBe(0);
      for (const server of servers) server.close();
    }),
  );

  it(
    'G7 processes outside are neither seen nor ended',
    behind(async () => {
      const outside = spawn('sleep', ['600']);
      const ended = new Promise((resolve) => outside.once('exit', resolve));
      expect(await test.say(`(sb-posix:kill ${outside.pid} 9)`)).toMatch(/SYSCALL-ERROR.*No such process/s);
      expect(await test.say(alien(`test -e /proc/${outside.pid}`))).not.toBe('0');
      expect(outside.exitCode).toBe(null);
      outside.kill();
      await ended;
    }),
  );

  it(
    'G7 no variable leads to a display, a bus or an agent of keys',
    behind(async () => {
      const { session } = test;
      await session.dispose();
      test = await open({ environment: { ...process.env, DISPLAY: ':9', SSH_AUTH_SOCK: `${home}/run/ssh` } });
      expect(await test.say('(values (sb-posix:getenv "DISPLAY") (sb-posix:getenv "SSH_AUTH_SOCK"))')).toBe('NIL NIL');
    }),
  );
});

describe('what works behind the wall', () => {
  it(
    'G7 the project is written, temporary files are, and a system is compiled and loaded',
    behind(async () => {
      test = await open();
      writeFileSync(
        path.join(test.directory, 'walled.asd'),
        '(asdf:defsystem "walled" :components ((:file "walled")))',
      );
      writeFileSync(path.join(test.directory, 'walled.lisp'), '(defpackage :walled) (defun walled::f () :loaded)');
      expect(await test.say(alien('echo mine > mine'))).toBe('0');
      expect(readFileSync(path.join(test.directory, 'mine'), 'utf8')).toBe('mine\n');
      expect(await test.say(alien('echo private > /tmp/private'))).toBe('0');
      expect(existsSync('/tmp/private')).toBe(false);
      expect(
        await test.say('(asdf:load-asd (merge-pathnames "walled.asd" (uiop:getcwd))) (asdf:load-system "walled")'),
      ).not.toMatch(/ERROR/);
      expect(await test.say('(walled::f)')).toBe(':LOADED');
      expect(await test.say('(namestring (asdf:apply-output-translations "/x/y.fasl"))')).toContain(
        path.join(TEST_CACHE, 'sandbox'),
      );
      expect(test.session.view()).toMatchObject({ state: 'idle', sandbox: { folder: test.directory } });
    }),
  );

  it(
    'G7 checkpoints are made and measured, the image goes back to them, and copies that are let go end',
    behind(async () => {
      test = await open({ checkpoints: true });
      await test.say('(defvar *x* 1)');
      await test.say('(setf *x* 2)', { actor: AGENT });
      await test.say('(setf *x* 3)', { actor: AGENT });
      await expect
        .poll(() => test.session.view().checkpoints.map(({ memory }) => (memory ?? 0) > 0))
        .toEqual([true, true]);
      const before = test.session.view().pid!;
      for (let round = 0; round < 3; round += 1) {
        await test.session.rewind(test.session.view().checkpoints[0]!.id, PERSON);
        expect(await test.say('*x*')).toBe('1');
        await test.say(`(setf *x* ${round + 4})`);
      }
      const { pid } = test.session.view();
      expect(pid).not.toBe(before);
      expect(commandOf(pid!)).toContain('sbcl');
      expect(() => process.kill(before, 0)).toThrow('ESRCH');
    }),
  );

  it(
    'G7 a crash goes back to the last checkpoint, twice, and tells how each life ended',
    behind(async () => {
      test = await open({ checkpoints: true });
      await test.say('(defun kept () :kept)');
      await test.say('1', { actor: AGENT });
      const first = await test.say('(sb-posix:kill (sb-posix:getpid) 9)');
      expect(first).toMatch(/IMAGE-LOST: The image was ended by SIGKILL/);
      expect(await test.say('(kept)')).toBe(':KEPT');
      expect(await test.say('(sb-posix:kill (sb-posix:getpid) 9)')).toMatch(/IMAGE-LOST/);
      expect(await test.say('(kept)')).toBe(':KEPT');
      process.kill(test.session.view().pid!, 'SIGKILL');
      await expect.poll(() => test.say('(kept)')).toBe(':KEPT');
    }),
  );

  it(
    'G7 an exit is told with its code, and a fresh image starts behind the wall',
    behind(async () => {
      test = await open();
      expect(await test.say('(sb-ext:exit :code 7 :abort t)')).toMatch(/exit code 7/);
      await test.say(alien(`echo gone > ${home}/outside`));
      expect(existsSync(path.join(home, 'outside'))).toBe(false);
      expect(test.session.view().sandbox).toEqual({ folder: test.directory });
    }),
  );

  it(
    'G7 an endless loop is interrupted, and the image restarted with all that it had started',
    behind(async () => {
      test = await open();
      const loop = test.evaluate('(loop)', { evaluation: 'endless' });
      await expect.poll(() => test.session.view().running?.evaluation).toBe('endless');
      await test.session.interrupt('endless');
      expect((await loop).report.status).toBe('interrupted');
      await test.say(alien(`setsid sleep 7${process.pid} &`));
      await expect.poll(() => running(`sleep 7${process.pid}`)).toBe(1);
      const endless = test.evaluate('(sb-sys:without-interrupts (loop))').catch(() => null);
      await expect.poll(() => test.session.view().state).toBe('evaluating');
      await test.session.restart();
      await endless;
      expect(await test.say('1')).toBe('1');
      await expect.poll(() => running(`sleep 7${process.pid}`)).toBe(0);
    }),
  );

  it(
    'G7 a world that was saved outside opens behind the wall, though its folder is hidden',
    behind(async () => {
      let wanted = false;
      const worlds = path.join(home, 'state', 'worlds');
      test = await open({ wall: () => (wanted ? wall : null), worlds });
      await test.say('(defvar *saved* :saved)');
      await test.session.saveWorld('outside');
      wanted = true;
      await test.session.openWorld('outside');
      expect(await test.say('*saved*')).toBe(':SAVED');
      expect(test.session.view().sandbox).toEqual({ folder: test.directory });
      expect(await test.say(`(directory ${literal(`${worlds}/*.json`)})`)).toBe('NIL');
    }),
  );

  it(
    'G7 what a sandboxed image holds is not saved where it would start outside',
    behind(async () => {
      test = await open();
      await test.say('1');
      await expect(test.session.saveWorld('mine')).rejects.toThrow('An image in a sandbox cannot be saved');
    }),
  );
});

describe('a wall that cannot be had', () => {
  it('G7 no image starts, and it is said why and what to do', async () => {
    const none = mkdtempSync(path.join(tmpdir(), 'no-bwrap-'));
    // Where the machine has no wall at all the same must be said with the PATH as it is.
    test = await open({ environment: { ...process.env, ...(possible ? { PATH: none } : {}) } });
    await expect(test.evaluate('1')).rejects.toThrow(WHY);
    expect(test.session.view()).toMatchObject({ state: 'gone', pid: null, problem: expect.stringMatching(WHY) });
    rmSync(none, { recursive: true });
  });

  it('G7 bubblewrap that is not let says so in its own words', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'bwrap-'));
    const says = '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n';
    writeFileSync(path.join(folder, 'bwrap'), says, { mode: 0o755 });
    test = await open({ environment: { ...process.env, PATH: folder } });
    await expect(test.evaluate('1')).rejects.toThrow(
      /No permissions to create new namespace\).*Allow user namespaces, or/,
    );
    rmSync(folder, { recursive: true });
  });

  it('G7 a builder that code behind the wall may have put into the project is not run', async () => {
    test = await openTestSession();
    const run = path.join(test.directory, 'run');
    writeFileSync(path.join(test.directory, 'bwrap'), `#!/bin/sh\ntouch ${run}\n`, { mode: 0o755 });
    await expect(prepareWall(wall, { PATH: test.directory }, test.directory)).rejects.toThrow(
      'It was not started without',
    );
    expect(existsSync(run)).toBe(false);
  });

  it.each(['darwin', 'win32'] as const)('G7 on %s it is said that there is none yet', async (platform) => {
    test = await open();
    await expect(prepareWall(wall, process.env, test.directory, platform)).rejects.toThrow(
      `there is none for this system (${platform})`,
    );
  });

  it('G7 without it nothing is different', async () => {
    test = await open({ wall: () => null });
    expect(await test.say('(or (sb-posix:getenv "HOME") t)')).toBe(JSON.stringify(process.env['HOME']));
    expect(test.session.view().sandbox).toBe(null);
  });
});

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
}

function running(command: string): number {
  const lines = execFileSync('ps', ['-eo', 'stat,args'], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => !line.startsWith('Z') && line.trimEnd().endsWith(` ${command}`)).length;
}
