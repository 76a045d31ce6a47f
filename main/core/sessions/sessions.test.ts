import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AGENT, sayIn, testOptions } from './session.fixture.ts';
import { Sessions } from './sessions.ts';

let folder: string;
let sessions: Sessions;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sessions-'));
  sessions = new Sessions('main', testOptions(folder));
});

afterEach(async () => {
  await sessions.dispose();
  await rm(folder, { recursive: true, force: true });
});

describe('sessions', () => {
  it('Sessions are images of their own: one that loops does not slow another [S39, S40]', async () => {
    const other = sessions.open('other');
    await sayIn(sessions.main, '(defvar *mine* :main)');
    const endless = sayIn(other, '(loop)', { evaluation: 'endless' });
    expect(await sayIn(sessions.main, '*mine*')).toBe(':MAIN');
    await expect.poll(() => other.view().state).toBe('evaluating');
    await other.interrupt('endless');
    expect(await endless).toBe('interrupted');
    expect(await sayIn(other, "(boundp '*mine*)")).toBe('NIL');
    expect(sessions.main.view().pid).not.toBe(other.view().pid);
  });

  it('Sessions have a directory and an environment of their own', async () => {
    const there = await mkdtemp(path.join(tmpdir(), 'there-'));
    const other = sessions.open('other', {
      directory: () => there,
      environment: { ...process.env, COLOUR: 'green' },
    });
    expect(await sayIn(other, '(list (sb-posix:getcwd) (sb-posix:getenv "COLOUR"))')).toBe(`("${there}" "green")`);
    expect(await sayIn(sessions.main, '(sb-posix:getenv "COLOUR")')).toBe('NIL');
    await rm(there, { recursive: true });
  });

  it('A session loads an init file when it is told to, and says when it does not load', async () => {
    const good = path.join(folder, 'in"it.lisp');
    await writeFile(good, '(defvar *from-init* 42)');
    expect(await sayIn(sessions.open('good', { initFile: () => good }), '*from-init*')).toBe('42');
    const bad = path.join(folder, 'bad.lisp');
    await writeFile(bad, '(defvar *before* 1) (error "in init")');
    const session = sessions.open('bad', { initFile: () => bad });
    const told: string[] = [];
    session.events.on('lifecycle', ({ summary }) => told.push(summary));
    expect(await sayIn(session, '*before*')).toBe('1');
    expect(told[0]).toMatch(/could not be loaded\. SIMPLE-ERROR: in init/);
  });

  it.each(['(sb-ext:exit)', '(sb-ext:exit :abort t)', '(sb-posix:kill (sb-posix:getpid) 9)'])(
    'A session goes on without an init file that ends the image: %s',
    async (code) => {
      const file = path.join(folder, 'ends.lisp');
      await writeFile(file, code);
      const session = sessions.open('ended', { initFile: () => file });
      const told: string[] = [];
      session.events.on('lifecycle', ({ change, summary }) => told.push(`${change}: ${summary}`));
      expect(await sayIn(session, '(+ 1 2)')).toBe('3');
      expect(told).toEqual([
        expect.stringMatching(/^failed: .*could not be loaded/),
        expect.stringMatching(/^started/),
      ]);
    },
  );

  it("A session stops an agent's evaluation at the time limit, not the person's, and cuts output and values", async () => {
    const limited = sessions.open('limited', { limits: { seconds: 0.2, output: 10, value: 20 } });
    expect(await sayIn(limited, '(loop)', { actor: AGENT })).toBe(
      'LISP-WORKBENCH:TIME-LIMIT: It was stopped after 0.2 seconds, the limit of this session.',
    );
    expect(await sayIn(limited, '(progn (sleep 0.4) :slept)')).toBe(':SLEPT');
    expect(await sayIn(limited, '(make-string 100 :initial-element #\\x)')).toHaveLength(20);
  });

  it('Sessions end with their processes when they are closed, and the main one stays', async () => {
    const other = sessions.open('other');
    await sayIn(other, '1');
    await sessions.close(other.id);
    expect(sessions.all).toEqual([sessions.main]);
    await expect(sessions.close(sessions.main.id)).rejects.toThrow('cannot be closed while the workbench is running');
    expect(() => sessions.open('main')).toThrow('An image named main already exists.');
    expect(() => sessions.find(other.id)).toThrow('This image no longer exists');
  });

  it('A session shows who waits, the person first', async () => {
    const { main } = sessions;
    const running = sayIn(main, '(loop)', { evaluation: 'running' });
    await expect.poll(() => main.view().state).toBe('evaluating');
    const agents = sayIn(main, ':agent', { actor: AGENT });
    const mine = sayIn(main, ':person');
    expect(main.view().waiting.map(({ actor }) => actor.kind)).toEqual(['person', 'client']);
    await main.interrupt('running');
    expect(await Promise.all([running, mine, agents])).toEqual(['interrupted', ':PERSON', ':AGENT']);
  });
});
