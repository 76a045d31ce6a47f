import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { AgentItem, AgentStanding, PromptContext } from '#contract/clients/hosted-agent.ts';
import { decideNext, nextCard } from '#core/approvals/decide.fixture.ts';
import { openAgentTest, type AgentTest } from './hosted.fixture.ts';
import { claudeCode } from './recipes/claude-code.ts';

let opened: AgentTest | null = null;
afterEach(async () => {
  await opened?.close();
  opened = null;
});

async function open(...args: Parameters<typeof openAgentTest>): Promise<AgentTest> {
  opened = await openAgentTest(...args);
  return opened;
}

const ofKind = <Kind extends AgentItem['kind']>(items: readonly AgentItem[], kind: Kind) =>
  items.filter((item): item is Extract<AgentItem, { kind: Kind }> => item.kind === kind);

const YES = { decision: 'approved' } as const;
const NO = { decision: 'denied', reason: 'No.' } as const;

/** Names of the files of kept conversations. */
const keptFiles = (folder: string): string[] =>
  readdirSync(path.join(folder, 'state', 'agents', 'conversations'), { recursive: true })
    .map((name) => path.basename(String(name)))
    .filter((name) => name.endsWith('.json'));

/** The processes that log somebody in: those of the scripted agent with the argument of its login. */
const loginProcesses = (): string[] =>
  readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return words[1]?.endsWith('scripted-agent.ts') && words.includes('--login');
    } catch {
      return false; // it has just ended
    }
  });

const isRunning = (pid: number): boolean => existsSync(`/proc/${pid}`);

