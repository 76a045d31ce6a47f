/** The library tool of a project, with stand-ins for the programs qlot and ocicl that write what they were called with. */
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runProjectTool, toolOfProject } from './project-tool.ts';

let home: string;
let project: string;
let environment: NodeJS.ProcessEnv;

beforeEach(async () => {
  home = await realpath(await mkdtemp(path.join(tmpdir(), 'home-')));
  project = path.join(home, 'work', 'shop');
  await mkdir(project, { recursive: true });
  environment = { HOME: home, PATH: `${path.join(home, 'bin')}:/usr/bin:/bin` };
});
afterEach(() => rm(home, { recursive: true, force: true }));

/** Makes a program that writes its arguments and its folder into the file `called`, and then runs `more`. */
async function program(name: string, more = ''): Promise<string> {
  const file = path.join(home, 'bin', name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `#!/bin/sh\necho "$@ in $PWD" >> ${home}/called\necho working on it\n${more}\n`);
  await chmod(file, 0o755);
  return file;
}

const put = (name: string, text: string): Promise<void> => writeFile(path.join(project, name), text);
const called = (): Promise<string> => readFile(path.join(home, 'called'), 'utf8');
const report = { signal: new AbortController().signal, progress: () => {} };

describe('which tool a project has [issue 38.6]', () => {
  it('A project of qlot is known by its qlfile, with the number of locked libraries', async () => {
    expect(await toolOfProject(project, environment)).toBeNull();
    await put('qlfile', 'ql alexandria\n');
    const qlfile = path.join(project, 'qlfile');
    expect(await toolOfProject(project, environment)).toEqual({
      kind: 'qlot',
      path: qlfile,
      count: null,
      program: null,
    });
    await put(
      'qlfile.lock',
      '("quicklisp" .\n (:class qlot/source/dist:source-dist))\n("alexandria" .\n (:class qlot/source/ql:source-ql))\n',
    );
    const found = await program('qlot');
    expect(await toolOfProject(project, environment)).toMatchObject({ count: 2, program: found });
  });

  it('A project of ocicl is known by a list in its folder or in one above it', async () => {
    const list = path.join(home, 'work', 'ocicl.csv');
    await writeFile(list, 'yason, ghcr.io/ocicl/yason@sha256:1, yason-1/yason.asd\n\n');
    expect(await toolOfProject(project, environment)).toEqual({ kind: 'ocicl', path: list, count: 1, program: null });
  });

  it('A program in the project itself is not run', async () => {
    await put('qlfile', '');
    await put('qlot', '#!/bin/sh\n');
    await chmod(path.join(project, 'qlot'), 0o755);
    expect(await toolOfProject(project, { ...environment, PATH: project })).toMatchObject({ program: null });
  });
});

describe('what its program does [issue 38.6]', () => {
  it.each([
    ['qlfile', 'qlot', { action: 'add', library: 'cl-csv' }, 'add cl-csv'],
    ['qlfile', 'qlot', { action: 'install' }, 'install'],
    ['qlfile', 'qlot', { action: 'update' }, 'update'],
    ['ocicl.csv', 'ocicl', { action: 'add', library: 'cl-csv' }, 'install cl-csv'],
    ['ocicl.csv', 'ocicl', { action: 'install' }, 'install'],
    ['ocicl.csv', 'ocicl', { action: 'update' }, 'latest'],
  ] as const)('With %s it is %s, and %o calls it in the project with: %s', async (file, name, request, args) => {
    await put(file, '');
    await program(name);
    const words: string[] = [];
    const progress = (_part: string, _done: number, _total: number, line: string): void => void words.push(line);
    expect(await runProjectTool(project, request, environment, { ...report, progress })).toBe('working on it');
    expect(await called()).toBe(`${args} in ${project}\n`);
    expect(words).toContain('working on it');
  });

  it('A failure is told with the end of the output, and a missing program with the page that describes it', async () => {
    await put('qlfile', '');
    await expect(runProjectTool(project, { action: 'install' }, environment, report)).rejects.toThrow(
      'The program qlot was not found on the search path. https://qlot.tech describes how to install it.',
    );
    await program('qlot', 'echo no such library >&2; exit 3');
    await expect(runProjectTool(project, { action: 'add', library: 'x' }, environment, report)).rejects.toThrow(
      /^qlot add x ended with exit code 3\. working on it\nno such library$/,
    );
  });

  it('A library whose name would be an option or a command is refused', async () => {
    await put('qlfile', '');
    await program('qlot');
    for (const library of ['--upgrade', '$(touch x)', 'a b'])
      await expect(runProjectTool(project, { action: 'add', library }, environment, report)).rejects.toThrow(
        /is not the name of a library/,
      );
  });

  it('It is ended with all its processes when it is cancelled', async () => {
    await put('qlfile', '');
    await program('qlot', 'sleep 600 & wait');
    const cancel = new AbortController();
    const progress = (_part: string, _done: number, _total: number, line: string): void => {
      if (line !== '') cancel.abort();
    };
    await expect(
      runProjectTool(project, { action: 'update' }, environment, { signal: cancel.signal, progress }),
    ).rejects.toThrow(/abort/i);
  });
});
