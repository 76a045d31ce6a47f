/** The start of the built program as a separate process, until its page is loaded. */
import { cp, mkdir, symlink } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';
import { cacheOfRun, compiledScripts, compiledScriptsOf } from './caches.ts';
import { takeDisplay } from './displays.ts';
import { killTree } from './process-tree.ts';

takeDisplay();

export interface Launch {
  readonly home: string;
  /** The folder with which the program is started; null if there is none. */
  readonly project: string | null;
  readonly env?: Record<string, string>;
  readonly args?: readonly string[];
  readonly colorScheme?: 'light' | 'dark';
  /** A function that runs in each page before the page's own scripts. */
  readonly first?: () => void;
}

/** The started program, and its main page. */
export interface Launched {
  readonly app: ElectronApplication;
  readonly page: Page;
}

/** Starts the program with a project and a home. The home gets the caches of the run. */
export async function start({
  home,
  project,
  env = {},
  args = [],
  colorScheme = 'light',
  first: script,
}: Launch): Promise<Launched> {
  await shareCaches(home);
  const launched = async (): Promise<Launched> => {
    const app = await _electron.launch({
      args: [
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '.',
        ...(project === null ? [] : [project]),
        ...args,
      ],
      cwd: path.resolve(import.meta.dirname, '../..'),
      env: {
        ...definedEnvironment(),
        LISP_WORKBENCH_HOME: home,
        LISP_WORKBENCH_TEST: '1',
        HTTP_PORT: String(await freePort()),
        HTTPS_PORT: String(await freePort()),
        ...env,
      },
      colorScheme,
      timeout: 60_000,
    });
    if (script) await app.context().addInitScript(script);
    const first = await app.firstWindow({ timeout: 60_000 });
    const main = first.url().startsWith('app://workbench/')
      ? first
      : await app.waitForEvent('window', (each) => each.url().startsWith('app://workbench/'));
    return { app, page: main };
  };
  let { app, page } = await launched();
  if (!(await drawn(app, page))) {
    const ended = app.waitForEvent('close');
    killTree(app.process().pid!);
    await ended;
    ({ app, page } = await launched());
    await page.waitForSelector('[aria-label="REPL"]', { timeout: 60_000 });
  }
  return { app, page };
}

/** Shares the core and the compiled scripts of the run's first launches. They depend only on the sources. */
async function shareCaches(home: string): Promise<void> {
  const cores = cacheOfRun();
  await mkdir(cores, { recursive: true });
  // At a second launch with the same home, the links already exist.
  await symlink(cores, path.join(home, 'cache'), 'junction').catch(() => {});
  await cp(compiledScripts(), compiledScriptsOf(home), { recursive: true, force: false }).catch(() => {});
}

/**
 * Resolves with true if the page has been loaded. The test runner's debugger stops each new page until the debugger is attached. In about
 * one of several hundred launches the page moves to another process before that, and the new process is never resumed. The page then never
 * finishes loading, and only another launch helps.
 */
async function drawn(app: ElectronApplication, page: Page): Promise<boolean> {
  try {
    await page.waitForSelector('[aria-label="REPL"]', { timeout: 20_000 });
    return true;
  } catch {
    const loading = await app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map(({ webContents }) => [webContents.getURL(), webContents.isLoading()]),
    );
    process.stderr.write(`The page did not come up, and the program is launched again: ${JSON.stringify(loading)}\n`);
    return false;
  }
}

function definedEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries.filter(([name]) => name !== 'ELECTRON_RUN_AS_NODE'));
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}
