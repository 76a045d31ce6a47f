import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { missingNode, searchNode, type NodeSearch } from './node-search.ts';

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'nodes-')));
  mkdirSync(path.join(root, 'home'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Writes a shell program, and returns its path. */
function program(name: string, script: string): string {
  const file = path.join(root, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

interface Search {
  readonly folders?: readonly string[];
  readonly shell?: string;
  readonly own?: string;
}

function search({ folders = [], shell = '', own = '20.18.1' }: Search): Promise<NodeSearch> {
  const environment = {
    PATH: folders.map((each) => (each.startsWith('.') ? each : path.join(root, each))).join(path.delimiter),
    SHELL: shell,
    HOME: path.join(root, 'home'),
    A_TOKEN: 'secret',
  };
  return searchNode('22', { environment, project: path.join(root, 'project') }, own);
}

const NONE = { found: false, newest: null };

describe('search for a Node that is new enough', () => {
  it('The workbench’s own is taken where it will do, and no other is run [issue 14.1]', async () => {
    program('bin/node', `touch "${root}/ran"; echo v24.0.0`);
    expect(await search({ folders: ['bin'], own: '22.0.0' })).toEqual({ found: true, place: null, path: null });
    expect(existsSync(path.join(root, 'ran'))).toBe(false);
  });

  it('The first on the path that is new enough is taken, and it gets no secrets [issue 14.1]', async () => {
    program('old/node', 'echo v18.20.4');
    const place = program('new/node', 'test -z "$A_TOKEN" && echo v22.9.0');
    program('newer/node', 'echo v26.0.0');
    expect(await search({ folders: ['nothing', 'old', 'new', 'newer'] })).toEqual({ found: true, place, path: null });
  });

  it('None that lies in the project, is linked from there or leads there, and none of a relative folder, is ever run [issue 14.1]', async () => {
    const planted = program('project/bin/node', `touch "${root}/ran"; echo v24.0.0`);
    for (const folder of ['links', 'away']) mkdirSync(path.join(root, folder));
    symlinkSync(planted, path.join(root, 'links/node'));
    const outside = program('away/real', `touch "${root}/ran"; echo v24.0.0`);
    mkdirSync(path.join(root, 'project/more'));
    symlinkSync(outside, path.join(root, 'project/more/node'));
    const relative = `.${path.sep}${path.relative(process.cwd(), path.join(root, 'project/bin'))}`;
    program('project/..dots/node', `touch "${root}/ran"; echo v24.0.0`);
    const folders = ['project/bin', 'project/..dots', 'project/more', 'links', relative, '.'];
    expect(await search({ folders })).toEqual(NONE);
    expect(existsSync(path.join(root, 'ran'))).toBe(false);
  });

  it('A project that is itself opened through a link is known by both names [issue 14.1]', async () => {
    program('real-project/bin/node', `touch "${root}/ran"; echo v24.0.0`);
    symlinkSync(path.join(root, 'real-project'), path.join(root, 'project'));
    expect(await search({ folders: ['project/bin', 'real-project/bin'] })).toEqual(NONE);
    expect(existsSync(path.join(root, 'ran'))).toBe(false);
  });

  it('What is called node and tells no version, or fails, is passed over [issue 14.1]', async () => {
    program('one/node', 'echo something v24.0.0 else');
    program('two/node', 'echo v24.0.0; exit 3');
    mkdirSync(path.join(root, 'three/node'), { recursive: true });
    const place = program('four/node', 'echo v22.1.0');
    expect(await search({ folders: ['one', 'two', 'three', 'four'] })).toEqual({ found: true, place, path: null });
  });

  it('The path of the login shell is asked last, in the person’s home, whatever the shell says around it [issue 14.1]', async () => {
    const place = program('managed/node', 'echo v22.1.0');
    const shell = program(
      'shell',
      `echo "PATH=/wrong/before"; pwd > "${root}/where"; [ "$1" = -ilc ] || exit 1; PATH="${root}/managed:.:rel/bin::${root}/project:${root}/project/bin/:${root}/link:/usr/bin"; export PATH; eval "$2"; echo "PATH=/wrong/after"; sleep 600`,
    );
    mkdirSync(path.join(root, 'project/bin'), { recursive: true });
    symlinkSync(path.join(root, 'project/bin'), path.join(root, 'link'));
    // The path passed to Node's children contains no relative folder, no folder of the project, and no link into the project.
    const handedOn = [path.join(root, 'managed'), '/usr/bin'].join(path.delimiter);
    expect(await search({ folders: ['nothing'], shell })).toEqual({ found: true, place, path: handedOn });
    expect(readFileSync(path.join(root, 'where'), 'utf8').trim()).toBe(path.join(root, 'home'));
  });

  it.each([
    ['that is not there', 'no-such-shell'],
    ['that is no absolute path', null],
  ])('A login shell %s is none [issue 14.1]', async (_what, name) => {
    expect(await search({ shell: name === null ? 'sh' : path.join(root, name) })).toEqual(NONE);
  });

  it('Where none is new enough the newest is told, with what to install [issue 14.1]', async () => {
    program('old/node', 'echo v16.1.0');
    const place = program('newer/node', 'echo v18.20.4');
    const result = await search({ folders: ['old', 'newer'] });
    expect(result).toEqual({ found: false, newest: { place, version: '18.20.4' } });
    expect(missingNode('Agent', '22', null)).toMatch(
      /^Agent needs Node 22 or newer: the workbench runs on Node \d+\.\d+\.\d+ here, and there is no Node on the path\. Install Node 22 or newer, from nodejs\.org/,
    );
  });
});