describe('An agent that the workbench runs', () => {
  it('Works in the image as a client of its own, and its calls are those of the activity [issue 14.1]', async () => {
    const { test, start, tell, ask, view, host } = await open();
    tell({
      turns: [
        {
          steps: [
            { think: 'It wants a square.' },
            { say: 'I define it now.', pieces: 4 },
            { call: 'evaluate-lisp', arguments: { code: '(progn (defun sq (x) (* x x)) (sq 12))' }, says: true },
            { plan: [{ content: 'Define sq', status: 'completed' }] },
            { usage: { used: 1200, size: 200_000, cost: 0.5 } },
          ],
        },
      ],
    });
    const id = await start();
    expect(view(id)).toMatchObject({
      state: 'idle',
      problem: null,
      actor: { name: 'Claude Code here', kind: 'client' },
    });
    const started: { id: string; actor: string }[] = [];
    test.workbench.executor.events.on('started', (call) => started.push({ id: call.id, actor: call.actor.name }));
    const items = await ask(id, 'define sq and call it with 12');
    expect(items.map(({ kind }) => kind)).toEqual(['asked', 'thought', 'said', 'call', 'said']);
    expect(ofKind(items, 'said').map(({ text, open: isOpen }) => [text, isOpen])).toEqual([
      ['I define it now.', false],
      ['=> 144', false],
    ]);
    expect(started).toEqual([{ id: started[0]!.id, actor: 'Claude Code here' }]);
    expect(ofKind(items, 'call')[0]).toMatchObject({ tool: 'evaluate-lisp', status: 'done', call: started[0]!.id });
    expect(view(id)).toMatchObject({
      plan: [{ text: 'Define sq', status: 'completed' }],
      usage: { used: 1200, size: 200_000, cost: '0.50 USD' },
    });
    const [found] = await test.workbench.definitions.find('sq', 10);
    expect(found?.definitions.map(({ name }) => name.toLowerCase())).toContain('sq');
    const { pid } = view(id).process!;
    await host.end(id);
    expect(isRunning(pid)).toBe(false);
    expect(view(id)).toMatchObject({ state: 'ended', problem: null, process: null });
  });

  it('A program counts as running from the start of its agent until the agent has ended, so that nobody replaces its files [issue 33.2]', async () => {
    const { start, tell, host } = await open();
    tell({ turns: [] });
    const starting = start();
    expect(host.runs('claude-code')).toBe(true);
    const id = await starting;
    expect([host.runs('claude-code'), host.runs('codex')]).toEqual([true, false]);
    await host.end(id);
    expect(host.runs('claude-code')).toBe(false);
    await expect(host.start('nobody', 'unconfined', null)).rejects.toThrow('There is no agent "nobody"');
    expect(host.runs('nobody')).toBe(false);
  });

  it('Run by the Node that only the login shell knows, it has the path of that shell for what it starts, without folders of the project [issue 14.1]', async () => {
    const { test, start, tell, ask, view, folder } = await open({
      shell: 'shell',
      recipe: { program: 'agent.mjs', node: '999', package: { ...claudeCode.package!, version: '1.0.0' } },
    });
    const program = (name: string, ...lines: string[]): void => {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), `${lines.join('\n')}\n`, { mode: 0o755 });
    };
    const node = `exec '${process.execPath}' "$@"`;
    program('managed/node', '#!/bin/sh', '[ "$1" = --version ] && echo v999.0.0 && exit', node);
    const login = ['.', path.join(folder, 'managed'), path.join(test.project, 'bin'), '/usr/bin', '/bin'];
    program('shell', '#!/bin/sh', `export PATH='${login.join(':')}'`, 'eval "$2"');
    const agent = path.resolve(import.meta.dirname, '../../../e2e/agents/scripted-agent.ts');
    program(
      'bin/agent.mjs',
      `process.env.SCRIPTED_AGENT_STORY = ${JSON.stringify(path.join(folder, 'story.json'))};`,
      `await import(${JSON.stringify(agent)});`,
    );
    tell({ turns: [{ steps: [{ shell: 'echo "$PATH"' }] }] });
    const id = await start();
    expect(view(id).problem).toBeNull();
    expect(ofKind(await ask(id, 'go'), 'said').map(({ text }) => text)).toEqual([
      `Did it: ${path.join(folder, 'managed')}:/usr/bin:/bin`,
    ]);
  });

  it('A token of it is void as soon as its process has ended, and what the person chose for it stays [issue 14.1]', async () => {
    const { test, start, tell, host, view } = await open();
    tell({ turns: [] });
    const id = await start();
    const client = test.workbench.clients.list().find(({ name }) => name === 'Claude Code here')!;
    await test.workbench.clients.change({ id: client.id, mode: 'propose' });
    const revoked = new Promise<string>((resolve) =>
      test.workbench.clients.events.on('revoked', (told) => resolve(told.id)),
    );
    await host.end(id);
    expect(await revoked).toBe(view(id).actor.id);
    expect(test.workbench.clients.list().find(({ name }) => name === 'Claude Code here')!.mode).toBe('propose');
    expect(readFileSync(path.join(test.home, 'clients.json'), 'utf8')).not.toContain('lwb_');
  });

  it('Stop ends the evaluation and the turn from both sides, and the next message is answered [issue 14.2]', async () => {
    const { test, start, tell, view, until, host, ask, items } = await open();
    tell({
      turns: [
        { when: 'sleep', steps: [{ call: 'evaluate-lisp', arguments: { code: '(sleep 600)' }, says: true }] },
        { steps: [{ call: 'evaluate-lisp', arguments: { code: '(+ 1 2)' }, says: true }] },
      ],
    });
    const id = await start();
    host.prompt(id, 'sleep', []);
    await new Promise<void>((resolve) => {
      test.workbench.session.events.on('changed', () => test.workbench.session.view().running && resolve());
    });
    host.stop(id);
    expect(view(id).state).toBe('stopping');
    await until(id, ({ state }) => state === 'idle');
    expect((await items(id)).at(-1)).toMatchObject({ kind: 'notice', text: 'Stopped.' });
    await expect.poll(() => test.workbench.session.view().running).toBeNull();
    expect(ofKind(await ask(id, 'add'), 'said').at(-1)!.text).toBe('=> 3');
  });

  it('An agent that ignores the stop has its evaluation ended at once, its further calls refused, and is ended itself [issue 14.2]', async () => {
    const { start, tell, begin, host, view, until, items } = await open();
    tell({ turns: [{ steps: [{ say: 'For ever.' }, { wait: 'ignore' }] }] });
    const id = await start();
    await begin(id, 'go');
    const { pid } = view(id).process!;
    host.stop(id);
    const { problem } = await until(id, ({ state, process }) => state === 'ended' && process === null);
    expect(problem).toBe('Claude Code went on though its turn was stopped, so its process was ended.');
    expect(isRunning(pid)).toBe(false);
    expect((await items(id)).at(-1)).toMatchObject({ kind: 'notice', tone: 'error', text: problem });
  });

  it('A request after the stop is answered as cancelled, and nobody is asked [issue 14.2]', async () => {
    const { test, start, tell, begin, host, until, items } = await open();
    tell({ turns: [{ steps: [{ say: 'I wait. ' }, { wait: 'asks' }] }] });
    const id = await start();
    await begin(id, 'go');
    host.stop(id);
    await until(id, ({ state }) => state === 'idle');
    expect(ofKind(await items(id), 'said').map(({ text }) => text)).toEqual(['I wait. cancelled']);
    expect(test.workbench.approvals.view().waiting).toEqual([]);
  });

  it('A message during a turn is sent when it is over, and can be taken back before [issue 14.3]', async () => {
    const { start, tell, begin, host, until, view, items } = await open();
    tell({ turns: [{ when: 'first', steps: [{ say: 'One.' }, { wait: 'cancel' }] }, { steps: [{ say: 'Second.' }] }] });
    const id = await start();
    await begin(id, 'first');
    host.prompt(id, 'another', []);
    expect(view(id).queued).toBe('another');
    // A further one is added to it: nothing that was sent is lost.
    const chip = { kind: 'form', title: 'form in a.lisp, line 1', text: '(f)' } as const;
    host.prompt(id, 'and more', [chip]);
    expect(view(id).queued).toBe('another\n\nand more');
    expect(host.unqueue(id)).toEqual({ text: 'another\n\nand more', context: [chip] });
    host.prompt(id, 'second', []);
    host.stop(id);
    await until(id, ({ state, queued }) => state === 'idle' && queued === null);
    expect((await items(id)).map(({ kind }) => kind)).toEqual(['asked', 'said', 'notice', 'asked', 'said']);
  });
});

