/** A workbench without a window, for tests. It has a real image, the HTTP transport and a real MCP client. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { EvaluationReport } from '#contract/image/evaluation.ts';
import type { Target } from '#contract/target.ts';
import { TEST_CACHE } from './lisp/core.fixture.ts';
import { findSources } from './lisp/start/sources.ts';
import type { OpenBuffer } from './project/files/buffers.ts';
import { Project } from './project/project.ts';
import { HttpServer, type HttpServerOptions } from '#core/transports/http/http-server.ts';
import { createPaths, findPaths } from '#core/settings/paths.ts';
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
  /** The folder of the workbench's own files. */
  readonly home: string;
  readonly url: string;
  readonly token: string;
  /** Connects a client over a separate connection. */
  connect(name?: string): Promise<TestClient>;
  /** Evaluates code as the person does at the REPL. An error ends the evaluation. */
  asPerson(this: void, code: string): Promise<EvaluationReport>;
  /** Sends a plain HTTP request with the token, or with other headers. */
  fetch(route: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

export interface TestClient {
  readonly client: Client;
  call(name: string, args?: Record<string, unknown>): Promise<Reply>;
  /** Calls `evaluate-lisp`, and resolves with the text of the answer. */
  evaluate(code: string, more?: Record<string, unknown>): Promise<string>;
}

export interface TestOptions extends Partial<HttpServerOptions> {
  /** Hosts that the server accepts in addition to its own. */
  readonly moreHosts?: readonly string[];
  readonly sbcl?: string;
  /** The cache folder for cores; by default the test run's folder. */
  readonly cache?: string;
  readonly environment?: NodeJS.ProcessEnv;
  /**
   * The decision about effects of evaluated code. The default is `allow`, so that unrelated tests need no person; with null, the person is
   * asked.
   */
  readonly effects?: 'allow' | 'deny' | null;
  readonly mostOpenRequests?: number;
  /** The buffers that are open in the window; by default there are none. */
  readonly buffers?: readonly OpenBuffer[];
  /** False to turn the image's checkpoints off. */
  readonly checkpoints?: boolean;
  /**
   * True to open the workbench as the desktop does: a person shares the image, the person's data is on disk, and the project is not trusted
   * yet.
   */
  readonly shared?: boolean;
  /** The target on which images run; by default this machine. */
  readonly target?: Target;
  /** The initial content of a shared workbench's files, by file name. */
  readonly stored?: Readonly<Record<string, string>>;
}

export async function openTestWorkbench(options: TestOptions = {}): Promise<TestWorkbench> {
  const home = await mkdtemp(path.join(tmpdir(), 'lisp-workbench-'));
  const folder = await mkdtemp(path.join(tmpdir(), 'project-'));
  const cache = options.cache ?? TEST_CACHE;
  // Commands that a test starts with this home find the core there, so they do not build it again.
  await symlink(cache, path.join(home, 'cache'));
  const paths = createPaths({ ...findPaths({ LISP_WORKBENCH_HOME: home }), cache });
  for (const [name, text] of Object.entries(options.stored ?? {})) await writeFile(path.join(paths.config, name), text);
  const project = await Project.open(folder);
  const environment = { ...process.env, ...options.environment };
  const effects = options.effects === undefined ? 'allow' : options.effects;
  const sources = findSources(import.meta.dirname);
  const workbench = new Workbench({
    version: '0.0.0',
    paths,
    project,
    sbcl: options.sbcl ?? null,
    sources,
    shared: options.shared ?? false,
    checkpoints: options.checkpoints ?? true,
    environment,
    ...(effects === null ? {} : { effects }),
    ...(options.target ? { target: options.target } : {}),
    ...(options.mostOpenRequests ? { mostOpenRequests: options.mostOpenRequests } : {}),
    ...(options.buffers ? { buffers: () => options.buffers! } : {}),
  });
  // Unrelated tests get their answers directly instead of as handles, even on a busy machine.
  workbench.transportHost.responseTimeouts.response = () => 600_000;
  const { token } = await workbench.clients.mint('tester');
  const server = new HttpServer(workbench.transportHost, {
    anonymousLisply: null,
    ...options,
  });
  const place = { port: 0, address: '127.0.0.1', moreHosts: options.moreHosts ?? [], certificate: null };
  const url = `http://127.0.0.1:${await server.listen(place)}`;
  const clients: Client[] = [];
  return {
    workbench,
    server,
    project: project.root!,
    home: paths.config,
    url,
    token,
    async connect(name) {
      const bearer = name === undefined ? token : (await workbench.clients.mint(name)).token;
      const client = new Client({ name: name ?? 'tester', version: '1.0.0' });
      const headers = { Authorization: `Bearer ${bearer}` };
      // The SDK's own types do not comply with exactOptionalPropertyTypes.
      await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }));
      clients.push(client);
      return testClient(client);
    },
    asPerson: (code) =>
      workbench.evaluateAsPerson({
        evaluation: randomUUID(),
        code,
        package: null,
        origin: 'repl',
        source: null,
        onError: 'report',
      }),
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
      // The client's timeout is longer than any test, because otherwise it would hide which test hangs.
      timeout: 600_000,
    });
    const [item, ...more] = content as { type: string; text: string }[];
    if (item?.type !== 'text' || more.length > 0) throw new Error('A reply must be one text item.');
    return { text: item.text, isError: isError as boolean, meta: _meta ?? {} };
  };
  return { client, call, evaluate: async (code, more = {}) => (await call('evaluate-lisp', { code, ...more })).text };
}
