/** The real desktop, its own home and project, and real clients beside it. */
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { _electron, expect, test as base, type ElectronApplication, type Locator, type Page } from '@playwright/test';
import type { MintedClient } from '../main/contract/client.ts';
import type { Snapshot, WorkbenchBridge } from '../main/contract/rpc.ts';
import { cacheOfRun } from './core-cache.ts';

declare global {
  interface Window {
    readonly workbench: WorkbenchBridge;
  }
}

export interface Agent {
  readonly client: Client;
  call(
    name: string,
    args?: Record<string, unknown>,
  ): Promise<{ text: string; isError: boolean; meta: Record<string, unknown> }>;
  close(): Promise<void>;
}

/** One launch of the desktop. */
export class Desktop {
  readonly app: ElectronApplication;
  readonly page: Page;
  readonly home: string;
  readonly project: string;

  constructor(app: ElectronApplication, page: Page, home: string, project: string) {
    this.app = app;
    this.page = page;
    this.home = home;
    this.project = project;
  }

  region(name: string): Locator {
    return this.page.getByRole('region', { name, exact: true });
  }

  snapshot(): Promise<Snapshot> {
    return this.page.evaluate(() => window.workbench.call('app.snapshot', {}));
  }

  /** Waits for the image; the REPL is live then. */
  async imageReady(): Promise<void> {
    await expect.poll(async () => (await this.snapshot()).session.state, { timeout: 60_000 }).toBe('idle');
  }

  mint(name: string): Promise<MintedClient> {
    return this.page.evaluate((given) => window.workbench.call('clients.mint', { name: given }), name);
  }

  /** A real MCP client over HTTP with a token of its own. */
  async agent(name = 'claude-code'): Promise<Agent> {
    const { token } = await this.mint(name);
    const { url } = (await this.snapshot()).server;
    const client = new Client({ name, version: '1.0.0' });
    const transport = new StreamableHTTPClientTransport(new URL(url!), {
      requestInit: { headers: { Authorization: `Bearer ${token}` } },
    });
    await client.connect(transport);
    return agentOf(client);
  }

  /** The approval view, a page of its own. */
  async review(): Promise<Page> {
    const find = (): Page | undefined => this.app.windows().find((page) => page.url().startsWith('app://approval/'));
    await expect.poll(() => find() !== undefined).toBe(true);
    return find()!;
  }

  /** Evaluates at the REPL as a person does. */
  async repl(code: string): Promise<void> {
    const input = this.page.getByRole('textbox', { name: 'REPL input' });
    await input.click();
    await this.page.keyboard.insertText(code);
    await this.page.keyboard.press('Control+Enter');
  }

  async newFile(text: string): Promise<void> {
    await this.page.keyboard.press('Control+n');
    await this.region('Editor').locator('.monaco-editor').first().click();
    await this.page.keyboard.insertText(text);
  }

  /** Opens a file by the menu's way; the native dialog, which nobody can click here, answers with it. */
  async openFile(file: string): Promise<void> {
    await this.app.evaluate(({ dialog }, chosen) => {
      dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [chosen] });
    }, file);
    await this.page.keyboard.press('Control+o');
  }

  async close(): Promise<void> {
    await this.app.close();
  }
}

export function agentOf(client: Client): Agent {
  return {
    client,
    async call(name, args = {}) {
      const { content, isError, _meta } = await client.callTool({ name, arguments: args }, undefined, {
        timeout: 80_000,
      });
      return { text: (content as { text: string }[])[0]!.text, isError: isError as boolean, meta: _meta ?? {} };
    },
    close: () => client.close(),
  };
}

export interface LaunchOptions {
  /** Name of the project's folder; a random one when it does not matter. */
  readonly projectName?: string;
  readonly colorScheme?: 'light' | 'dark';
  readonly home?: string;
  readonly project?: string;
  readonly env?: Record<string, string>;
  readonly args?: readonly string[];
  /** False opens the project as one that was never opened before. */
  readonly trusted?: boolean;
}

interface Fixtures {
  launch: (options?: LaunchOptions) => Promise<Desktop>;
  desktop: Desktop;
}

export const test = base.extend<Fixtures>({
  // Playwright wants the first argument destructured, even when nothing is taken from it.
  // oxlint-disable-next-line no-empty-pattern
  launch: async ({}, give) => {
    const open: Desktop[] = [];
    const made: string[] = [];
    const folder = async (prefix: string): Promise<string> => {
      const fresh = await mkdtemp(path.join(tmpdir(), prefix));
      made.push(fresh);
      return fresh;
    };
    await give(async ({ home, project, projectName, colorScheme, env, args, trusted } = {}) => {
      const parent = project ?? (await folder('project-'));
      const root = projectName === undefined ? parent : path.join(parent, projectName);
      await mkdir(root, { recursive: true });
      const ownHome = home ?? (await folder('home-'));
      if (trusted !== false) await trust(ownHome, root);
      const desktop = await start(ownHome, root, env ?? {}, args ?? [], colorScheme ?? 'light');
      open.push(desktop);
      return desktop;
    });
    for (const desktop of open) await desktop.close().catch(() => {}); // a test may have closed it
    for (const each of made) await rm(each, { recursive: true, force: true });
  },
  desktop: async ({ launch }, give) => {
    const desktop = await launch();
    await desktop.imageReady();
    await give(desktop);
  },
});

/** The core is a function of the sources and of SBCL: built by the run's first launch, it serves the others. */
const CACHE = cacheOfRun();

/** As if the person had said so before. */
async function trust(home: string, project: string): Promise<void> {
  const file = path.join(home, 'config', 'trust.json');
  await mkdir(path.dirname(file), { recursive: true });
  const before = await readFile(file, 'utf8').catch(() => '{"folders":[]}');
  const { folders } = JSON.parse(before) as { folders: string[] };
  await writeFile(file, JSON.stringify({ version: 1, folders: [...folders, await realpath(project)] }));
}

async function start(
  home: string,
  project: string,
  env: Record<string, string>,
  args: readonly string[],
  colorScheme: 'light' | 'dark',
): Promise<Desktop> {
  await mkdir(CACHE, { recursive: true });
  await symlink(CACHE, path.join(home, 'cache'), 'junction').catch(() => {}); // a second launch of the same home has it
  const app = await _electron.launch({
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '.', project, ...args],
    cwd: path.resolve(import.meta.dirname, '..'),
    env: {
      ...definedEnvironment(),
      LISP_WORKBENCH_HOME: home,
      LISP_WORKBENCH_TEST: '1',
      HTTP_PORT: String(await freePort()),
      ...env,
    },
    colorScheme,
    timeout: 60_000,
  });
  const page = await app.firstWindow({ timeout: 60_000 });
  const main = page.url().startsWith('app://workbench/')
    ? page
    : await app.waitForEvent('window', (each) => each.url().startsWith('app://workbench/'));
  await drawn(app, main);
  return new Desktop(app, main, home, project);
}

/**
 * Waits until the page is there. Once in several hundred launches under the runner, whose debugger attaches while the page
 * loads, it does not come up; it is loaded again then, and what main knows of it is said.
 */
async function drawn(app: ElectronApplication, page: Page): Promise<void> {
  const shown = (timeout: number): Promise<unknown> => page.waitForSelector('[aria-label="REPL"]', { timeout });
  try {
    await shown(30_000);
  } catch {
    const loading = await app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map(({ webContents }) => [webContents.getURL(), webContents.isLoading()]),
    );
    process.stderr.write(`The page did not come up and is loaded again: ${JSON.stringify(loading)}\n`);
    await page.reload();
    await shown(60_000);
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

export { expect };