describe('An image in a prompt', () => {
  const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
  const image = (title: string, data = PNG): PromptContext => ({
    kind: 'image',
    title,
    text: '',
    image: { type: 'image/png', data, thumbnail: `data:image/png;base64,${PNG}` },
  });

  const chip = { kind: 'form', title: 'form in a.lisp, line 1', text: '(f)' } as const;

  it('Reaches an agent that takes images, and stays in the conversation as a thumbnail', async () => {
    const { start, tell, host, view, until, items } = await open();
    tell({ turns: [] });
    const id = await start();
    expect(view(id).takesImages).toBe(true);
    host.prompt(id, 'What is on it?', [image('plot.png'), chip]);
    await until(id, ({ state }) => state === 'idle');
    const all = await items(id);
    expect(
      ofKind(all, 'said')
        .map(({ text }) => text)
        .join(''),
    ).toMatch(/What is on it\?[^]*image\/png of 70 bytes/);
    expect(ofKind(all, 'asked')).toMatchObject([
      {
        context: [chip.title],
        images: [{ name: 'plot.png', thumbnail: `data:image/png;base64,${PNG}` }],
      },
    ]);
  });

  it('Is refused in a sentence for an agent that takes none, and nothing is sent', async () => {
    const { start, tell, host, view, items } = await open();
    tell({ withoutImages: true, turns: [] });
    const id = await start();
    expect(view(id).takesImages).toBe(false);
    expect(() => host.prompt(id, 'Look', [image('a.png')])).toThrow(
      'Claude Code takes no images. Remove the images to send the text.',
    );
    expect(ofKind(await items(id), 'asked')).toEqual([]);
  });

  it('Is refused where it is another thing than it says, and where there are too many with those of the queue', async () => {
    const { begin, start, tell, host, view } = await open();
    tell({ turns: [{ steps: [{ say: 'Here.' }, { wait: 'cancel' }] }] });
    const id = await start();
    const text = Buffer.from('<svg onload="x"/>........').toString('base64');
    expect(() => host.prompt(id, 'Look', [image('a.png', text)])).toThrow(
      'a.png is not a PNG, JPEG, GIF or WebP image.',
    );
    await begin(id, 'go');
    const six = Array.from({ length: 6 }, (_, index) => image(`${index}.png`));
    host.prompt(id, 'first', six);
    expect(() => host.prompt(id, 'second', six)).toThrow(/at most 10 images, with those of the queued prompt/);
    expect(view(id).queued).toBe('first');
    host.stop(id);
  });
});

describe('A rude agent', () => {
  const rude = async (steps: unknown[]): Promise<{ problem: string | null; items: AgentItem[]; state: string }> => {
    const { start, tell, ask, view } = await open();
    tell({ turns: [{ steps }] });
    const id = await start();
    const items = await ask(id, 'go');
    return { problem: view(id).problem, items, state: view(id).state };
  };

  it('That dies in a turn is told with its last words [issue 14.5]', async () => {
    const { problem, state } = await rude([{ say: 'Well.' }, { exit: 3 }]);
    expect(state).toBe('ended');
    expect(problem).toBe('It ended with exit code 3. It said: I had enough.');
  });

  it('That floods is ended [issue 14.5]', async () => {
    const { problem, state } = await rude([{ flood: true }]);
    expect(state).toBe('ended');
    expect(problem).toMatch(/^It wrote \d+ MB in [\d,]+ messages within ten seconds, so its process was ended\./);
  });

  it('That says ten megabytes at once is cut, and goes on [issue 14.5]', async () => {
    const { items, state } = await rude([{ long: 10_000_000 }, { say: 'end' }]);
    expect(state).toBe('idle');
    const [said] = ofKind(items, 'said');
    expect(said!.text.length + said!.cut).toBe(10_000_003);
    expect(said!.text.length).toBeLessThan(100_000);
  });

  it('That writes what is no message goes on [issue 14.5]', async () => {
    const { items, state } = await rude([{ garbage: true }, { say: 'still here' }]);
    expect(state).toBe('idle');
    expect(ofKind(items, 'said').map(({ text }) => text)).toEqual(['still here']);
  });

  it('That tells of a call which it never made has no row of the activity for it [issue 14.5]', async () => {
    const { items } = await rude([{ lie: 'evaluate-lisp', arguments: { code: '(delete-file "x")' } }]);
    expect(ofKind(items, 'call')).toMatchObject([{ tool: 'evaluate-lisp', status: 'done', call: null }]);
  });

  it('That fails tells how, and can be asked again [issue 14.5]', async () => {
    const { items, state } = await rude([{ fail: 'No model today.' }]);
    expect(state).toBe('idle');
    expect(items.at(-1)).toMatchObject({
      kind: 'notice',
      tone: 'error',
      text: expect.stringContaining('No model today.'),
    });
  });
});

