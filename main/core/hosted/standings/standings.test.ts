/** The guarantees of each access level. A real process violates them in its reports, offers and actions. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openAgentTest, type AgentTest } from '../hosted.fixture.ts';
import { claudeCode } from '../recipes/claude-code.ts';

let opened: AgentTest | null = null;
afterEach(async () => {
  await opened?.close();
  opened = null;
});

async function open(...args: Parameters<typeof openAgentTest>): Promise<AgentTest> {
  opened = await openAgentTest(...args);
  return opened;
}

const mode = (id: string): { id: string; name: string } => ({ id, name: id.toUpperCase() });
const NOTHING = { turns: [] };

/** Returns the processes that check agents' tools, which are found by their sandboxes. */
function checks(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        return line.startsWith('/usr/bin/bwrap') && line.includes(`${opened!.folder}/state/agents/claude-code/check`)
          ? [pid]
          : [];
      } catch {
        return []; // The process has ended in the meantime.
      }
    });
}

describe('A standing', () => {
  it('An agent that starts in a mode in which a model decides is put into one that asks, in every standing [issue 33.2]', async () => {
    const { tell, start, view } = await open();
    tell({ ...NOTHING, modes: ['auto', 'plan', 'default', 'bypassPermissions'].map(mode) });
    const closed = view(await start('project-read-only'));
    expect(closed).toMatchObject({ state: 'idle', pickers: [{ id: 'mode', value: 'default' }] });
    expect(closed.pickers[0]!.choices.map(({ value }) => value)).toEqual(['plan', 'default']);
    const free = view(await start('unconfined'));
    expect(free.pickers[0]!.value).toBe('default');
    expect(free.pickers[0]!.choices).toHaveLength(4);
  });

  it.each(['project-read-only', 'workbench-only'] as const)(
    'An agent that keeps such a mode is ended in the standing %s, with the looser one by its name [issue 33.2]',
    async (standing) => {
      const { tell, start, view } = await open();
      tell({ ...NOTHING, keepsMode: true, modes: ['auto', 'bypassPermissions'].map(mode) });
      expect(view(await start(standing))).toMatchObject({
        state: 'ended',
        looser: 'unconfined',
        problem: expect.stringContaining('is in the mode “AUTO”, which acts without asking'),
      });
      expect(view(await start('unconfined'))).toMatchObject({ state: 'idle', looser: null });
    },
  );

  it('An agent that changes to such a mode by itself is put back, and ended where it does not stay [issue 33.2]', async () => {
    const { tell, start, view, ask, host, until } = await open();
    const turns = [{ steps: [{ mode: 'bypassPermissions' }, { say: 'Free.' }] }];
    tell({ modes: ['default', 'bypassPermissions'].map(mode), turns });
    const id = await start('project-read-only');
    await ask(id, 'go');
    await until(id, ({ pickers, state }) => state === 'idle' && pickers.every(({ value }) => value === 'default'));
    tell({ modes: ['default', 'bypassPermissions'].map(mode), keepsMode: true, turns });
    const other = await start('project-read-only');
    host.prompt(other, 'go', []);
    await until(other, ({ state }) => state === 'ended');
    expect(view(other).looser).toBe('unconfined');
  });

  it.each([
    ['is put back', false, { state: 'idle', looser: null }],
    ['is ended where it does not stay', true, { state: 'ended', looser: 'unconfined' }],
  ])(
    'An agent that changes to such a mode while it is being started %s before it is ready [issue 33.2]',
    async (_how, keepsMode, expected) => {
      const { tell, start, view } = await open();
      const modes = ['default', 'plan', 'bypassPermissions'].map(mode);
      tell({ ...NOTHING, keepsMode, drifts: 'bypassPermissions', modes });
      const agent = view(await start('project-read-only'));
      expect(agent).toMatchObject(expected);
      expect(agent.pickers[0]?.value).not.toBe(keepsMode ? 'default' : 'bypassPermissions');
    },
  );

  it('An option that is on or off and lets the agent act unasked is off where it is closed off, and a choice elsewhere [issue 33.2]', async () => {
    const { tell, start, view, host } = await open();
    tell({ ...NOTHING, switches: { auto_approve: true, thinking: false } });
    const closed = await start('project-read-only');
    expect(view(closed)).toMatchObject({ state: 'idle', pickers: [{ id: 'thinking', value: 'off' }] });
    await host.choose(closed, 'thinking', 'on');
    expect(view(closed).pickers[0]!.value).toBe('on');
    await expect(host.choose(closed, 'auto_approve', 'on')).rejects.toThrow('no longer offers that mode');
    const free = await start('unconfined');
    expect(view(free).pickers[0]).toMatchObject({ id: 'auto_approve', value: 'off' });
    await host.choose(free, 'auto_approve', 'on');
    expect(view(free).pickers[0]!.value).toBe('on');
  });

  it('Corrections of one turn do not count against an agent in the next [issue 33.2]', async () => {
    const { tell, start, view, ask, until } = await open();
    tell({
      modes: ['default', 'plan', 'bypassPermissions'].map(mode),
      turns: [{ steps: [{ mode: 'bypassPermissions' }, { say: 'Free.' }] }],
    });
    const id = await start('project-read-only');
    for (let turn = 0; turn < 8; turn += 1) {
      await ask(id, 'go');
      await until(id, ({ pickers, state }) => state === 'ended' || pickers[0]!.value === 'default');
    }
    expect(view(id).state).toBe('idle');
  });

  it('What an agent with tools of its own leaves in its home is not there where it acts only through the workbench [issue 33.2]', async () => {
    const { tell, start, ask, view, folder } = await open();
    tell({ turns: [{ steps: [{ shell: 'mkdir -p $HOME/.claude && touch $HOME/.claude/hooks' }] }] });
    await ask(await start('project-read-only'), 'go');
    const homes = path.join(folder, 'state', 'agents', 'claude-code');
    expect(existsSync(path.join(homes, 'home', '.claude', 'hooks'))).toBe(true);
    tell(NOTHING);
    expect(view(await start('workbench-only')).state).toBe('idle');
    expect(existsSync(path.join(homes, 'home-workbench-only', '.claude'))).toBe(false);
  });

  it('An agent that puts a link or a pipe into its home has nothing written through it at its next start, and that is recorded [issue 34.1]', async () => {
    const files = { 'settings.json': '{}', 'deep/config.toml': 'x = 1' };
    const { tell, start, ask, view, person, folder, test } = await open({
      recipe: { launch: (request) => ({ ...claudeCode.launch(request), files }) },
    });
    const profile = path.join(person, '.profile');
    writeFileSync(profile, 'mine');
    const shell = `rm -rf $HOME/settings.json $HOME/deep && ln -s ${profile} $HOME/settings.json && mkdir $HOME/deep && mkfifo $HOME/deep/config.toml`;
    tell({ turns: [{ steps: [{ shell }] }] });
    await ask(await start('project-read-only'), 'go');
    const refusals: string[] = [];
    test.workbench.activity.events.on('added', (event) => {
      if (event.kind === 'client-changed' && event.change === 'refused')
        refusals.push(`${event.actor.name}: ${event.summary}`);
    });
    tell({ turns: [{ steps: [{ shell: 'rm -rf $HOME/deep && ln -s / $HOME/deep' }] }] });
    const second = await start('project-read-only');
    expect(view(second).state).toBe('idle');
    const home = path.join(folder, 'state', 'agents', 'claude-code', 'home');
    expect([readFileSync(profile, 'utf8'), readFileSync(path.join(home, 'settings.json'), 'utf8')]).toEqual([
      'mine',
      '{}',
    ]);
    await ask(second, 'go');
    expect(view(await start('project-read-only'))).toMatchObject({
      state: 'ended',
      problem: expect.stringContaining(
        'deep is a link or a file where a folder is expected. Delete it, and try again.',
      ),
    });
    const replaced = (name: string) => expect.stringContaining(`had replaced ${name} in its home folder`);
    expect(refusals).toEqual([
      replaced('settings.json'),
      replaced('deep/config.toml'),
      expect.stringContaining('is a link or a file where a folder is expected'),
    ]);
  });

  it('A check that is cancelled leaves no process, and the next one looks for itself [issue 33.2]', async () => {
    const { tell, host, start, until, view } = await open();
    tell({ ...NOTHING, silent: true });
    const first = await host.start('claude-code', 'workbench-only', null);
    const second = await host.start('claude-code', 'workbench-only', null);
    await expect.poll(checks).not.toEqual([]);
    tell(NOTHING);
    await host.end(first);
    // The process that checked the tools of the ended agent has ended too. A separate process checked the other agent's tools.
    await until(second, ({ state }) => state !== 'starting');
    expect(view(second)).toMatchObject({ state: 'idle', looser: null });
    expect(checks()).toEqual([]);
    expect(view(await start('workbench-only')).state).toBe('idle');
  });

  it('An agent that offers its model tools of its own does not act only through the workbench, and that is looked at once for each state of its program [issue 33.2]', async () => {
    const { tell, start, view, host, folder } = await open();
    const file = path.join(folder, 'state', 'agents', 'claude-code', 'checked-tools.json');
    tell({ ...NOTHING, offers: ['Bash', 'Write'] });
    const refused = view(await start('workbench-only'));
    expect(refused).toMatchObject({
      state: 'ended',
      looser: 'project-read-only',
      problem: expect.stringMatching(/offers its model other tools that could not be switched off: Bash, Write\./),
    });
    expect(JSON.parse(readFileSync(file, 'utf8')).tools).toContain('Bash');
    // The program is unchanged, so its tools are not checked again.
    tell({ ...NOTHING, silent: true });
    expect(view(await start('workbench-only')).problem).toContain('Bash, Write');
    tell({ ...NOTHING, offers: ['Bash'] });
    expect(view(await start('project-read-only')).state).toBe('idle');
    expect(host.list()).toHaveLength(3);
    expect(existsSync(path.join(folder, 'state', 'agents', 'claude-code', 'check'))).toBe(false);
  });

  it('An agent that offers ours alone acts through the workbench, also where what was kept of that is damaged [issue 33.2]', async () => {
    const { tell, start, view, folder } = await open();
    mkdirSync(path.join(folder, 'state', 'agents', 'claude-code'), { recursive: true });
    writeFileSync(path.join(folder, 'state', 'agents', 'claude-code', 'checked-tools.json'), '{"version":1,"key":');
    tell(NOTHING);
    expect(view(await start('workbench-only'))).toMatchObject({ state: 'idle', looser: null });
  });

  it('A pipe in the place of what was kept of its tools is neither waited for nor believed [issue 34.1]', async () => {
    const { tell, start, view, folder } = await open();
    const file = path.join(folder, 'state', 'agents', 'claude-code', 'checked-tools.json');
    mkdirSync(path.dirname(file), { recursive: true });
    execFileSync('mkfifo', [file]);
    tell({ ...NOTHING, offers: ['Bash'] });
    expect(view(await start('workbench-only'))).toMatchObject({ state: 'ended', looser: 'project-read-only' });
    expect(JSON.parse(readFileSync(file, 'utf8')).tools).toContain('Bash');
  });

  it('The folder in which an agent without tools of its own works is empty at each start [issue 34.1]', async () => {
    const { tell, start, ask, folder } = await open();
    tell({ turns: [{ steps: [{ shell: 'touch .mcp.json 2>&1; ls -A' }] }] });
    const text = (await ask(await start('workbench-only'), 'go'))
      .map((item) => ('text' in item ? item.text : ''))
      .join();
    expect(text).toContain('Read-only file system');
    expect(readdirSync(path.join(folder, 'state', 'agents', 'claude-code', 'empty'))).toEqual([]);
  });

  it('An agent whose tools cannot be seen is not started as if they were known [issue 33.2]', async () => {
    const { tell, start, view } = await open();
    tell({ ...NOTHING, withoutHttp: true, protocol: 7 });
    expect(view(await start('workbench-only'))).toMatchObject({
      state: 'ended',
      problem: expect.stringContaining('The tools of Claude Code could not be checked: The agent uses version 7'),
    });
  });

  it('An agent is ready once it has asked for our tools, and one that does not is told of [issue 33.2]', async () => {
    const { tell, start, view } = await open({ listingMs: 300 });
    tell({ ...NOTHING, listsNoTools: true });
    expect(view(await start())).toMatchObject({
      state: 'idle',
      problem: expect.stringContaining('has not requested the tools of Lisp Workbench yet'),
    });
    tell(NOTHING);
    expect(view(await start())).toMatchObject({ state: 'idle', problem: null });
  });

  it('A request for permission that can only be granted is cancelled, and nobody is asked [issue 33.2]', async () => {
    const { tell, start, ask, test } = await open();
    tell({ takesNoNo: true, turns: [{ steps: [{ shell: 'true', asks: true }] }] });
    const items = await ask(await start('project-read-only'), 'go');
    expect(items).toContainEqual(expect.objectContaining({ kind: 'notice', tone: 'warning' }));
    expect(items).toContainEqual(expect.objectContaining({ kind: 'said', text: 'I was not allowed to.' }));
    expect(test.workbench.approvals.view().waiting).toEqual([]);
  });
});
