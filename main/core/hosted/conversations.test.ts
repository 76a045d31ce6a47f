import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentTests, ofKind } from './hosted.fixture.ts';

const open = agentTests();

/** Returns the names of the files of saved conversations. */
const keptFiles = (folder: string): string[] =>
  readdirSync(path.join(folder, 'state', 'agents', 'conversations'), { recursive: true })
    .map((name) => path.basename(String(name)))
    .filter((name) => name.endsWith('.json'));

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
    // The conversation is saved at the beginning of the turn, so that no prompt is lost if the program crashes.
    await expect.poll(() => keptFiles(folder)).toEqual([`${id}.json`]);
    host.prompt(id, 'and then this', []);
    await host.dispose();
    expect(ofKind(await host.items(id, null, 10), 'notice').map(({ text }) => text)).toEqual([
      'This prompt was queued but not sent: and then this',
      'The agent ended during this turn. Ask again to continue from here.',
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
      { tone: 'warning', text: expect.stringMatching(/^Claude Code no longer has this conversation \(/) },
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
      problem: expect.stringMatching(/^The agent ended because another folder was opened/),
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
        .filter((text) => text.startsWith('This conversation could not be saved with the project.'));
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
      text: expect.stringContaining('ended during this turn'),
    });
    expect(view(id).queued).toBe('and then this');
    expect(host.unqueue(id)).toEqual({ text: 'and then this', context: [chip] });
    expect(view(id).queued).toBeNull();
    expect(host.unqueue(id)).toBeNull();
  });
});