describe('An agent that cannot be used', () => {
  it('Of another version of the protocol, or without MCP over HTTP, says so [issue 14.1]', async () => {
    const { start, tell, view } = await open();
    tell({ protocol: 7, turns: [] });
    expect(view(await start()).problem).toMatch(/speaks version 7 of the Agent Client Protocol/);
    tell({ withoutHttp: true, turns: [] });
    expect(view(await start()).problem).toMatch(/takes no MCP server over HTTP/);
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
          'Claude Code could not be started. It did not say which version of the Agent Client Protocol it speaks. Update the program.',
      },
    ]);
  });

  it('That ends at its start is told once, with its last words, and not with the write that failed [issue 14.1]', async () => {
    const { start, tell, view, folder, items } = await open();
    tell({ turns: [] });
    const program = path.join(folder, 'bin', 'claude-agent-acp');
    // In each of these it is another that notices first: the process, the connection, the write.
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
        'Claude Code could not be started. It ended with exit code 7. It said: No licence.',
      );
      // The panel has the reason; the conversation, in which nothing was said, has it not once more.
      expect(await items(id)).toEqual([]);
    }
  });

  it('Whose program cannot be run says that once [issue 14.1]', async () => {
    const { start, tell, view, items, folder } = await open();
    tell({ turns: [] });
    const program = path.join(folder, 'bin', 'claude-agent-acp');
    // The program removes itself once it has told its version.
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
      problem: expect.stringMatching(/^Claude Code wants you to log in/),
      logins: [{ id: 'word', title: 'Say the word', terminal: false }],
    });
    expect(() => host.prompt(id, 'go', [])).toThrow('wants you to log in');
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
      // The login is with the agent's own state, not with the person's.
      expect(existsSync(path.join(home, 'logged-in'))).toBe(true);
      expect(readdirSync(person)).toEqual([]);
      await expect(host.openLogin(id, 'word', size)).rejects.toThrow('does not ask for a login now');

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
    // The code is still needed.
    expect(view(id).page).toEqual({ ...page, isOpened: true });
    writeFileSync(loginPage.done, '');
    await login;
    expect(view(id)).toMatchObject({ state: 'idle', page: null });
    // A page that is gone is answered by nobody.
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
    await expect(host.login(id, 'word')).rejects.toThrow('Claude Code does not ask for a login now.');
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
      problem: expect.stringContaining('works in the mode “AUTO”'),
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
    expect(view(id).problem).toMatch(/^Claude Code wants you to log in/);
    await host.login(id, null);
    expect(view(id)).toMatchObject({
      state: 'login',
      problem: expect.stringMatching(/^Claude Code still wants you to log in/),
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
    // Words before the error do not count as work: some programs ask for the login in a message.
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
    // Of a turn that is over nobody says that it was interrupted.
    expect(ofKind(await host.items(id, null, 50), 'notice')).toEqual([]);
  });

  it('Is not started in a folder that nobody trusts, nor without one [issue 14.1]', async () => {
    const { test, host } = await open({ shared: true });
    Object.defineProperty(test.workbench, 'trusted', { value: false });
    await expect(host.start('claude-code', 'unconfined', null)).rejects.toThrow('Trust the folder first');
  });
});

