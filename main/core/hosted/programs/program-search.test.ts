import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { searchProgram, type SearchPlaces } from './program-search.ts';
import { opencode } from '../recipes/opencode.ts';
import type { Recipe } from '../recipes/recipe.ts';

const recipe: Recipe = {
  ...opencode,
  title: 'Agent',
  program: 'agent',
  installed: ['lib/first', 'lib/agent.js'],
  node: '18',
};

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'programs-')));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Writes a program and returns its path. It is JavaScript if its name ends in `.js`, otherwise a shell script. */
function program(name: string, script: string): string {
  const file = path.join(root, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, file.endsWith('.js') ? script : `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

function places(...folders: string[]): SearchPlaces {
  const PATH = [...folders.map((folder) => path.join(root, folder)), '/usr/bin', '/bin'].join(path.delimiter);
  return {
    installation: path.join(root, 'installed'),
    environment: { PATH, A_TOKEN: 'secret' },
    project: path.join(root, 'project'),
  };
}

describe('search for an agent program', () => {
  it('The program that the workbench has installed goes before one on the path [issue 14.1]', async () => {
    program('bin/agent', 'echo 9.9.9');
    const place = program('installed/lib/first', 'echo "agent 1.2.3-beta.4 (linux)"');
    expect(await searchProgram(recipe, places('bin'))).toEqual({
      found: { place, version: '1.2.3-beta.4' },
      place,
      problem: null,
    });
  });

  it('A script of JavaScript is run by the Node of the workbench, where none is on the path [issue 14.1]', async () => {
    const place = program(
      'installed/lib/agent.js',
      'console.log("v" + [2, 0, Number(process.argv[2] === "--version")].join("."))',
    );
    const search = await searchProgram(recipe, { ...places(), environment: { PATH: path.join(root, 'nothing') } });
    expect(search.found).toEqual({ place, version: '2.0.1' });
  });

  it('A link on the path is followed to the program, and one that leads into the project or lies in it is passed over [issue 14.1]', async () => {
    const planted = program('project/bin/agent', 'echo 6.6.6');
    const real = program('real/agent-file', 'echo 1.0.0');
    for (const folder of ['links', 'bin']) mkdirSync(path.join(root, folder));
    symlinkSync(planted, path.join(root, 'links/agent'));
    symlinkSync(real, path.join(root, 'bin/agent'));
    const search = await searchProgram(recipe, places('project/bin', 'links', 'bin'));
    expect(search).toEqual({ found: { place: real, version: '1.0.0' }, place: real, problem: null });
  });

  it('A folder of the path that is not absolute is passed over, since the project would be looked into [issue 14.1]', async () => {
    program('bin/agent', 'echo 1.0.0');
    const relative = path.relative(process.cwd(), path.join(root, 'bin'));
    const search = await searchProgram(recipe, { ...places(), environment: { PATH: relative } });
    expect(search).toEqual({ found: null, place: null, problem: null });
  });

  it('A program that tells no version is found without one [issue 14.1]', async () => {
    const place = program('bin/agent', 'echo ready');
    expect((await searchProgram(recipe, places('bin'))).found).toEqual({ place, version: null });
  });

  it('A program that does not run is named with what it said and what to do [issue 14.1]', async () => {
    const place = program('bin/agent', 'echo "no GLIBC_2.40 here" >&2; exit 3');
    expect(await searchProgram(recipe, places('bin'))).toEqual({
      found: null,
      place,
      problem: `${place} does not run: it ended with exit code 3, and printed: no GLIBC_2.40 here Install Agent again.`,
    });
  });

  it('A program that needs a newer Node than that of the workbench is run by one on the path [issue 14.1]', async () => {
    const place = program('installed/lib/agent.js', 'console.log(process.env.BY + ".0.0")');
    const node = program(
      'bin/node',
      `[ "$1" = --version ] && echo v999.1.0 && exit\nBY=7 exec '${process.execPath}' "$@"`,
    );
    const search = await searchProgram({ ...recipe, node: '999' }, places('bin'));
    expect(search).toEqual({ found: { place, node, version: '7.0.0' }, place, problem: null });
  });

  it('A program for which no Node is new enough is named with what to install [issue 14.1]', async () => {
    program('installed/lib/agent.js', 'console.log("1.0.0")');
    program('bin/node', 'echo v18.20.4');
    const nowhere = { ...places(), environment: { PATH: path.join(root, 'bin') } };
    const search = await searchProgram({ ...recipe, node: '999' }, nowhere);
    expect(search.found).toBeNull();
    expect(search.problem).toBe(
      `Agent needs Node 999 or newer: the workbench runs on Node ${process.versions.node} here, and the newest on the path is 18.20.4, ${root}/bin/node. Install Node 999 or newer, from nodejs.org or with your package manager, so that "node" is on the path, and try again.`,
    );
  });

  it('A program that is asked for its version gets no secrets of the environment [issue 14.2]', async () => {
    program('bin/agent', 'echo "1.0.0"; test -z "$A_TOKEN"');
    expect((await searchProgram(recipe, places('bin'))).problem).toBeNull();
  });

  it('A version is asked for again once the program has changed [issue 14.1]', async () => {
    program('bin/agent', 'echo 1.0.0');
    await searchProgram(recipe, places('bin'));
    program('bin/agent', 'echo 1.0.0 >/dev/null; echo 2.0.0');
    expect((await searchProgram(recipe, places('bin'))).found?.version).toBe('2.0.0');
  });
});
