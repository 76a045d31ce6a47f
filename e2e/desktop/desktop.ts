/** A launch of the desktop for stories, and real clients beside it. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, type ElectronApplication, type Locator, type Page } from '@playwright/test';
import type { MintedClient } from '../../main/contract/clients/client.ts';
import type { Snapshot, WorkbenchBridge } from '../../main/contract/rpc.ts';
import type { ServerKind, ServerRecord } from '../../main/contract/clients/server.ts';
import { serverOf } from '../../main/contract/clients/server-list.ts';

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

/** A launch of the desktop program, with its home and its project. */
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

  /** Waits until the image is ready and the REPL can be used. */
  async imageReady(): Promise<void> {
    await expect.poll(async () => (await this.snapshot()).session.state, { timeout: 60_000 }).toBe('idle');
  }

  mint(name: string): Promise<MintedClient> {
    return this.page.evaluate((given) => window.workbench.call('clients.mint', { name: given }), name);
  }

  /** Connects a real MCP client over HTTP with its own token. */
  async agent(name = 'claude-code'): Promise<Agent> {
    const { token } = await this.mint(name);
    const url = await this.serverUrl();
    const client = new Client({ name, version: '1.0.0' });
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { Authorization: `Bearer ${token}` } },
    });
    await client.connect(transport);
    return agentOf(client);
  }

  /** Waits until the MCP server is running, because the window opens earlier. Returns the server's address. */
  async serverUrl(): Promise<string> {
    await expect.poll(async () => (await this.server('http')).address, { intervals: [50] }).not.toBeNull();
    return (await this.server('http')).address!;
  }

  /** Returns the state of a server of the program. */
  async server(kind: ServerKind): Promise<ServerRecord> {
    return serverOf((await this.snapshot()).servers, kind)!;
  }

  /** Returns the page of the approval view. */
  async review(): Promise<Page> {
    const find = (): Page | undefined => this.app.windows().find((page) => page.url().startsWith('app://approval/'));
    await expect.poll(() => find() !== undefined).toBe(true);
    return find()!;
  }

  /** Evaluates code at the REPL as a person does. */
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

  /** Opens a file with the menu's command. The native dialog, which tests cannot click, is replaced by a function that returns the file. */
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