describe('What an agent may do', () => {
  it('A call of the workbench’s tools is asked about once, in Review, and a question of the agent is answered at once [issue 14.2]', async () => {
    const { test, start, tell, host, until, items } = await open();
    tell({
      turns: [{ steps: [{ call: 'write-file', arguments: { path: 'a.txt', content: 'x' }, asks: true, says: true }] }],
    });
    const id = await start();
    host.prompt(id, 'write', []);
    const card = await nextCard(test.workbench.approvals);
    expect(card).toMatchObject({ tool: 'write-file', actor: { name: 'Claude Code here' } });
    await decideNext(test.workbench.approvals, YES);
    await until(id, ({ state }) => state === 'idle');
    expect(readFileSync(path.join(test.project, 'a.txt'), 'utf8')).toBe('x');
    expect(ofKind(await items(id), 'call')).toHaveLength(1);
    expect(test.workbench.approvals.view().decided).toHaveLength(1);
  });

  it('A call that an agent tells of only by asking for it is shown while the person is asked [issue 14.2]', async () => {
    const { test, start, tell, host, until, items } = await open();
    tell({ turns: [{ steps: [{ edit: '/project/cart.lisp', before: '(f)', after: '(g)' }] }] });
    const id = await start();
    host.prompt(id, 'go', []);
    expect((await nextCard(test.workbench.approvals)).headline).toBe(
      'Change /project/cart.lisp with a tool of Claude Code’s own',
    );
    expect(ofKind(await items(id), 'call')).toMatchObject([{ title: 'Edit /project/cart.lisp', status: 'pending' }]);
    await decideNext(test.workbench.approvals, NO);
    await until(id, ({ state }) => state === 'idle');
    // The agent told no end of it.
    expect(ofKind(await items(id), 'call')).toMatchObject([{ status: 'failed' }]);
  });

  it('A tool of its own waits in Review as the agent states it, and “always” is never chosen for it [issue 14.2]', async () => {
    const { test, start, tell, host, until, items, view } = await open();
    tell({
      turns: [
        {
          steps: [
            { shell: 'echo hello', asks: true },
            { shell: 'echo again', asks: true },
          ],
        },
      ],
    });
    const id = await start();
    host.prompt(id, 'go', []);
    const card = await nextCard(test.workbench.approvals);
    expect(card).toMatchObject({
      tool: 'own-tool',
      headline: 'Use a tool of Claude Code’s own: echo hello',
      arguments: [{ name: 'command', value: 'echo hello' }],
      facts: { undo: { reversible: false } },
      // A warning of the workbench is no word of the agent's.
      claim: null,
      rule: expect.stringContaining('the card shows what Claude Code says about it'),
    });
    // The conversation says that it waits, and for what.
    await until(id, ({ asks }) => asks);
    expect(ofKind(await items(id), 'call')).toMatchObject([{ title: 'echo hello', tool: null, status: 'pending' }]);
    await decideNext(test.workbench.approvals, YES);
    await decideNext(test.workbench.approvals, NO);
    await until(id, ({ state }) => state === 'idle');
    expect(view(id).asks).toBe(false);
    expect(ofKind(await items(id), 'said').map(({ text }) => text)).toEqual(['Did it: hello', 'I was not allowed to.']);
  });

  it('A request of a turn that is over waits for nobody [issue 14.2]', async () => {
    const { test, start, tell, ask, items, view } = await open();
    tell({ turns: [{ steps: [{ asksAside: 'echo hello' }] }] });
    const id = await start();
    await ask(id, 'go');
    await expect
      .poll(async () => ofKind(await items(id), 'said').map(({ text }) => text), { timeout: 30_000 })
      .toEqual(['cancelled']);
    expect(test.workbench.approvals.view().waiting).toEqual([]);
    expect(view(id).asks).toBe(false);
  });

  it('Closed off, a tool of its own is refused in words, and nobody is asked [issue 14.2]', async () => {
    const { test, start, tell, ask } = await open();
    tell({ turns: [{ steps: [{ shell: 'echo hello', asks: true }] }] });
    const items = await ask(await start('workbench-only'), 'go');
    expect(ofKind(items, 'said').map(({ text }) => text)).toEqual(['I was not allowed to.']);
    expect(ofKind(items, 'notice').map(({ text }) => text)).toEqual([
      'Claude Code asked to use a tool of its own: echo hello. It was refused, since Claude Code may act only through the workbench.',
    ]);
    expect(test.workbench.approvals.view().decided).toEqual([]);
  });

  it('In the sandbox its own tools write nothing of the project, whether or not they ask, and read no keys [issue 14.2]', async () => {
    const { test, start, tell, ask, person } = await open();
    writeFileSync(path.join(test.project, 'kept.lisp'), '(defun kept () 1)\n');
    for (const [name, file] of [
      ['.ssh', 'id_ed25519'],
      ['.aws', 'credentials'],
    ] as const) {
      mkdirSync(path.join(person, name));
      writeFileSync(path.join(person, name, file), 'a key of the person');
    }
    writeFileSync(path.join(person, '.netrc'), 'a key of the person');
    tell({
      turns: [
        {
          steps: [
            { shell: `echo x > ${path.join(test.project, 'kept.lisp')}` },
            { shell: `cat ${path.join(test.project, 'kept.lisp')}` },
            { shell: `cat ${person}/.ssh/* ${person}/.aws/* ${person}/.netrc; true` },
            { shell: 'echo ok > "$HOME/state" && cat "$HOME/state"' },
            { call: 'evaluate-lisp', arguments: { code: '(* 12 12)' }, says: true },
          ],
        },
      ],
    });
    const said = ofKind(await ask(await start('project-read-only'), 'go'), 'said')
      .map(({ text }) => text)
      .join('\n');
    expect(said).toMatch(/Read-only file system/);
    expect(said).toContain('Did it: (defun kept () 1)');
    expect(said).toContain('=> 144');
    expect(said).toContain('Did it: ok');
    expect(said).not.toContain('a key of the person');
    expect(readFileSync(path.join(test.project, 'kept.lisp'), 'utf8')).toBe('(defun kept () 1)\n');
  });

  it('A file that it writes through the host becomes hunks in Review, and it reads what the editor has [issue 14.2]', async () => {
    const { test, start, tell, host, until, items } = await open({
      recipe: { writesThroughHost: true },
    });
    const file = path.join(test.project, 'shop.lisp');
    writeFileSync(file, '(defun total () 1)\n');
    tell({ turns: [{ steps: [{ readFile: file }, { writeFile: file, content: '(defun total () 2)\n' }] }] });
    const id = await start();
    host.prompt(id, 'go', []);
    const card = await nextCard(test.workbench.approvals);
    expect(card.change?.hunks.map(({ title }) => title)).toEqual(['defun total']);
    await decideNext(test.workbench.approvals, YES);
    await until(id, ({ state }) => state === 'idle');
    expect(readFileSync(file, 'utf8')).toBe('(defun total () 2)\n');
    expect(
      ofKind(await items(id), 'said')
        .map(({ text }) => text)
        .join(''),
    ).toContain('It holds: (defun total () 1)');
  });
});

