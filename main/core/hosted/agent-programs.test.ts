import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hostedAgentCalls, type AgentProgram } from '#contract/hosted-agent.ts';
import { AgentPrograms, standingsOf } from './agent-programs.ts';
import { opencode } from './recipes/opencode.ts';
import type { Recipe } from './recipes/recipe.ts';

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

function programs(sandboxProblem: string | null = null): AgentPrograms {
  return new AgentPrograms({
    folder: path.join(root, 'state'),
    environment: { PATH: [path.join(root, 'bin'), '/usr/bin', '/bin'].join(path.delimiter) },
    project: () => null,
    sandboxProblem: () => Promise.resolve(sandboxProblem),
    recipes: [recipe],
  });
}

const INSTALLS = String.raw`mkdir -p node_modules/@some/agent; printf '#!/bin/sh\necho 1.2.3\n' > node_modules/@some/agent/run; chmod +x node_modules/@some/agent/run`;

describe('agent programs', () => {
  it('A program that is not there is missing, with the command that installs it and the standings that it will have [issue 14.1]', async () => {
    const [seen] = await programs().look();
    expect(hostedAgentCalls['hosted.look'].output.parse({ programs: [seen] }).programs[0]).toEqual({
      id: 'some',
      title: 'Agent',
      state: 'missing',
      version: null,
      tried: '1.2.3',
      megabytes: 1,
      place: null,
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
    all.install('some'); // a second click changes nothing
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
      'Agent is not installed. Install it here, or in your own way, so that "agent" is on the path.',
    );
    await expect(programs().ready('other')).rejects.toThrow(
      'There is no agent "other". Those that can run here: some.',
    );
  });

  it.each([
    ['a sandbox', null, ['workbench-only', 'project-read-only', 'unconfined'], null],
    [
      'no sandbox',
      'bubblewrap is not installed.',
      ['unconfined'],
      /^It can run only unconfined here: bubblewrap is not/,
    ],
  ])('With %s the standings are those that can be held to [issue 33.2]', (_case, sandbox, standings, limits) => {
    const got = standingsOf(sandbox);
    expect(got.standings).toEqual(standings);
    expect(got.limits ?? '').toMatch(limits ?? /^$/);
  });
});
