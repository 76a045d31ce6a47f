import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hostedAgentCalls, type AgentProgram } from '#contract/clients/hosted-agent.ts';
import { AgentPrograms, standingsOf } from './agent-programs.ts';
import { serveArchives, tarGzOf } from '../archives/archives.fixture.ts';
import { Catalog } from '../catalog/catalog.ts';
import { platformName } from '../catalog/listed-recipe.ts';
import { opencode } from '../recipes/opencode.ts';
import type { Recipe } from '../recipes/recipe.ts';

const recipe: Recipe = {
  ...opencode,
  id: 'some',
  title: 'Agent',
  program: 'agent',
  package: { name: '@some/agent', version: '1.2.3', megabytes: 1 },
  installed: ['node_modules/@some/agent/run'],
};

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'agents-')));
  mkdirSync(path.join(root, 'bin'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function program(name: string, script: string): void {
  const file = path.join(root, 'bin', name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

function programs(
  sandboxProblem: string | null = null,
  more: Partial<ConstructorParameters<typeof AgentPrograms>[0]> = {},
): AgentPrograms {
  return new AgentPrograms({
    folder: path.join(root, 'state'),
    environment: { PATH: [path.join(root, 'bin'), '/usr/bin', '/bin'].join(path.delimiter) },
    project: () => null,
    sandboxProblem: () => Promise.resolve(sandboxProblem),
    recipes: [recipe],
    ...more,
  });
}

const INSTALLS = String.raw`mkdir -p node_modules/@some/agent; printf '#!/bin/sh\necho 1.2.3\n' > node_modules/@some/agent/run; chmod +x node_modules/@some/agent/run`;

const manifest = (version: string): string =>
  `echo '{"version":"${version}"}' > node_modules/@some/agent/package.json; sed -i s/1.2.3/${version}/ node_modules/@some/agent/run`;

describe('agent programs', () => {
  it('A program that is not there is missing, with the command that installs it and the standings that it will have [issue 14.1]', async () => {
    const [seen] = await programs().look();
    expect(
      hostedAgentCalls['hosted.look'].output.parse({ programs: [seen], list: programs().source }).programs[0],
    ).toEqual({
      id: 'some',
      title: 'Agent',
      description: '',
      page: null,
      recipe: true,
      state: 'missing',
      version: null,
      tried: '1.2.3',
      newest: '1.2.3',
      megabytes: 1,
      place: null,
      command: null,
      own: false,
      update: null,
      problem: null,
      install: 'npm install --ignore-scripts @some/agent@latest',
      standings: ['workbench-only', 'project-read-only', 'unconfined'],
      limits: null,
      unasked: recipe.unasked,
    });
  });

  it('An installation goes from installing to ready by itself [issue 14.1]', async () => {
    program('npm', INSTALLS);
    const all = programs();
    await all.look();
    const states: AgentProgram['state'][] = [];
    all.events.on('changed', ([some]) => states.push(some!.state));
    all.install('some');
    all.install('some'); // another click changes nothing
    await all.installed('some');
    expect([new Set(states), states.at(-1), all.list[0]!.version]).toEqual([
      new Set(['installing', 'ready']),
      'ready',
      '1.2.3',
    ]);
    expect((await all.ready('some')).found.version).toBe('1.2.3');
  });

  it('A failed installation stays told until the next one begins [issue 14.1]', async () => {
    program('npm', 'echo "npm error code ENOSPC" >&2; exit 1');
    const all = programs();
    all.install('some');
    await all.installed('some');
    expect(all.list[0]!.problem).toMatch(/^Agent was not installed: the disk is full/);
    expect((await all.look())[0]!.problem).toMatch(/disk is full/);
    program('npm', INSTALLS);
    all.install('some');
    await all.installed('some');
    expect(all.list[0]!.problem).toBeNull();
  });

  it('A cancelled installation leaves the program missing, without a problem [issue 14.1]', async () => {
    program('npm', 'exec sleep 1000');
    const all = programs();
    all.install('some');
    await all.cancelInstall('some');
    expect([all.list[0]!.state, all.list[0]!.problem]).toEqual(['missing', null]);
  });

  it('A program that is not there cannot be made ready, and the refusal says what to do [issue 14.1]', async () => {
    await expect(programs().ready('some')).rejects.toThrow(
      'Agent is not installed. Install it here, or in another way, so that "agent" is on the path.',
    );
    await expect(programs().ready('other')).rejects.toThrow('There is no agent "other". Available agents: some.');
  });

  it('A program that the workbench installed is updated where npm knows a newer version, and an update that fails leaves it as it is [issue 33.2]', async () => {
    const npm = (newest: string, then: string): void =>
      program('npm', `[ "$1" = view ] && { echo ${newest}; exit; }\n${then}\n${manifest(newest)}`);
    npm('1.2.3', INSTALLS);
    const all = programs();
    all.install('some');
    await all.installed('some');
    expect(all.list[0]).toMatchObject({ own: true, version: '1.2.3', update: null });
    await all.refresh();
    expect(all.list[0]).toMatchObject({ version: '1.2.3', update: null });
    npm('1.3.0', 'echo "npm error code ENOSPC" >&2; exit 1');
    await all.refresh();
    expect(all.list[0]).toMatchObject({ state: 'ready', version: '1.2.3', newest: '1.3.0', update: '1.3.0' });
    all.install('some');
    await all.installed('some');
    expect(all.list[0]).toMatchObject({ state: 'ready', version: '1.2.3', update: '1.3.0' });
    expect(all.list[0]!.problem).toMatch(/disk is full/);
    expect((await all.ready('some')).found.version).toBe('1.2.3');
    npm('1.3.0', INSTALLS);
    all.install('some');
    await all.installed('some');
    expect(all.list[0]).toMatchObject({ version: '1.3.0', update: null, problem: null });
    expect(readdirSync(path.join(root, 'state/some'))).toEqual(['program']);
  });

  it('An update that was ended while it took its place is undone at the next look [issue 33.2]', async () => {
    program('npm', INSTALLS);
    const all = programs();
    all.install('some');
    await all.installed('some');
    renameSync(path.join(root, 'state/some/program'), path.join(root, 'state/some/program.old'));
    expect((await programs().look())[0]!.state).toBe('ready');
    expect(readdirSync(path.join(root, 'state/some'))).toEqual(['program']);
  });

  it('A program of the person’s is not updated or removed, whatever is newest [issue 33.2]', async () => {
    program('agent', 'echo 1.0.0');
    program('npm', 'echo 9.9.9');
    const all = programs();
    await all.refresh();
    expect(all.list[0]).toMatchObject({ state: 'ready', version: '1.0.0', own: false, update: null });
    await expect(all.remove('some', true)).rejects.toThrow(
      'Agent was not installed by the workbench. Remove it the way you installed it.',
    );
    expect(existsSync(path.join(root, 'bin/agent'))).toBe(true);
  });

  it.each([
    [false, ['some', 'some/home']],
    [true, []],
  ])(
    'Remove deletes the installation, and the state where the person says so: %j [issue 33.2]',
    async (state, left) => {
      program('npm', INSTALLS);
      const all = programs();
      all.install('some');
      await all.installed('some');
      mkdirSync(path.join(root, 'state/some/home'));
      const states: AgentProgram['state'][] = [];
      all.events.on('changed', ([some]) => states.push(some!.state));
      await all.remove('some', state);
      expect([...new Set(states)]).toEqual(['removing', 'missing']);
      expect(new Set(readdirSync(path.join(root, 'state'), { recursive: true, encoding: 'utf8' }))).toEqual(
        new Set(left),
      );
    },
  );

  it('Neither an update nor a removal touches the files of an agent that runs [issue 33.2]', async () => {
    program('npm', INSTALLS);
    let runs = false;
    const all = programs(null, { runs: () => runs });
    all.install('some');
    await all.installed('some');
    runs = true;
    expect(() => all.install('some')).toThrow(
      'Agent is running. End it first: its files cannot be replaced while it runs.',
    );
    await expect(all.remove('some', true)).rejects.toThrow(
      'Agent is running. End it first: its files cannot be removed',
    );
    expect((await all.look())[0]).toMatchObject({ state: 'ready', problem: null });
  });

  it('A program that is being installed is not started [issue 33.2]', async () => {
    program('npm', 'exec sleep 1000');
    const all = programs();
    all.install('some');
    await expect(all.ready('some')).rejects.toThrow('Agent is being installed. Start it after that.');
    await all.cancelInstall('some');
  });

  it('A program of the list is installed and found by its package [issue 33.2]', async () => {
    program(
      'npm',
      `mkdir -p node_modules/listed; cd node_modules/listed\necho '{"version":"2.0.0","bin":"run.mjs"}' > package.json; touch run.mjs`,
    );
    const file = path.join(root, 'registry.json');
    const agents = [
      {
        id: 'listed',
        name: 'Listed',
        version: '1.0.0',
        description: 'd',
        distribution: { npx: { package: 'listed' } },
      },
    ];
    writeFileSync(file, JSON.stringify({ version: 1, at: 1, leftOut: 0, agents }));
    const all = programs(null, { catalog: new Catalog({ file, environment: {} }) });
    await all.look();
    expect(all.source).toEqual({ at: 1, problem: null, leftOut: 0 });
    all.install('registry-listed');
    await all.installed('registry-listed');
    expect(all.list.find(({ id }) => id === 'registry-listed')).toMatchObject({
      recipe: false,
      state: 'ready',
      version: '2.0.0',
      tried: null,
      standings: ['project-read-only', 'unconfined'],
      limits: expect.stringContaining('cannot be switched off reliably'),
    });
    expect((await all.ready('registry-listed')).found).toMatchObject({ script: true });
  });

  it('An archive of the list is installed, started from there, updated when the list names a newer version, and removed wholly [issue 33.2]', async () => {
    await using server = await serveArchives();
    const packed = (says: string): Buffer => tarGzOf([{ path: 'dist/agent', text: `#!/bin/sh\necho ${says}\n` }]);
    server.sends(packed('first'));
    const platform = platformName(process.platform, process.arch);
    let version = '1.0.0';
    await using registry = await serveArchives();
    registry.answer = (_request, response) => {
      const binary = { [platform]: { archive: server.address, cmd: './dist/agent', args: ['acp'] } };
      const elsewhere = { 'plan9-x86_64': { archive: server.address, cmd: 'agent' } };
      const agents = [
        { id: 'archived', name: 'Archived', version, description: 'd', distribution: { binary } },
        { id: 'elsewhere', name: 'Elsewhere', version, description: 'd', distribution: { binary: elsewhere } },
      ];
      response.end(JSON.stringify({ version: '1.0.0', agents }));
    };
    const file = path.join(root, 'state', 'registry.json');
    const all = programs(null, { catalog: new Catalog({ file, address: registry.address, environment: {} }) });
    const of = (id: string): AgentProgram => all.list.find((each) => each.id === `registry-${id}`)!;
    await all.refresh();
    expect(of('archived')).toMatchObject({
      state: 'missing',
      newest: '1.0.0',
      install: `Download ${server.address} (the list has no checksum for it)`,
    });
    expect(of('elsewhere')).toMatchObject({ state: 'missing', install: null });
    expect(() => all.install('registry-elsewhere')).toThrow(`The list has no Elsewhere for this system (${platform}).`);
    all.install('registry-archived');
    await all.installed('registry-archived');
    const place = path.join(root, 'state/registry-archived/program/files/dist/agent');
    expect(of('archived')).toMatchObject({
      state: 'ready',
      version: '1.0.0',
      own: true,
      update: null,
      place,
      command: `${place} acp`,
      standings: ['project-read-only', 'unconfined'],
    });
    expect((await all.ready('registry-archived')).found).toEqual({ place, version: null });

    version = '1.1.0';
    server.sends(packed('second').subarray(0, -9));
    await all.refresh();
    expect(of('archived')).toMatchObject({ version: '1.0.0', newest: '1.1.0', update: '1.1.0' });
    all.install('registry-archived');
    await all.installed('registry-archived');
    expect(of('archived')).toMatchObject({
      state: 'ready',
      version: '1.0.0',
      update: '1.1.0',
      problem: expect.stringMatching(/^Archived was not installed\. The archive is damaged/),
    });
    expect(execFileSync(place, { encoding: 'utf8' })).toBe('first\n');
    server.sends(packed('second'));
    all.install('registry-archived');
    await all.installed('registry-archived');
    expect(of('archived')).toMatchObject({ state: 'ready', version: '1.1.0', update: null, problem: null });
    expect(execFileSync(place, { encoding: 'utf8' })).toBe('second\n');

    await all.remove('registry-archived', true);
    expect(of('archived')).toMatchObject({ state: 'missing', own: false });
    expect(readdirSync(path.join(root, 'state'))).toEqual(['registry.json']);
  });

  it('A package of Python of the list is installed by uv, and found as the workbench’s own [issue 33.2]', async () => {
    program(
      'uv',
      String.raw`mkdir -p "$UV_TOOL_BIN_DIR"; printf '#!/bin/sh\necho ran\n' > "$UV_TOOL_BIN_DIR/acp"; chmod +x "$UV_TOOL_BIN_DIR/acp"`,
    );
    const file = path.join(root, 'registry.json');
    const distribution = { uvx: { package: 'other@3.0.0', cmd: 'acp' } };
    const agents = [{ id: 'other', name: 'Other', version: '3.0.0', description: 'd', distribution }];
    writeFileSync(file, JSON.stringify({ version: 1, at: 1, leftOut: 0, agents }));
    const all = programs(null, { catalog: new Catalog({ file, environment: {} }) });
    await all.look();
    all.install('registry-other');
    await all.installed('registry-other');
    expect(all.list.find(({ id }) => id === 'registry-other')).toMatchObject({
      state: 'ready',
      version: '3.0.0',
      own: true,
      install: 'uv tool install --no-build other@3.0.0',
      place: path.join(root, 'state/registry-other/program/bin/acp'),
    });
    await all.remove('registry-other', false);
    expect(readdirSync(path.join(root, 'state/registry-other'))).toEqual([]);
  });

  it('A program of the list that needs a newer Node than there is says so, with the Node to install [issue 33.2]', async () => {
    const about = JSON.stringify({ version: '2.0.0', bin: 'run.mjs', engines: { node: '>=999.1' } });
    program(
      'npm',
      `mkdir -p node_modules/listed; cd node_modules/listed; echo '${about}' > package.json; touch run.mjs`,
    );
    const file = path.join(root, 'registry.json');
    const agents = [
      {
        id: 'listed',
        name: 'Listed',
        version: '1.0.0',
        description: 'd',
        distribution: { npx: { package: 'listed' } },
      },
    ];
    writeFileSync(file, JSON.stringify({ version: 1, at: 1, leftOut: 0, agents }));
    const all = programs(null, { catalog: new Catalog({ file, environment: {} }) });
    await all.look();
    all.install('registry-listed');
    await all.installed('registry-listed');
    expect(all.list.find(({ id }) => id === 'registry-listed')).toMatchObject({
      state: 'unusable',
      own: true,
      problem: expect.stringMatching(/^Listed needs Node 999\.1 or newer: .* Install Node 999\.1 or newer/),
    });
  });

  it('A package of the list without a program is not installed, and says so [issue 33.2]', async () => {
    program('npm', 'mkdir -p node_modules/listed; echo "{}" > node_modules/listed/package.json');
    const file = path.join(root, 'registry.json');
    const agents = [
      {
        id: 'listed',
        name: 'Listed',
        version: '1.0.0',
        description: 'd',
        distribution: { npx: { package: 'listed' } },
      },
    ];
    writeFileSync(file, JSON.stringify({ version: 1, at: 1, leftOut: 0, agents }));
    const all = programs(null, { catalog: new Catalog({ file, environment: {} }) });
    await all.look();
    all.install('registry-listed');
    await all.installed('registry-listed');
    expect(all.list.find(({ id }) => id === 'registry-listed')).toMatchObject({
      state: 'missing',
      problem: expect.stringContaining('npm has installed Listed, but not its program'),
    });
    expect(existsSync(path.join(root, 'state/registry-listed'))).toBe(false);
  });

  it('A program that only the list names is not run to tell its version [issue 33.2]', async () => {
    program('other', `touch "${root}/ran"`);
    const file = path.join(root, 'registry.json');
    const agents = [
      {
        id: 'other',
        name: 'Other',
        version: '3.0.0',
        description: 'd',
        distribution: { uvx: { package: 'other', args: ['acp'] } },
      },
    ];
    writeFileSync(file, JSON.stringify({ version: 1, at: 1, leftOut: 0, agents }));
    const all = programs(null, { catalog: new Catalog({ file, environment: {} }) });
    await all.look();
    const other = all.list.find(({ id }) => id === 'registry-other');
    expect(other).toMatchObject({ state: 'ready', version: null, own: false, command: `${root}/bin/other acp` });
    expect(existsSync(path.join(root, 'ran'))).toBe(false);
  });

  it.each([
    ['a sandbox', null, ['workbench-only', 'project-read-only', 'unconfined'], null],
    [
      'no sandbox',
      'bubblewrap is not installed.',
      ['unconfined'],
      /^This agent can run only unconfined here: bubblewrap is not/,
    ],
  ])('With %s the standings are those that can be held to [issue 33.2]', (_case, sandbox, standings, limits) => {
    const got = standingsOf(sandbox, recipe);
    expect(got.standings).toEqual(standings);
    expect(got.limits ?? '').toMatch(limits ?? /^$/);
  });
});