describe('An edit of an agent that writes through the host', () => {
  const edited = async (
    standing: AgentStanding,
    ...steps: ((file: string) => unknown)[]
  ): Promise<AgentTest & { id: string; file: string }> => {
    const agent = await open({ recipe: { writesThroughHost: true } });
    const file = path.join(agent.test.project, 'shop.lisp');
    writeFileSync(file, BEFORE);
    agent.tell({ turns: [{ steps: steps.map((step) => step(file)) }] });
    return { ...agent, file, id: await agent.start(standing) };
  };
  const BEFORE = '(defun total () 1)\n';
  const AFTER = '(defun total () 2)\n';
  const asks = (file: string): unknown => ({ edit: file, before: BEFORE, after: AFTER });
  const writes = (file: string): unknown => ({ writeFile: file, content: AFTER });
  const writesItself = (file: string): unknown => ({ shell: `echo lied > '${file}'` });
  const saidIn = (items: AgentItem[]): string =>
    ofKind(items, 'said')
      .map(({ text }) => text)
      .join(' ');

  it('Is asked about once in the sandbox, as hunks, and not before when it asks for permission [issue 14.2]', async () => {
    const { test, id, file, host, until, items } = await edited('project-read-only', asks, writes);
    host.prompt(id, 'go', []);
    const card = await nextCard(test.workbench.approvals);
    expect([card.tool, card.change?.hunks.map(({ title }) => title)]).toEqual(['write-file', ['defun total']]);
    await decideNext(test.workbench.approvals, NO);
    await until(id, ({ state }) => state === 'idle');
    expect(saidIn(await items(id))).toMatch(/^allowed ?Not written: /);
    expect(readFileSync(file, 'utf8')).toBe(BEFORE);
    expect(test.workbench.approvals.view().decided).toHaveLength(1);
  });

  it('Learns by an error that the person took only some of its hunks', async () => {
    const two = (file: string): unknown => ({ writeFile: file, content: `${AFTER}\n(defun tax () 3)\n` });
    const { test, id, file, host, until, items } = await edited('project-read-only', two);
    host.prompt(id, 'go', []);
    await decideNext(test.workbench.approvals, { decision: 'approved', hunks: [0] });
    await until(id, ({ state }) => state === 'idle');
    expect(readFileSync(file, 'utf8')).toBe(AFTER);
    expect(saidIn(await items(id))).toMatch(/^Not written: .*the person took 1 of 2 hunks.*tax.*Read the file again/s);
  });

  it('That is a lie gains nothing: its own process writes nothing, and each write through the host is asked about [issue 14.2]', async () => {
    const { test, id, file, host, until, items } = await edited(
      'project-read-only',
      asks,
      writesItself,
      writes,
      writes,
    );
    host.prompt(id, 'go', []);
    await decideNext(test.workbench.approvals, NO);
    await decideNext(test.workbench.approvals, NO);
    await until(id, ({ state }) => state === 'idle');
    expect(saidIn(await items(id))).toMatch(
      /^allowed ?Failed: .*Read-only file system ?Not written: .* ?Not written: /,
    );
    expect(readFileSync(file, 'utf8')).toBe(BEFORE);
    expect(test.workbench.approvals.view().decided).toHaveLength(2);
  });

  it('Keeps its card where nothing would hold a lie back, and a command keeps it everywhere [issue 14.2]', async () => {
    const { test, id, host, until } = await edited('unconfined', asks);
    host.prompt(id, 'go', []);
    expect(await nextCard(test.workbench.approvals)).toMatchObject({ tool: 'own-tool' });
    await decideNext(test.workbench.approvals, NO);
    await until(id, ({ state }) => state === 'idle');
    await host.close(id);
    opened?.tell({ turns: [{ steps: [{ shell: 'echo hello', asks: true }] }] });
    const closedOff = await opened!.start('project-read-only');
    host.prompt(closedOff, 'go', []);
    expect(await nextCard(test.workbench.approvals)).toMatchObject({ tool: 'own-tool' });
    await decideNext(test.workbench.approvals, NO);
    await until(closedOff, ({ state }) => state === 'idle');
  });
});

