/**
 * The scripted agent, packaged as Claude Code's adapter. npm installs the package from a registry on loopback, or the package is already in
 * the folder of installations. All its code is in one folder. It therefore also runs in the sandbox, which may hide the source folder.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import type { Story } from './story.ts';

const NAME = '@agentclientprotocol/claude-agent-acp';
const VERSION = '0.100.0';

/** Installs the agent with its story in the place where the workbench of this home would have installed it. */
export async function putInstalled(home: string, story: Story, version = VERSION): Promise<void> {
  const folder = path.join(home, 'state', 'agents', 'claude-code', 'program', 'node_modules', NAME);
  await writeAll(folder, await packageFiles(story, version));
}

/**
 * A registry for npm. `environment` makes npm and the workbench use it. The registry does not have the list of agents. Disposing the object
 * stops the registry.
 */
interface Registry extends AsyncDisposable {
  readonly environment: Record<string, string>;
}

/** Serves the package from a registry on loopback. `folder` is for npm's files and this function's files. */
export async function serveRegistry(folder: string, story: Story): Promise<Registry> {
  const packing = packed(path.join(folder, 'packages'), story);
  const serve = async (asked: string, host: string): Promise<Buffer | string | null> => {
    const octets = await packing;
    if (asked === '/archive.tgz') return octets;
    if (asked !== `/${NAME}`) return null;
    const integrity = `sha512-${createHash('sha512').update(octets).digest('base64')}`;
    const dist = { tarball: `http://${host}/archive.tgz`, integrity };
    return JSON.stringify({
      name: NAME,
      'dist-tags': { latest: VERSION },
      versions: { [VERSION]: { name: NAME, version: VERSION, dist } },
    });
  };
  const server = createServer((request, response) => {
    serve(decodeURIComponent(request.url ?? ''), request.headers.host!).then(
      (body) => void response.writeHead(body === null ? 404 : 200).end(body ?? '{}'),
      (error: Error) => response.destroy(error),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    environment: {
      LISP_WORKBENCH_AGENT_REGISTRY: `http://127.0.0.1:${port}/registry.json`,
      npm_config_registry: `http://127.0.0.1:${port}/`,
      npm_config_cache: path.join(folder, 'cache'),
      npm_config_userconfig: path.join(folder, 'npmrc'),
      npm_config_noproxy: '127.0.0.1',
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function packed(folder: string, story: Story): Promise<Buffer> {
  await writeAll(path.join(folder, 'package'), await packageFiles(story, VERSION));
  const { stdout } = await promisify(execFile)('tar', ['-czf', '-', '-C', folder, 'package'], {
    encoding: 'buffer',
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}

/** Returns the texts of the package's files, by file name. */
async function packageFiles(story: Story, version: string): Promise<Record<string, string>> {
  const { code, entry } = await (bundled ??= bundle());
  const start = [
    `process.env.SCRIPTED_AGENT_STORY = new URL('./story.json', import.meta.url).pathname;`,
    `process.env.SCRIPTED_AGENT_VERSION = '${version}';`,
    `await import('./${entry}');`,
  ];
  return {
    'package.json': JSON.stringify({ name: NAME, version, type: 'module' }),
    'dist/index.js': `${start.join('\n')}\n`,
    'dist/story.json': JSON.stringify(story),
    ...Object.fromEntries(Object.entries(code).map(([name, text]) => [`dist/${name}`, text])),
  };
}

interface Bundle {
  readonly code: Record<string, string>;
  /** The program's main file. */
  readonly entry: string;
}

let bundled: Promise<Bundle> | null = null;

/** The scripted agent with all its imports. */
async function bundle(): Promise<Bundle> {
  const source = path.join(import.meta.dirname, 'scripted-agent.ts');
  const result = await build({
    configFile: false,
    logLevel: 'error',
    root: import.meta.dirname,
    ssr: { noExternal: true },
    build: { ssr: source, write: false, target: 'node20', minify: false },
  });
  if (Array.isArray(result) || !('output' in result)) throw new Error('The scripted agent is not one bundle.');
  const chunks = result.output.filter((each) => each.type === 'chunk');
  return {
    code: Object.fromEntries(chunks.map(({ fileName, code }) => [fileName, code])),
    entry: chunks.find(({ isEntry }) => isEntry)!.fileName,
  };
}

async function writeAll(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}
