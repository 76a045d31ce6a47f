import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentTests, ofKind } from './hosted.fixture.ts';

const open = agentTests();

/** Returns the login processes, which run the scripted agent with its login argument. */
const loginProcesses = (): string[] =>
  readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return words[1]?.endsWith('scripted-agent.ts') && words.includes('--login');
    } catch {
      return false; // the process has just ended
    }
  });

describe('An agent that cannot be used', () => {
  it('Of another version of the protocol, or without MCP over HTTP, says so [issue 14.1]', async () => {
    const { start, tell, view } = await open();
    tell({ protocol: 7, turns: [] });
    expect(view(await start()).problem).toMatch(/uses version 7 of the Agent Client Protocol/);
    tell({ withoutHttp: true, turns: [] });
    expect(view(await start()).problem).toMatch(/does not support MCP servers over HTTP/);
  });

  it('With an introduction that is odd is shown without its odd parts, as are the others [issue 33.2]', async () => {
    const { start, tell, host } = await open();
    tell({ introduction: { authMethods: {}, agentInfo: 7 }, turns: [] });
    await start();
    tell({ introduction: { protocolVersion: 'one' }, turns: [] });
    await start();
    expect(host.list()).toMatchObject([
      { state: 'idle', logins: [] },
      {
        state: 'ended',
        problem:
          'Claude Code could not be started. The agent did not report its version of the Agent Client Protocol. Update the program.',
      },
    ]);
  });

  it('That ends at its start is told once, with its last words, and not with the write that failed [issue 14.1]', async () => {
    const { start, tell, view, folder, items } = await open();
    tell({ turns: [] });
    const program = path.join(folder, 'bin', 'claude-agent-acp');
    // In each of these cases a different part of the workbench notices the end of the program first: the process, the connection, or a
    // write.
    for (const first of ['', 'sleep 0.3', 'read line', 'exec <&-']) {
      const lines = [
        '#!/bin/sh',
        '[ "$1" = --version ] && echo 0.100.0 && exit',
        first,
        'echo "No licence." >&2',
        'exit 7',
      ];
      writeFileSync(program, `${lines.join('\n')}\n`);
      const id = await start();
      expect(view(id).problem).toBe(
        'Claude Code could not be started. The agent ended with exit code 7. It said: No licence.',
      );
      // The panel shows the reason, so the empty conversation does not repeat it.
      expect(await items(id)).toEqual([]);
    }
  });

  it('Whose program cannot be run says that once [issue 14.1]', async () => {
    const { start, tell, view, items, folder } = await open();
    tell({ turns: [] });
    const program = path.join(folder, 'bin', 'claude-agent-acp');
    // The program deletes itself after it has printed its version.
    writeFileSync(program, '#!/bin/sh\necho 0.100.0\nrm -- "$0"\n');
    const id = await start();
    expect(view(id).problem).toBe(
      `Claude Code could not be started. ${program} does not run: spawn ${program} ENOENT.`,
    );
    expect(await items(id)).toEqual([]);
  });

  it('Without a login is let in by the method that it names [issue 14.1]', async () => {
    const { start, tell, view, host, ask, until } = await open();
    tell({ login: true, turns: [{ steps: [{ say: 'In.' }] }] });
    const id = await start();
    expect(view(id)).toMatchObject({
      state: 'login',
      problem: expect.stringMatching(/^Claude Code requires you to log in/),
      logins: [{ id: 'word', title: 'Say the word', terminal: false }],
    });
    expect(() => host.prompt(id, 'go', [])).toThrow('requires you to log in');
    await host.login(id, 'word');
    await until(id, ({ state }) => state === 'idle');
    expect(ofKind(await ask(id, 'go'), 'said')).toMatchObject([{ text: 'In.' }]);
  });

  it.each([false, true])(
    'Logged in at a terminal of the panel, in its own sandbox and home, it continues by itself; named in the older way: %s [issue 33.2]',
    async (olderLogin) => {
      const { start, tell, view, host, until, folder, person, items } = await open();
      tell({
        olderLogin,
        login: true,
        loginFile: 'HOME/logged-in',
        code: 'open sesame',
        turns: [{ steps: [{ say: 'In.' }] }],
      });
      const id = await start('workbench-only');
      expect(view(id)).toMatchObject({ state: 'login', logins: [{ id: 'word', terminal: true }] });
      const output = (): string => host.logins()[0]?.text ?? '';
      const said = (words: string): Promise<void> =>
        new Promise((resolve) => {
          const look = (): void => {
            if (!output().includes(words)) return;
            stop();
            resolve();
          };
          const stop = host.events.on('logins', look);
          look();
        });
      const size = { columns: 91, rows: 23 };
      const failed = host.openLogin(id, 'word', size);
      await said('Code: ');
      const home = path.join(folder, 'state', 'agents', 'claude-code', 'home-workbench-only');
      expect(output()).toContain(`At 91 by 23, ${path.join(folder, 'state', 'agents', 'claude-code', 'empty')}`);
      host.typeLogin(id, 'wrong\r');
      await failed;
      expect(host.logins()).toMatchObject([
        { state: 'ended', title: 'Say the word', problem: expect.stringContaining('exit code 2') },
      ]);
      expect(output()).toContain('This code is wrong.');
      expect(view(id).state).toBe('login');

      const second = host.openLogin(id, 'word', size);
      await said('Code: ');
      host.typeLogin(id, 'open sesame\r');
      await second;
      expect(host.logins()).toEqual([]);
      expect(view(id)).toMatchObject({ state: 'idle', problem: null });
      // The login is stored with the agent's own state, not with the person's.
      expect(existsSync(path.join(home, 'logged-in'))).toBe(true);
      expect(readdirSync(person)).toEqual([]);
      await expect(host.openLogin(id, 'word', size)).rejects.toThrow('does not need a login now');

      host.prompt(id, 'go', []);
      await until(id, ({ state }) => state === 'idle');
      expect(ofKind(await items(id), 'said')).toMatchObject([{ text: 'In.' }]);
    },
  );

  it('A login that needs a page asks the person to open it, with the code to enter, and continues when that is done [issue 33.2]', async () => {
    const { start, tell, view, until, host, folder } = await open();
    const loginPage = {
      address: 'https://login.example.org/device',
      message: 'Enter ABCD-1234.',
      done: path.join(folder, 'done'),
    };
    tell({ login: true, loginPage, turns: [] });
    const id = await start('project-read-only');
    const refused = host.login(id, 'word');
    const page = { id: 'login', address: loginPage.address, message: loginPage.message };
    await until(id, (agent) => agent.page !== null);
    expect(view(id)).toMatchObject({ state: 'login', page: { ...page, isOpened: false } });
    host.answerPage(id, 'login', false);
    await expect(refused).rejects.toThrow('The page was not opened (decline).');
    expect(view(id)).toMatchObject({ state: 'login', page: null });
    const login = host.login(id, 'word');
    await until(id, (agent) => agent.page !== null);
    host.answerPage(id, 'login', true);
    // The page stays visible, because the person still needs the code on it.
    expect(view(id).page).toEqual({ ...page, isOpened: true });
    writeFileSync(loginPage.done, '');
    await login;
    expect(view(id)).toMatchObject({ state: 'idle', page: null });
    // Answering a page that is no longer shown has no effect.
    host.answerPage(id, 'login', true);
    expect(view(id).page).toBe(null);
  });

  it('A page of an agent that is ended is asked for no more [issue 33.2]', async () => {
    const { start, tell, view, until, host } = await open();
    tell({ login: true, loginPage: { address: 'https://login.example.org/', message: '', done: '/none' }, turns: [] });
    const id = await start();
    const login = host.login(id, 'word').catch(() => {});
    await until(id, (agent) => agent.page !== null);
    await host.end(id);
    await login;
    expect(view(id).page).toBe(null);
  });

  it('Two logins at once open one session, and the next one is refused [issue 33.2]', async () => {
    const { start, tell, view, host, ask, items } = await open();
    tell({ login: true, turns: [{ steps: [{ say: 'In.' }] }] });
    const id = await start();
    await Promise.all([host.login(id, 'word'), host.login(id, 'word'), host.login(id, 'word')]);
    expect(view(id)).toMatchObject({ state: 'idle', problem: null });
    await expect(host.login(id, 'word')).rejects.toThrow('Claude Code does not need a login now.');
    await ask(id, 'go');
    expect(ofKind(await items(id), 'said')).toHaveLength(1);
  });

  it('A login that fails can be tried again, and says why it was wanted [issue 33.2]', async () => {
    const { start, tell, view, host, folder } = await open();
    const refusal = path.join(folder, 'refusal');
    tell({ login: true, refusal, turns: [] });
    const id = await start();
    const { problem } = view(id);
    writeFileSync(refusal, 'No licence.');
    await expect(host.login(id, 'word')).rejects.toThrow('No licence.');
    expect(view(id)).toMatchObject({ state: 'login', problem });
    rmSync(refusal);
    await host.login(id, 'word');
    expect(view(id)).toMatchObject({ state: 'idle', problem: null });
  });

  it('Let in at a mode in which nobody is asked, and which it keeps, it is ended as at any start [issue 33.2]', async () => {
    const { start, tell, view, host } = await open();
    tell({ login: true, keepsMode: true, modes: [{ id: 'auto', name: 'AUTO' }], turns: [] });
    const id = await start('project-read-only');
    expect(view(id).state).toBe('login');
    await host.login(id, 'word');
    expect(view(id)).toMatchObject({
      state: 'ended',
      looser: 'unconfined',
      problem: expect.stringContaining('is in the mode “AUTO”'),
    });
  });

  it.each(['unconfined', 'project-read-only'] as const)(
    'Ctrl+C at a login is the affair of its program, also in the sandbox: %s [issue 33.2]',
    async (standing) => {
      const { start, tell, view, host } = await open();
      tell({ login: true, loginFile: 'HOME/logged-in', code: 'x', trapsInterrupt: true, turns: [] });
      const id = await start(standing);
      const said = (words: string): Promise<void> =>
        new Promise((resolve) => {
          const look = (): void => {
            if (!host.logins()[0]?.text.includes(words)) return;
            stop();
            resolve();
          };
          const stop = host.events.on('logins', look);
          look();
        });
      const login = host.openLogin(id, 'word', { columns: 80, rows: 20 });
      await said('Code: ');
      host.typeLogin(id, '\u0003');
      await said('Interrupted.');
      host.typeLogin(id, 'x\r');
      await login;
      expect(view(id)).toMatchObject({ state: 'idle', problem: null });
    },
  );

  it('A login that was not done elsewhere is still wanted, and that is said [issue 33.2]', async () => {
    const { start, tell, view, host } = await open();
    tell({ login: true, turns: [] });
    const id = await start();
    expect(view(id).problem).toMatch(/^Claude Code requires you to log in/);
    await host.login(id, null);
    expect(view(id)).toMatchObject({
      state: 'login',
      problem: expect.stringMatching(/^Claude Code still requires you to log in/),
    });
    await host.login(id, 'word');
    expect(view(id)).toMatchObject({ state: 'idle', problem: null });
  });

  it('A terminal that is closed, or whose agent is ended, leaves no process [issue 33.2]', async () => {
    const { start, tell, host } = await open();
    tell({ login: true, loginFile: 'HOME/logged-in', code: 'x', turns: [] });
    const id = await start();
    for (const close of [() => host.closeLogin(id), () => host.end(id)]) {
      const asked = new Promise<void>((resolve) => {
        const stop = host.events.on('logins', ([login]) => {
          if (!login?.text.includes('Code: ')) return;
          stop();
          resolve();
        });
      });
      const ran = host.openLogin(id, 'word', { columns: 80, rows: 20 });
      await asked;
      expect(loginProcesses()).toHaveLength(1);
      await close();
      await ran;
      expect(host.logins()).toEqual([]);
      await expect.poll(loginProcesses).toEqual([]);
    }
  });

  it('The prompt at which it wants a login is sent after that, and asked once [issue 33.2]', async () => {
    const { start, tell, host, until, items, folder } = await open();
    const loginFile = path.join(folder, 'logged-in');
    writeFileSync(loginFile, '');
    // Text before the error does not count as work, because some programs ask for a login in a message.
    tell({ login: 'later', turns: [{ steps: [{ say: 'Log in first.' }, { wantsLogin: 'once' }, { say: 'Done.' }] }] });
    const id = await start();
    host.prompt(id, 'go', []);
    await until(id, ({ state }) => state === 'login');
    await host.login(id, 'word');
    await until(id, ({ state, turnStartedAt }) => state !== 'working' && turnStartedAt === null);
    expect(ofKind(await items(id), 'asked')).toHaveLength(1);
    expect(ofKind(await items(id), 'said').at(-1)!.text).toMatch(/Done\.$/);
  });

  it('Wants a login in the middle of a turn: it is in no turn any more, and what was queued is sent after the login [issue 14.3]', async () => {
    const { test, start, tell, begin, view, host, until, items, folder } = await open();
    const go = path.join(folder, 'go');
    tell({
      login: 'later',
      turns: [
        {
          when: 'first',
          steps: [{ say: 'One.' }, { shell: `until [ -e '${go}' ]; do sleep 0.05; done` }, { wantsLogin: true }],
        },
        { steps: [{ say: 'Second.' }] },
      ],
    });
    const id = await start();
    await begin(id, 'first');
    host.prompt(id, 'second', []);
    writeFileSync(go, '');
    await until(id, ({ state }) => state === 'login');
    expect(view(id)).toMatchObject({ turnStartedAt: null, queued: 'second', logins: [{ id: 'word' }] });
    expect(test.workbench.approvals.view().waiting).toEqual([]);
    await host.login(id, 'word');
    await until(id, ({ state, queued }) => state === 'idle' && queued === null);
    expect(ofKind(await items(id), 'said').at(-1)!.text).toBe('Second.');
    await host.close(id);
    // No notice claims that a finished turn was interrupted.
    expect(ofKind(await host.items(id, null, 50), 'notice')).toEqual([]);
  });

  it('Is not started in a folder that nobody trusts, nor without one [issue 14.1]', async () => {
    const { test, host } = await open({ shared: true });
    Object.defineProperty(test.workbench, 'trusted', { value: false });
    await expect(host.start('claude-code', 'unconfined', null)).rejects.toThrow('Trust the folder first');
  });
});
