import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PERSON } from '#contract/clients/known-actors.ts';
import { TEST_CACHE } from '#core/lisp/core.fixture.ts';
import { prepareSandbox } from '#core/lisp/start/sandbox.ts';
import type { SessionOptions } from './supervisor/recovery.ts';
import { AGENT, openTestSession, type TestSession } from './session.fixture.ts';

/** The workbench's own folder, in a place that the sandbox would not hide anyway. */
const home = mkdtempSync(path.join(homedir(), '.wall-test-'));
const hidden = ['config', 'state', 'run'].map((name) => path.join(home, name));
const wall = { hidden, cache: TEST_CACHE };
const possible = await prepareSandbox(wall, process.env, tmpdir()).then(
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

const WHY = /The image is to run in a sandbox, but .*It was not started without\. .*turn the sandbox off/;

/**
 * Wraps a test of the sandbox. On a machine without namespaces, the test is replaced by one that checks that nothing starts without the
 * sandbox.
 */
function behind(proof: () => Promise<void>): () => Promise<void> {
  return possible ? proof : refuses;
}

async function refuses(): Promise<void> {
  test = await open();
  await expect(test.evaluate('1')).rejects.toThrow(WHY);
}

function open(options: Partial<SessionOptions> = {}): Promise<TestSession> {
  return openTestSession({ sandbox: () => wall, ...options });
}

const literal = (text: string): string => JSON.stringify(text);

/** Returns a form that runs a shell command without being noticed by the guard. */
const alien = (command: string): string =>
  `(sb-alien:alien-funcall (sb-alien:extern-alien "system" (function sb-alien:int sb-alien:c-string)) ${literal(command)})`;

describe('what sandboxed code cannot reach', () => {
  beforeEach(async () => {
    test = await open();
  });

  it(
    'Sandboxed code writes nothing outside the project, past the guard or by SB-POSIX, and nothing of the system [G7]',
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
    "Sandboxed code cannot read the workbench's own files, by their names or through another process [G7]",
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
    'Sandboxed code has no network, not even to this machine [G7]',
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
    'Sandboxed code reaches no socket of this machine, in the file system or without a name there [G7]',
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
    'Sandboxed code neither sees nor ends processes outside [G7]',
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
    'Sandboxed code has no variable that leads to a display, a bus or an agent of keys [G7]',
    behind(async () => {
      const { session } = test;
      await session.dispose();
      test = await open({ environment: { ...process.env, DISPLAY: ':9', SSH_AUTH_SOCK: `${home}/run/ssh` } });
      expect(await test.say('(values (sb-posix:getenv "DISPLAY") (sb-posix:getenv "SSH_AUTH_SOCK"))')).toBe('NIL NIL');
    }),
  );
});

describe('what works in the sandbox', () => {
  it(
    'Sandboxed code writes the project and temporary files, and compiles and loads a system [G7]',
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
    'Checkpoints in a sandbox are made and measured, the image goes back to them, and copies that are let go end [G7]',
    behind(async () => {
      test = await open({ checkpoints: true });
      await test.say('(defvar *x* 1)');
      await test.say('(setf *x* 2)', { actor: AGENT });
      await test.say('(defvar *y* 1)'); // gives the next evaluation a separate checkpoint
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
    'A crash in a sandbox goes back to the last checkpoint, twice, and tells how each life ended [G7]',
    behind(async () => {
      test = await open({ checkpoints: true });
      await test.say('(defun kept () :kept)');
      await test.say('(identity 1)', { actor: AGENT });
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
    'An exit in a sandbox is told with its code and ends what the image had started, and a fresh image starts in the sandbox [G7]',
    behind(async () => {
      test = await open();
      await test.say(alien(`setsid sleep 8${process.pid} &`));
      await expect.poll(() => running(`sleep 8${process.pid}`)).toBe(1);
      expect(await test.say('(sb-ext:exit :code 7 :abort t)')).toMatch(/exit code 7/);
      await test.say(alien(`echo gone > ${home}/outside`));
      expect(existsSync(path.join(home, 'outside'))).toBe(false);
      expect(test.session.view().sandbox).toEqual({ folder: test.directory });
      await expect.poll(() => running(`sleep 8${process.pid}`)).toBe(0);
    }),
  );

  it(
    'An endless loop in a sandbox is interrupted, and the image is restarted with all that it had started [G7]',
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
    'A world that was saved outside opens in the sandbox, though its folder is hidden [G7]',
    behind(async () => {
      let wanted = false;
      const worlds = path.join(home, 'state', 'worlds');
      test = await open({ sandbox: () => (wanted ? wall : null), worlds });
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
    'A sandboxed image is not saved as a world that would start outside [G7]',
    behind(async () => {
      test = await open();
      await test.say('1');
      await expect(test.session.saveWorld('mine')).rejects.toThrow('An image in a sandbox cannot be saved');
    }),
  );
});

describe('sandbox that cannot be had', () => {
  it('No image starts without the sandbox that it should have, and it is said why and what to do [G7]', async () => {
    const none = mkdtempSync(path.join(tmpdir(), 'no-bwrap-'));
    // If this machine has no sandbox at all, PATH stays unchanged, and the message must be the same.
    test = await open({ environment: { ...process.env, ...(possible ? { PATH: none } : {}) } });
    await expect(test.evaluate('1')).rejects.toThrow(WHY);
    expect(test.session.view()).toMatchObject({ state: 'gone', pid: null, problem: expect.stringMatching(WHY) });
    rmSync(none, { recursive: true });
  });

  it('A bubblewrap that is not permitted to work says so in its own words [G7]', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'bwrap-'));
    const says = '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n';
    writeFileSync(path.join(folder, 'bwrap'), says, { mode: 0o755 });
    test = await open({ environment: { ...process.env, PATH: folder } });
    await expect(test.evaluate('1')).rejects.toThrow(
      /No permissions to create new namespace\).*Allow user namespaces, or/,
    );
    rmSync(folder, { recursive: true });
  });

  it('A sandbox builder that sandboxed code may have put into the project is not run [G7]', async () => {
    test = await openTestSession();
    const run = path.join(test.directory, 'run');
    writeFileSync(path.join(test.directory, 'bwrap'), `#!/bin/sh\ntouch ${run}\n`, { mode: 0o755 });
    await expect(prepareSandbox(wall, { PATH: test.directory }, test.directory)).rejects.toThrow(
      'It was not started without',
    );
    expect(existsSync(run)).toBe(false);
  });

  it.each(['darwin', 'win32'] as const)('A sandbox on %s is said not to exist yet [G7]', async (platform) => {
    test = await open();
    await expect(prepareSandbox(wall, process.env, test.directory, platform)).rejects.toThrow(
      `sandboxes are not supported on this system (${platform})`,
    );
  });

  it('Without a sandbox nothing is different [G7]', async () => {
    test = await open({ sandbox: () => null });
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
