/** The desktop from its start to a painted editor and a live REPL, compared with a bare window with the same editor and text. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { emptyWorkspace, type Workspace } from '#contract/settings.ts';
import { buildBare } from '../bare/build.ts';
import { MARK, TEXT } from '../bare/text.ts';
import { toldByPage } from './devtools.ts';
import { display } from './display.ts';
import { compare, interleave, type Comparison } from './measure.ts';
import { ROOT, script, temporaryFolder, type Bench } from './setup.ts';

const GOAL = 1.3;
const LIMIT_MS = 30_000;
const GRACE_MS = 10_000;

interface Program {
  readonly args: readonly string[];
  readonly env: Record<string, string>;
  /** The common prefix of the addresses of the program's pages. */
  readonly origin: string;
  /**
   * An expression that is evaluated in the page. It becomes true once everything that the person waits for is ready, except for the text.
   */
  readonly live: string;
}

/** Milliseconds from the start of the process to the frame that showed the text. */
interface Launched {
  readonly text: number;
  readonly live: number;
}

export async function launch({ scope, say }: Bench): Promise<Comparison[]> {
  const shown = { ...(await display(scope)), ...(await ownTemporaries(scope)) };
  const { createReport } = await script('report.mjs');
  await (await script('build.mjs')).build(createReport(process.stderr, { quiet: true }));
  const { executable, title } = (await script('electron-runtime.mjs')).electronRuntime();
  say(`  with ${title}`);
  const run = (program: Program): Promise<Launched> => launchOnce(executable, program, shown, scope);
  const [ours, bare] = [await workbench(scope), await bareWindow(scope)];
  const text: number[] = [];
  const taken = await interleave(
    {
      ours: async () => {
        const launched = await run(ours);
        text.push(launched.text);
        return launched.live;
      },
      bare: async () => (await run(bare)).live,
    },
    { warmUp: WARM_UP, rounds: 12, inARow: 1 },
  );
  return [
    compare('launch to editor and live REPL / bare window', taken.ours, taken.bare, GOAL),
    compare('  to the painted editor alone', text.slice(WARM_UP), taken.bare, null),
  ];
}

/**
 * The number of launches that are not measured. They build the core and fill Chromium's caches; a user sees such slow launches only on the
 * first day.
 */
const WARM_UP = 3;

/**
 * Makes a temporary folder for Chromium, which leaves files behind when it is killed. Does this only on Linux: elsewhere the path would be
 * too long for a socket.
 */
async function ownTemporaries(scope: AsyncDisposableStack): Promise<Record<string, string>> {
  return process.platform === 'linux' ? { TMPDIR: await temporaryFolder(scope, 'tmp') } : {};
}

async function workbench(scope: AsyncDisposableStack): Promise<Program> {
  const home = await temporaryFolder(scope, 'home');
  const project = await temporaryFolder(scope, 'project');
  const buffer = {
    id: 'bench',
    path: null,
    title: 'bench.lisp',
    text: TEXT,
    baseDigest: null,
    encoding: 'utf-8' as const,
    mixedLineEnds: false,
    caret: null,
  };
  const kept: Workspace = { ...emptyWorkspace, buffers: [buffer], activeBuffer: buffer.id };
  await mkdir(path.join(home, 'config'), { mode: 0o700 });
  await writeFile(path.join(home, 'config', 'workspace.json'), JSON.stringify(kept));
  return {
    args: [ROOT, project],
    env: { LISP_WORKBENCH_HOME: home, LISP_WORKBENCH_TEST: '1', HTTP_PORT: String(await freePort()) },
    origin: 'app://workbench/',
    live: `document.querySelector('[aria-label="REPL input"]') !== null &&
      document.querySelector('[class*="_titleState"]')?.textContent.startsWith('idle') === true`,
  };
}

async function bareWindow(scope: AsyncDisposableStack): Promise<Program> {
  const data = await temporaryFolder(scope, 'bare');
  return { args: [`--user-data-dir=${data}`, await buildBare()], env: {}, origin: 'bare://', live: 'true' };
}

async function launchOnce(
  executable: string,
  { args, env, origin, live }: Program,
  shown: Record<string, string>,
  scope: AsyncDisposableStack,
): Promise<Launched> {
  const switches = [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--remote-debugging-port=0'];
  const { ELECTRON_RUN_AS_NODE: _asNode, ...inherited } = process.env;
  const began = performance.timeOrigin + performance.now();
  const child = spawn(executable, [...switches, ...args], {
    cwd: ROOT,
    env: { ...inherited, ...shown, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true, // a separate process group, so that all remaining processes can be ended
  });
  const closed = once(child, 'close');
  const killGroup = (): void => {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // The process has already ended.
    }
  };
  scope.defer(killGroup);
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    killGroup();
  }, LIMIT_MS);
  try {
    const address = await devToolsAddress(child.stderr);
    const told = JSON.parse(await toldByPage(address, watcher(origin, live), 'benchPainted')) as Launched;
    return { text: told.text - began, live: told.live - began };
  } catch (error) {
    throw isLate ? new Error(`${origin} did not show its text within ${LIMIT_MS / 1000} seconds.`) : error;
  } finally {
    clearTimeout(limit);
    child.kill('SIGTERM'); // asks the program to quit as the menu does, so that it saves its caches
    const late = setTimeout(killGroup, GRACE_MS);
    await closed;
    clearTimeout(late);
  }
}

/** Continues to read after the address was found, so that the program's later output does not fill the pipe. */
function devToolsAddress(stderr: Readable): Promise<string> {
  let said = '';
  return new Promise((resolve, reject) => {
    stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-4000);
      const address = /DevTools listening on (ws:\S+)\s/.exec(said)?.[1];
      if (address !== undefined) resolve(address);
    });
    stderr.on('end', () => reject(new Error(`The program ended before it had a window: ${said.trim()}`)));
  });
}

/**
 * Returns the script that checks every frame. A text that is in the document at the start of a frame is on the screen at the start of the
 * next frame. The page's clock and this process's clock agree, because both count from the same epoch.
 */
function watcher(origin: string, live: string): string {
  return `(() => {
    if (!location.href.startsWith(${JSON.stringify(origin)}) || window.benchWatches) return;
    window.benchWatches = true;
    let text = null;
    const now = () => performance.timeOrigin + performance.now();
    const hasText = () => document.querySelector('.view-lines')?.textContent.includes(${JSON.stringify(MARK)}) === true;
    const look = () => {
      if (text === null && hasText()) {
        text = 0;
        requestAnimationFrame(() => { text = now(); });
      }
      if (text !== null && ${live}) {
        requestAnimationFrame(() => benchPainted(JSON.stringify({ text, live: now() })));
      } else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  })()`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}
