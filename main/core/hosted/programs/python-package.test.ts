/** Agents that are Python packages. A substitute for uv behaves as the documentation of `uv tool install` describes. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { InstallationRequest } from './installation-request.ts';
import { install, installWords } from './installation.ts';
import { opencode } from '../recipes/opencode.ts';
import type { Recipe } from '../recipes/recipe.ts';

const recipe: Recipe = {
  ...opencode,
  title: 'Agent',
  program: 'some-agent',
  package: null,
  download: { kind: 'python', package: 'some-agent@1.2.3', program: 'some-agent', version: '1.2.3' },
};

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'python-')));
  for (const folder of ['bin', 'agents']) mkdirSync(path.join(root, folder));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function uv(script: string, folder = 'bin'): void {
  const file = path.join(root, folder, 'uv');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

/**
 * A script that creates an environment the way uv does: its scripts name the environment's interpreter by absolute path, and the folder of
 * programs contains links to the scripts.
 */
const INSTALLS = String.raw`
mkdir -p "$UV_TOOL_DIR/some-agent/bin" "$UV_TOOL_BIN_DIR" "$UV_CACHE_DIR/wheels"
echo "$*" > "$UV_TOOL_DIR/asked"
echo "Resolved 3 packages in 12ms" >&2
ln -s /bin/sh "$UV_TOOL_DIR/some-agent/bin/python"
printf '#!%s\necho hello\n' "$UV_TOOL_DIR/some-agent/bin/python" > "$UV_TOOL_DIR/some-agent/bin/some-agent"
chmod +x "$UV_TOOL_DIR/some-agent/bin/some-agent"
ln -s "$UV_TOOL_DIR/some-agent/bin/some-agent" "$UV_TOOL_BIN_DIR/some-agent"
echo "Installed 1 executable: some-agent" >&2`;

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

const run = (): string => execFileSync(path.join(root, 'agents/agent/bin/some-agent'), { encoding: 'utf8' }).trim();
const left = (): string[] => (existsSync(path.join(root, 'agents')) ? readdirSync(path.join(root, 'agents')) : []);

describe('installation of an agent that is a package of Python', () => {
  it('The very command that is shown is run, all that it makes is in the folder, and the program is started by itself [issue 33.2]', async () => {
    uv(INSTALLS);
    const words: string[] = [];
    await install(request({ progress: (each) => words.push(each) }));
    expect(installWords(recipe)).toBe('uv tool install --no-build some-agent@1.2.3');
    const asked = readFileSync(path.join(root, 'agents/agent/tools/asked'), 'utf8').trim();
    expect([`uv ${asked}`, run(), left()]).toEqual([installWords(recipe), 'hello', ['agent']]);
    expect(JSON.parse(readFileSync(path.join(root, 'agents/agent/installed.json'), 'utf8'))).toEqual({
      version: '1.2.3',
      program: 'bin/some-agent',
    });
    expect(existsSync(path.join(root, 'agents/agent/cache'))).toBe(false);
    // Of lines that arrive together, the last one is shown.
    expect(words.join('\n')).toMatch(/^(?:Resolved 3 packages in 12ms|Installed 1 executable: some-agent)$/m);
  });

  it.each<[string, string, RegExp]>([
    [
      'fails',
      'echo "  × No solution found" >&2; exit 1',
      /^Agent was not installed: uv reports an error\. × No solution found$/,
    ],
    ['fails silently', 'exit 2', /uv ended with exit code 2\.$/],
    [
      'has no network',
      'echo "error: error sending request for url (https://pypi.org/simple/some-agent/)" >&2; exit 2',
      /registry of Python packages could not be reached\. .*HTTPS_PROXY.*pypi\.org/,
    ],
    ['finds a full disk', 'echo "No space left on device (os error 28)" >&2; exit 2', /the disk is full\. Make room/],
    [
      'would have to build a package',
      'echo "building source distributions is disabled (--no-build)" >&2; exit 1',
      /must be built from source, which would run untrusted code/,
    ],
    [
      'brings no program',
      `${INSTALLS}\nrm "$UV_TOOL_BIN_DIR/some-agent"`,
      /does not contain the program "some-agent" that the list names/,
    ],
  ])('An update in which uv %s leaves the version of before [issue 33.2]', async (_what, script, words) => {
    uv(INSTALLS);
    await install(request());
    uv(script);
    await expect(install(request())).rejects.toThrow(words);
    expect([run(), left()]).toEqual(['hello', ['agent']]);
  });

  it('A cancelled installation ends uv with all that it started, and leaves nothing [issue 33.2]', async () => {
    uv(`mkdir -p "$UV_TOOL_DIR"; echo "Resolved 1 package" >&2; sleep 1000 & wait`);
    const stop = new AbortController();
    const progress = (words: string): void => {
      if (words.startsWith('Resolved')) stop.abort();
    };
    await expect(install(request({ signal: stop.signal, progress }))).rejects.toThrow(
      'The installation of Agent was cancelled.',
    );
    expect(left()).toEqual([]);
  });

  it('Without uv it is said where to get it, and one in the project is not run [issue 33.2]', async () => {
    uv(INSTALLS, 'project/bin');
    const environment = { PATH: path.join(root, 'project/bin') };
    await expect(install(request({ environment, project: path.join(root, 'project') }))).rejects.toThrow(
      'Agent is a Python package that is installed with uv, which is not on the path. Install uv (https://docs.astral.sh/uv), then Agent; or install Agent in another way, so that "some-agent" is on the path.',
    );
    expect(left()).toEqual([]);
  });

  it('No Python of the project and no active environment is handed to uv [issue 33.2]', async () => {
    uv(`echo "$PATH:$VIRTUAL_ENV:$CONDA_PREFIX" > "${root}/seen"\n${INSTALLS}`);
    const project = path.join(root, 'project');
    mkdirSync(path.join(project, 'bin'), { recursive: true });
    const PATH = [path.join(project, 'bin'), path.join(root, 'bin'), '/usr/bin', '/bin'].join(path.delimiter);
    const environment = { PATH, VIRTUAL_ENV: path.join(project, '.venv'), CONDA_PREFIX: project };
    await install(request({ environment, project }));
    expect(readFileSync(path.join(root, 'seen'), 'utf8')).toBe(`${path.join(root, 'bin')}:/usr/bin:/bin::\n`);
  });
});
