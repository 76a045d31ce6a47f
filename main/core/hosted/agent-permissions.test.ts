import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentItem, AgentStanding } from '#contract/clients/hosted-agent.ts';
import { decideNext, nextCard } from '#core/approvals/decide.fixture.ts';
import { agentTests, ofKind, type AgentTest } from './hosted.fixture.ts';

const open = agentTests();

const YES = { decision: 'approved' } as const;

const NO = { decision: 'denied', reason: 'No.' } as const;

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
      'Change /project/cart.lisp with Claude Code’s own tool',
    );
    expect(ofKind(await items(id), 'call')).toMatchObject([{ title: 'Edit /project/cart.lisp', status: 'pending' }]);
    await decideNext(test.workbench.approvals, NO);
    await until(id, ({ state }) => state === 'idle');
    // The agent did not report the end of the call, so the workbench marks it as failed.
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
      headline: 'Use Claude Code’s own tool: echo hello',
      arguments: [{ name: 'command', value: 'echo hello' }],
      facts: { undo: { reversible: false } },
      // The card's text is a warning from the workbench, not a claim by the agent.
      claim: null,
      rule: expect.stringContaining('the card shows Claude Code’s description of it'),
    });
    // The conversation shows that the agent is waiting, and which call it is waiting for.
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
      'Claude Code asked to use its own tool: echo hello. The workbench refused, because Claude Code may act only through the workbench.',
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
    expect(saidIn(await items(id))).toMatch(
      /^Not written: .*the person accepted 1 of 2 hunks.*tax.*Read the file again/s,
    );
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
    const { test, id, host, until, tell, start } = await edited('unconfined', asks);
    host.prompt(id, 'go', []);
    expect(await nextCard(test.workbench.approvals)).toMatchObject({ tool: 'own-tool' });
    await decideNext(test.workbench.approvals, NO);
    await until(id, ({ state }) => state === 'idle');
    await host.close(id);
    tell({ turns: [{ steps: [{ shell: 'echo hello', asks: true }] }] });
    const closedOff = await start('project-read-only');
    host.prompt(closedOff, 'go', []);
    expect(await nextCard(test.workbench.approvals)).toMatchObject({ tool: 'own-tool' });
    await decideNext(test.workbench.approvals, NO);
    await until(closedOff, ({ state }) => state === 'idle');
  });
});
