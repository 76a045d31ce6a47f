import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { InstallationRequest } from './installation-request.ts';
import { install, installWords } from './installation.ts';
import { npmFailure } from './npm-package.ts';
import { opencode } from '../recipes/opencode.ts';
import type { Recipe } from '../recipes/recipe.ts';

const recipe = {
  ...opencode,
  title: 'Agent',
  program: 'agent',
  package: { name: '@some/agent', version: '1.2.3', megabytes: 1 },
  installed: ['node_modules/@some/agent/run'],
} satisfies Recipe;

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'install-')));
  for (const folder of ['bin', 'agents']) mkdirSync(path.join(root, folder));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Puts a script that replaces npm on the path. It runs in the folder into which npm should install. */
function npm(script: string, folder = 'bin'): void {
  const file = path.join(root, folder, 'npm');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

const INSTALLS = 'mkdir -p node_modules/@some/agent; echo "$*" > node_modules/@some/agent/run';

function request(more: Partial<InstallationRequest> = {}): InstallationRequest {
  return {
    recipe,
    folder: path.join(root, 'agents', 'agent'),
    environment: { PATH: [path.join(root, 'bin'), '/usr/bin', '/bin'].join(path.delimiter) },
    project: null,
    signal: new AbortController().signal,
    progress: () => {},
    ...more,
  };
}

/** Returns the names of the entries in the agents' folder. */
const left = (): string[] => (existsSync(path.join(root, 'agents')) ? readdirSync(path.join(root, 'agents')) : []);

describe('installation of an agent by npm', () => {
  it('The very command that is shown is run, without scripts of packages, and what it made takes its place [issue 14.1]', async () => {
    npm(INSTALLS);
    await install(request());
    expect(installWords(recipe)).toBe('npm install --ignore-scripts @some/agent@latest');
    const made = readFileSync(path.join(root, 'agents/agent/node_modules/@some/agent/run'), 'utf8').trim();
    expect([`npm ${made}`, left()]).toEqual([installWords(recipe), ['agent']]);
  });

  it('Progress is told in words as files arrive [issue 14.1]', async () => {
    npm(`echo "npm http fetch GET 200 https://r/x 5ms" >&2; ${INSTALLS}`);
    const words: string[] = [];
    await install(request({ progress: (each) => words.push(each) }));
    expect(words).toEqual([
      'Creating the folder',
      'Requesting the package',
      'Downloading: 1 file so far',
      'Moving the files into place',
    ]);
  });

  it('An installation that fails leaves the one of before, and nothing beside it [issue 14.1]', async () => {
    npm(INSTALLS);
    await install(request());
    const said = ['code E404', '404 Not Found - GET /agent', '    at run (/npm/lib/fetch.js:1:2)'];
    npm(`touch half; ${said.map((line) => `echo "npm error ${line}" >&2`).join('; ')}; exit 1`);
    // The message omits the stack trace of npm's own code, because it is useless to a person.
    await expect(install(request())).rejects.toThrow(
      /^Agent was not installed: the registry that npm uses has no @some\/agent\. Check the registry \(npm config get registry\)\. 404 Not Found - GET \/agent$/,
    );
    expect([left(), existsSync(path.join(root, 'agents/agent/half'))]).toEqual([['agent'], false]);
  });

  it('A cancelled installation ends npm with all that it started, and leaves nothing [issue 14.1]', async () => {
    npm(`echo "npm http fetch GET 200 https://r/x" >&2; sleep 1000 & echo $! > "${root}/child"; wait`);
    const stop = new AbortController();
    const installing = install(
      request({
        signal: stop.signal,
        progress: (words) => {
          if (words.startsWith('Downloading')) void waitFor(`${root}/child`).then(() => stop.abort());
        },
      }),
    );
    // The installation ends when no process has npm's output open, which means that the child has ended as well.
    await expect(installing).rejects.toThrow('The installation of Agent was cancelled.');
    expect(left()).toEqual([]);
  });

  it('Without npm it is said what to install, and one in the project is not run [issue 14.1]', async () => {
    npm(INSTALLS, 'project/bin');
    const environment = { PATH: path.join(root, 'project/bin') };
    await expect(install(request({ environment, project: path.join(root, 'project') }))).rejects.toThrow(
      /^Agent is installed with npm, which is not on the path\. Install Node\.js, .* so that "agent" is on the path\.$/,
    );
  });

  it('An npm that only the login shell knows is run, with the Node beside it, and one that leads into the project is not [issue 14.1]', async () => {
    npm(`touch "${root}/planted"`, 'project');
    symlinkSync(path.join(root, 'project/npm'), path.join(root, 'bin/npm'));
    npm(`node > said; ${INSTALLS}`, 'managed');
    for (const [name, script] of [
      ['managed/node', 'echo beside'],
      ['shell', `PATH="${root}/managed:$PATH"; export PATH; eval "$2"`],
    ] as const) {
      writeFileSync(path.join(root, name), `#!/bin/sh\n${script}\n`);
      chmodSync(path.join(root, name), 0o755);
    }
    const tools = path.join(root, 'tools');
    mkdirSync(tools);
    for (const tool of ['sh', 'mkdir', 'touch']) symlinkSync(`/bin/${tool}`, path.join(tools, tool));
    const PATH = [path.join(root, 'bin'), tools].join(path.delimiter);
    await install(
      request({
        environment: { PATH, SHELL: path.join(root, 'shell'), HOME: root },
        project: path.join(root, 'project'),
      }),
    );
    expect(readFileSync(path.join(root, 'agents/agent/said'), 'utf8')).toBe('beside\n');
    expect(existsSync(path.join(root, 'planted'))).toBe(false);
  });

  it('A disk without room for the program is told before anything is fetched [issue 14.1]', async () => {
    npm(`touch "${root}/ran"`);
    const large = { ...recipe, package: { ...recipe.package, megabytes: 1e12 } };
    await expect(install(request({ recipe: large }))).rejects.toThrow(
      /^Agent takes about 1000000000000 MB, but .* has only \d+ MB free\. Make room/,
    );
    expect([existsSync(path.join(root, 'ran')), left()]).toEqual([false, []]);
  });

  it('A package without a program for this system is told as such, and not kept [issue 14.1]', async () => {
    npm('mkdir -p node_modules/@some/agent');
    await expect(install(request())).rejects.toThrow(/but not its program for this system/);
    expect(left()).toEqual([]);
  });

  it.each([
    ['EAI_AGAIN', /registry of npm could not be reached.*proxy/],
    ['ECONNREFUSED', /registry of npm could not be reached/],
    ['ENOSPC', /the disk is full\. It takes about 1 MB/],
    ['E401', /requires a login \(npm login\)/],
    ['EINTEGRITY', /npm cache clean --force/],
    ['EROFS', /a folder is not writable/],
    ['ESOMETHING', /npm reports an error\. said/],
  ])('The error %s of npm is told with what to do [issue 14.1]', (code, words) => {
    expect(npmFailure(recipe.title, recipe.package, code, 'said').message).toMatch(words);
  });
});

async function waitFor(file: string): Promise<void> {
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') await new Promise((resolve) => setImmediate(resolve));
}
