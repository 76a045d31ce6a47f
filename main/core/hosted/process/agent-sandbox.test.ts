/** The person's files as an agent in the sandbox sees them, with real bubblewrap. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { prepareSandbox } from '#core/lisp/start/sandbox.ts';
import { insideAgentSandbox, programFiles, type AgentPlaces } from './agent-sandbox.ts';

let top: string;
const at = (...parts: string[]): string => path.join(top, ...parts);
const put = (...parts: string[]): void => {
  mkdirSync(path.dirname(at(...parts)), { recursive: true });
  writeFileSync(at(...parts), `text of ${parts.at(-1)}\n`);
};
beforeEach(() => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-sandbox-')));
  for (const name of ['home', 'project', 'agent']) mkdirSync(at(name));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

/** Runs a script in an agent's sandbox and resolves with its output. */
async function printed(script: string, changes: Partial<AgentPlaces> = {}): Promise<string> {
  const person = { PATH: process.env['PATH'], HOME: at('home') };
  const places: AgentPlaces = {
    project: at('project'),
    home: at('agent'),
    empty: at('empty'),
    hides: [],
    readable: [],
    person,
    ...changes,
  };
  const sandbox = await prepareSandbox({ hidden: [], cache: at('cache') }, person, places.project);
  const launch = { command: '/bin/sh', args: ['-c', script], directory: places.project, environment: {} };
  const { command, args } = insideAgentSandbox(sandbox, launch, places);
  return execFileSync(command, args, { encoding: 'utf8', env: { PATH: process.env['PATH'] } });
}

describe('The sandbox of an agent', () => {
  it.each([
    '.aws/credentials',
    '.azure/accessTokens.json',
    '.bash_history',
    '.cargo/credentials.toml',
    '.claude/.credentials.json',
    '.claude.json',
    '.codex/auth.json',
    '.config/gcloud/credentials.db',
    '.config/gh/hosts.yml',
    '.config/google-chrome/Default/Cookies',
    '.config/lisp-workbench/settings.json',
    '.cursor/mcp.json',
    '.docker/config.json',
    '.gem/credentials',
    '.gemini/oauth_creds.json',
    '.git-credentials',
    '.gnupg/private-keys-v1.d/key',
    '.kube/config',
    '.local/share/keyrings/login.keyring',
    '.local/share/opencode/auth.json',
    '.m2/settings.xml',
    '.mozilla/firefox/one/cookies.sqlite',
    '.netrc',
    '.npmrc',
    '.pgpass',
    '.qwen/oauth_creds.json',
    '.ssh/id_ed25519',
    '.terraform.d/credentials.tfrc.json',
    '.vault-token',
    'another-project/.env',
    'another-project/.mcp.json',
    'Documents/letter.txt',
  ])('An agent finds no %s of the person [issue 34.2]', async (name) => {
    put('home', name);
    const text = await printed(`cat '${at('home', name)}' 2>&1; find '${at('home')}' -type f; true`);
    expect(text).toBe(`cat: ${at('home', name)}: No such file or directory\n`);
  });

  it('An agent finds the project, also in the home, the sources of libraries, its program, and certificates that are named [issue 34.2]', async () => {
    put('home', 'work', 'project', 'shop.lisp');
    put('home', 'work', 'other', 'secret.lisp');
    put('home', 'quicklisp', 'dists', 'source.lisp');
    put('home', '.npm-global', 'lib', 'node_modules', 'agent', 'cli.js');
    put('home', '.npm-global', 'lib', 'node_modules', 'shared', 'index.js');
    put('home', '.npm-global', 'etc', 'npmrc');
    put('home', 'ca.pem');
    const found = await printed(`find '${at('home')}' -type f | sort`, {
      project: at('home', 'work', 'project'),
      readable: programFiles(at('home', '.npm-global', 'lib', 'node_modules', 'agent', 'cli.js')),
      person: { PATH: process.env['PATH'], HOME: at('home'), NODE_EXTRA_CA_CERTS: at('home', 'ca.pem') },
    });
    expect(found.trim().split('\n')).toEqual(
      [
        ['.npm-global', 'lib', 'node_modules', 'agent', 'cli.js'],
        ['.npm-global', 'lib', 'node_modules', 'shared', 'index.js'],
        ['ca.pem'],
        ['quicklisp', 'dists', 'source.lisp'],
        ['work', 'project', 'shop.lisp'],
      ].map((parts) => at('home', ...parts)),
    );
  });

  it('An agent finds no settings that the environment has moved out of the home [issue 34.2]', async () => {
    put('moved', 'codex', 'auth.json');
    put('moved', 'kube.yaml');
    const text = await printed(`find '${at('moved')}' -type f -size +0; true`, {
      readable: [at('moved')],
      person: { HOME: at('home'), CODEX_HOME: at('moved', 'codex'), KUBECONFIG: at('moved', 'kube.yaml') },
    });
    expect(text).toBe('');
  });

  it('A project that has the whole home in it is refused, since nothing could be hidden [issue 34.2]', async () => {
    await expect(printed('true', { project: at('home') })).rejects.toThrow('contains your whole home folder');
    await expect(printed('true', { project: top })).rejects.toThrow('Open a smaller folder, or start the agent');
  });

  it('A program in an environment of Python comes with that and its Python [issue 34.2]', () => {
    put('tools', 'kimi', 'bin', 'kimi');
    put('tools', 'plain', 'bin', 'plain');
    writeFileSync(at('tools', 'kimi', 'pyvenv.cfg'), `home = ${at('python', 'bin')}\nversion = 3.12\n`);
    expect(programFiles(at('tools', 'kimi', 'bin', 'kimi'))).toEqual([
      at('tools', 'kimi', 'bin', 'kimi'),
      at('tools', 'kimi'),
      at('python'),
    ]);
    expect(programFiles(at('tools', 'plain', 'bin', 'plain'))).toEqual([at('tools', 'plain', 'bin', 'plain')]);
  });
});
