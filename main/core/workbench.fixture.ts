/** A headless workbench with a real image, its HTTP door and a real MCP client, for tests. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { TEST_CACHE } from './lisp/core.fixture.ts';
import { findSources } from './lisp/sources.ts';
import { Project } from './project/project.ts';
import { HttpServer, type HttpServerOptions } from './servers/http-server.ts';
import type { Rate } from './servers/rate.ts';
import { createPlaces, findPlaces } from './settings/places.ts';
import { Workbench } from './workbench.ts';

export interface Reply {
  readonly text: string;
  readonly isError: boolean;
  readonly meta: Record<string, unknown>;
}

export interface TestWorkbench {
  readonly workbench: Workbench;
  readonly server: HttpServer;
  readonly project: string;
  /** Where the workbench keeps its own files. */
  readonly home: string;
  readonly url: string;
  readonly token: string;
  /** A client with a connection of its own. */
  connect(name?: string): Promise<TestClient>;
  /** Plain HTTP with the token, or with other headers. */
  fetch(route: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

export interface TestClient {
  readonly client: Client;
  call(name: string, args?: Record<string, unknown>): Promise<Reply>;
  /** evaluate-lisp, its text. */
  evaluate(code: string, more?: Record<string, unknown>): Promise<string>;
}

export interface TestOptions extends Partial<Omit<HttpServerOptions, 'port'>> {
  readonly sbcl?: string;
  /** Folder of the cores; by default that of the run. */
  readonly cache?: string;
  readonly environment?: NodeJS.ProcessEnv;
  /** Null asks; by default effects of evaluated code are allowed, so that tests of other things need no person. */
  readonly effects?: 'allow' | 'deny' | null;
  readonly rate?: Rate;
  /** As the desktop: the image is a person's too, what they keep is on disk, and the project is not trusted yet. */
  readonly shared?: boolean;
  /** What files of a shared one hold before it starts, by name. */
  readonly stored?: Readonly<Record<string, string>>;
}

export async function openTestWorkbench(options: TestOptions = {}): Promise<TestWorkbench> {
  const home = await mkdtemp(path.join(tmpdir(), 'lisp-workbench-'));
  const folder = await mkdtemp(path.join(tmpdir(), 'project-'));
  const places = createPlaces({ ...findPlaces({ LISP_WORKBENCH_HOME: home }), cache: options.cache ?? TEST_CACHE });
  for (const [name, text] of Object.entries(options.stored ?? {})) await writeFile(path.join(places.config, name), text);
  const project = await Project.open(folder);
  const environment = { ...process.env, ...options.environment };
  const effects = options.effects === undefined ? 'allow' : options.effects;
  const sources = findSources(import.meta.dirname);
  const workbench = new Workbench({
    version: '0.0.0',
    places,
    project,
    sbcl: options.sbcl ?? null,
    sources,
    shared: options.shared ?? false,
    environment,
    ...(effects === null ? {} : { effects }),
    ...(options.rate ? { rate: options.rate } : {}),
  });
  const { token } = await workbench.clients.mint('tester');
  const server = new HttpServer(workbench.door, {
    address: '127.0.0.1',
    moreHosts: [],
    anonymousLisply: null,
    ...options,
    port: 0,
  });
  const url = `http://127.0.0.1:${await server.listen()}`;
  const clients: Client[] = [];
  return {
    workbench,
    server,
    project: project.root!,
    home: places.config,
    url,
    token,
    async connect(name) {
      const bearer = name === undefined ? token : (await workbench.clients.mint(name)).token;
      const client = new Client({ name: name ?? 'tester', version: '1.0.0' });
      const headers = { Authorization: `Bearer ${bearer}` };
      // The SDK's own types disagree with exactOptionalPropertyTypes.
      await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }));
      clients.push(client);
      return testClient(client);
    },
    fetch: (route, init = {}) =>
      fetch(`${url}${route}`, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } }),
    async close() {
      for (const client of clients) await client.close();
      await server.close();
      await workbench.dispose();
      await rm(home, { recursive: true, force: true });
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export function testClient(client: Client): TestClient {
  const call = async (name: string, args: Record<string, unknown> = {}): Promise<Reply> => {
    const { content, isError, _meta } = await client.callTool({ name, arguments: args }, undefined, {
      timeout: 60_000,
    });
    const [item, ...more] = content as { type: string; text: string }[];
    if (item?.type !== 'text' || more.length > 0) throw new Error('A reply must be one text item.');
    return { text: item.text, isError: isError as boolean, meta: _meta ?? {} };
  };
  return { client, call, evaluate: async (code, more = {}) => (await call('evaluate-lisp', { code, ...more })).text };
}
