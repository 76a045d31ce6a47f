import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentItem, PromptContext } from '#contract/clients/hosted-agent.ts';
import { claudeCode } from './recipes/claude-code.ts';
import { agentTests, ofKind } from './hosted.fixture.ts';

const open = agentTests();

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
    expect(problem).toBe('Claude Code continued although its turn was stopped, so its process was ended.');
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
    // Another prompt is appended to the queued one, so that no text is lost.
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
      'Claude Code does not accept images. Remove the images to send the text.',
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
    expect(() => host.prompt(id, 'second', six)).toThrow(/at most 10 images, including those of the queued prompt/);
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
    expect(problem).toBe('The agent ended with exit code 3. It said: I had enough.');
  });

  it('That floods is ended [issue 14.5]', async () => {
    const { problem, state } = await rude([{ flood: true }]);
    expect(state).toBe('ended');
    expect(problem).toMatch(
      /^The agent wrote \d+ MB in [\d,]+ messages within ten seconds, so its process was ended\./,
    );
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