describe('A conversation', () => {
  it('Is kept with the project, and gone on with in the same session of the agent [issue 14.3]', async () => {
    const { start, tell, ask, host, view, until } = await open();
    tell({ turns: [{ steps: [{ say: 'Hello.' }] }] });
    const id = await start();
    await ask(id, 'greet me');
    await host.close(id);
    const [kept] = await host.conversations();
    expect(kept).toMatchObject({ id, program: 'claude-code', title: 'Claude Code', about: 'greet me', items: 2 });
    expect(kept).toMatchObject({ standing: 'unconfined' });
    expect((await host.items(id, null, 10)).map(({ kind }) => kind)).toEqual(['asked', 'said']);
    const again = await start('unconfined', id);
    expect(again).toBe(id);
    await until(id, ({ state }) => state === 'idle');
    expect(view(id).resumable).toBe(true);
    expect((await ask(id, 'once more')).map(({ kind }) => kind)).toEqual(['asked', 'said', 'asked', 'said']);
    await host.close(id);
    await host.forget(id);
    expect(await host.conversations()).toEqual([]);
  });

  it('Whose program ends in a turn says that this was interrupted, and what was not sent [issue 14.3]', async () => {
    const { start, tell, begin, host, folder } = await open();
    tell({ turns: [{ steps: [{ say: 'For ever.' }, { wait: 'ignore' }] }] });
    const id = await start();
    await begin(id, 'go');
    // The conversation is kept from the beginning of the turn on, so that the end of the whole program loses no prompt.
    await expect.poll(() => keptFiles(folder)).toEqual([`${id}.json`]);
    host.prompt(id, 'and then this', []);
    await host.dispose();
    expect(ofKind(await host.items(id, null, 10), 'notice').map(({ text }) => text)).toEqual([
      'This prompt was queued, and not sent: and then this',
      'The agent was ended while it worked: this turn was interrupted. Ask again to go on from here.',
    ]);
  });

  it('That its agent has forgotten is gone on with in a new session, and says so [issue 33.2]', async () => {
    const { start, tell, view, ask, host, items } = await open();
    tell({ turns: [{ steps: [{ say: 'One.' }] }] });
    const id = await start();
    await ask(id, 'first');
    await host.close(id);
    tell({ losesSessions: true, turns: [{ steps: [{ say: 'Two.' }] }] });
    await start('unconfined', id);
    expect(view(id).state).toBe('idle');
    await ask(id, 'second');
    expect(ofKind(await items(id), 'said').map(({ text }) => text)).toEqual(['One.', 'Two.']);
    expect(ofKind(await items(id), 'notice')).toMatchObject([
      { tone: 'warning', text: expect.stringMatching(/^Claude Code does not know this conversation any more \(/) },
    ]);
  });

  it('Is kept with the standing that its agent had the last time [issue 14.3]', async () => {
    const { start, tell, ask, host } = await open();
    tell({ turns: [{ steps: [{ say: 'Hello.' }] }] });
    const id = await start('project-read-only');
    await ask(id, 'greet me');
    await host.close(id);
    expect(await host.conversations()).toMatchObject([{ id, standing: 'project-read-only' }]);
    await start('workbench-only', id);
    await host.close(id);
    expect(await host.conversations()).toMatchObject([{ id, standing: 'workbench-only' }]);
  });

  it('With calls whose ids an agent gives again in its next process keeps the earlier ones as they were [issue 14.3]', async () => {
    const { start, tell, ask, host } = await open();
    // The scripted agent counts its calls from 1 in each process.
    tell({
      turns: [
        { when: 'first', steps: [{ call: 'evaluate-lisp', arguments: { code: '(+ 1 1)' } }] },
        { when: 'second', steps: [{ call: 'evaluate-lisp', arguments: { code: '(* 6 7)' } }, { say: 'Done.' }] },
      ],
    });
    const id = await start();
    await ask(id, 'first');
    await host.end(id);
    await start('unconfined', id);
    const items = await ask(id, 'second');
    expect(items.map(({ kind }) => kind)).toEqual(['asked', 'call', 'asked', 'call', 'said']);
    expect(ofKind(items, 'call').map(({ input, output }) => [JSON.parse(input.text).code, output.text])).toEqual([
      ['(+ 1 1)', '=> 2'],
      ['(* 6 7)', '=> 42'],
    ]);
  });

  it('Whose agent still runs has no second one, and one that is gone on with twice at once has one [issue 14.3]', async () => {
    const { test, start, tell, ask, host, view } = await open();
    tell({ turns: [{ steps: [{ say: 'Hello.' }] }] });
    const id = await start();
    await ask(id, 'greet me');
    const process = view(id).process!;
    expect(await host.start('claude-code', 'unconfined', id)).toBe(id);
    expect(view(id)).toMatchObject({ state: 'idle', process: { pid: process.pid } });
    await host.end(id);
    const both = await Promise.all([
      host.start('claude-code', 'unconfined', id),
      host.start('claude-code', 'unconfined', id),
    ]);
    expect(both).toEqual([id, id]);
    expect(host.list()).toHaveLength(1);
    const names = test.workbench.clients.list().map(({ name }) => name);
    expect(names.filter((name) => name.startsWith('Claude'))).toEqual(['Claude Code here']);
  });

  it('Can be gone on with in its own project alone, and is told so [issue 14.3]', async () => {
    const { test, start, tell, ask, host, view, folder } = await open();
    tell({ turns: [{ steps: [{ say: 'Hello.' }] }] });
    const id = await start();
    await ask(id, 'greet me');
    const other = path.join(folder, 'other');
    mkdirSync(other);
    const { root } = test.workbench.project;
    await test.workbench.openProject(other);
    host.projectChanged();
    expect(view(id)).toMatchObject({
      state: 'ended',
      problem: expect.stringMatching(/^Another folder was opened/),
      resumable: false,
    });
    await test.workbench.openProject(root!);
    host.projectChanged();
    expect(view(id).resumable).toBe(true);
  });

  it('That cannot be kept says so once, and is kept as soon as it can be [issue 14.3]', async () => {
    const { start, tell, ask, host, view, until, folder } = await open();
    tell({ turns: [{ steps: [{ say: 'Hello.' }] }] });
    const id = await start();
    const place = path.join(folder, 'state', 'agents', 'conversations');
    writeFileSync(place, 'a file where a folder is wanted');
    const unkept = async (): Promise<string[]> =>
      ofKind(await host.items(id, null, 50), 'notice')
        .map(({ text }) => text)
        .filter((text) => text.startsWith('This conversation could not be kept with the project.'));
    await ask(id, 'one');
    await expect.poll(unkept).toHaveLength(1);
    await ask(id, 'two');
    rmSync(place);
    await ask(id, 'three');
    await host.end(id);
    await until(id, ({ process }) => process === null);
    expect(view(id).state).toBe('ended');
    expect(await unkept()).toHaveLength(1);
    expect((await host.conversations()).map(({ about }) => about)).toEqual(['one']);
  });

  it('Whose agent ends in a turn says so, and the prompt that was queued can be taken back [issue 14.3]', async () => {
    const { start, tell, begin, host, view, items } = await open();
    tell({ turns: [{ steps: [{ say: 'Waiting.' }, { wait: 'cancel' }] }] });
    const id = await start();
    await begin(id, 'go');
    const chip = { kind: 'form', title: 'form in a.lisp, line 1', text: '(f)' } as const;
    host.prompt(id, 'and then this', [chip]);
    await host.end(id);
    expect((await items(id)).at(-1)).toMatchObject({
      kind: 'notice',
      text: expect.stringContaining('this turn was interrupted'),
    });
    expect(view(id).queued).toBe('and then this');
    expect(host.unqueue(id)).toEqual({ text: 'and then this', context: [chip] });
    expect(view(id).queued).toBeNull();
    expect(host.unqueue(id)).toBeNull();
  });
});
