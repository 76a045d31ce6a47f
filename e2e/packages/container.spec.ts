import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, test } from '@playwright/test';
import { agentOf } from '../desktop/desktop.ts';
import { freePort } from '../desktop/launch.ts';
import { killTree } from '../desktop/process-tree.ts';
import { bareSystem } from './bare-debian.ts';
import { ROOT } from './made.ts';

/** The id of the ordinary user of the container. */
const USER = 10_001;
const BASE = 'lisp-workbench-test-base';

const execute = promisify(execFile);
const buildah = async (...args: string[]): Promise<string> =>
  (await execute('buildah', ['--storage-driver', 'vfs', ...args], { maxBuffer: 64 * 1024 * 1024 })).stdout.trim();

let image: string;

test.beforeAll(async () => {
  test.setTimeout(10 * 60_000);
  const scratch = await buildah('from', 'scratch');
  await buildah('add', scratch, bareSystem(), '/');
  await buildah('commit', scratch, BASE);
  await execute(process.execPath, [path.join(ROOT, 'resources', 'package', 'package.mjs'), 'container'], {
    env: { ...process.env, LISP_WORKBENCH_PACKAGE_FAST: '1', LISP_WORKBENCH_CONTAINER_BASE: `localhost/${BASE}` },
    maxBuffer: 16 * 1024 * 1024,
  });
  const { version } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8')) as { version: string };
  image = `localhost/lisp-workbench:${version}`;
});

test.afterAll(async () => {
  await buildah('rm', '--all');
  await buildah('rmi', '--all', '--force');
});

test('The container serves Lisply and MCP as an ordinary user, on folders of the host [L29, L34]', async () => {
  test.setTimeout(10 * 60_000);
  const { OCIv1 } = JSON.parse(await buildah('inspect', '--type', 'image', image)) as {
    OCIv1: { config: { User: string; Entrypoint: string[]; Cmd: string[]; ExposedPorts: object; Volumes: object } };
  };
  const { User, Entrypoint, Cmd, ExposedPorts, Volumes } = OCIv1.config;
  expect(User).toBe(String(USER));
  expect(Object.keys(ExposedPorts).toSorted()).toEqual(['4023/tcp', '4200/tcp', '9080/tcp', '9443/tcp']);
  expect(Object.keys(Volumes).toSorted()).toEqual(['/data', '/project']);

  const folder = await mkdtemp(path.join(tmpdir(), 'container-project-'));
  await chmod(folder, 0o777);
  const container = await buildah('from', image);
  // The container uses this machine's network, so the port must be free on this machine.
  const port = await freePort();
  const within = ['run', '--isolation', 'chroot', '--env', `HTTP_PORT=${port}`, '--volume', `${folder}:/project`];
  const options = ['--storage-driver', 'vfs', ...within, container, '--'];
  const server = spawn('buildah', [...options, ...Entrypoint, ...Cmd], { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
    const ready = JSON.parse((await lines.next()).value!) as { ready: boolean; mcp: string; token: string };
    expect(ready.ready).toBe(true);

    const url = `http://127.0.0.1:${port}`;
    expect(await (await fetch(`${url}/lisply/ping-lisp`)).text()).toBe('pong');
    const code = '(with-open-file (out "/project/written" :direction :output) (format out "from within") (+ 1 2 3))';
    const evaluated = await fetch(`${url}/lisply/lisp-eval`, { method: 'POST', body: JSON.stringify({ code }) });
    expect(await evaluated.json()).toMatchObject({ success: true, result: '6' });
    expect(await readFile(path.join(folder, 'written'), 'utf8')).toBe('from within');
    expect((await stat(path.join(folder, 'written'))).uid).toBe(USER);

    // A request from the host has the host's port in its Host header. A request from a web page would have the page's own host there.
    expect(await statusFor(port, '127.0.0.1:9081')).toBe(200);
    expect(await statusFor(port, 'example.org')).toBe(403);

    const client = new Client({ name: 'agent', version: '1.0.0' });
    const headers = { Authorization: `Bearer ${ready.token}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
    const agent = agentOf(client);
    expect((await agent.call('evaluate-lisp', { code: '(progn (require :sb-md5) (package-name :sb-md5))' })).text).toBe(
      '=> "SB-MD5"',
    );
    expect((await agent.call('write-file', { path: 'other', content: 'x' })).isError).toBe(true);
    await client.close();
    expect((await fetch(`${url}/mcp`, { method: 'POST' })).status).toBe(401);

    await expect(buildah(...within, container, '--', '/opt/lisp-workbench/bin/healthy')).resolves.toBeDefined();
  } finally {
    killTree(server.pid!);
  }
  await expect(buildah(...within, container, '--', '/opt/lisp-workbench/bin/healthy')).rejects.toThrow();
  await rm(folder, { recursive: true });
});

test('A container is a target: images of a server here run in it, with its user, its SBCL and its folders [issue 13.7]', async () => {
  test.setTimeout(10 * 60_000);
  const folder = await mkdtemp(path.join(tmpdir(), 'container-target-'));
  await chmod(folder, 0o777);
  const container = await buildah('from', image);
  const volumes = `--volume ${folder}:/project --env HOME=/data`;
  const place = `buildah --storage-driver vfs run --isolation chroot ${volumes} ${container} --`;
  const target = `command:${place},directory=/project,sbcl=/opt/lisp-workbench/sbcl/bin/sbcl`;
  const port = await freePort();
  const cli = path.join(ROOT, 'out', 'cli', 'cli.js');
  const server = spawn(
    process.execPath,
    [cli, 'serve', '--project', folder, '--effects', 'allow', '--target', target],
    {
      cwd: folder,
      env: { ...process.env, LISP_WORKBENCH_HOME: path.join(folder, 'home'), HTTP_PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  try {
    const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
    const { mcp, token } = JSON.parse((await lines.next()).value!) as { mcp: string; token: string };
    const client = new Client({ name: 'agent', version: '1.0.0' });
    const headers = { Authorization: `Bearer ${token}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(mcp), { requestInit: { headers } }));
    const agent = agentOf(client);
    // The first answer takes longer, because the container must build the core first.
    const say = async (code: string): Promise<string> => {
      let { text } = await agent.call('evaluate-lisp', { code });
      for (let handle; (handle = /^Handle: (\S+)$/m.exec(text)?.[1]) !== undefined;)
        ({ text } = await agent.call('await-approval', { approval_id: handle }));
      return text;
    };
    expect(await say('(progn (require :sb-posix) (funcall (intern "GETUID" :sb-posix)))')).toContain(`=> ${USER}`);
    await say('(with-open-file (out "written" :direction :output) (princ "from within" out))');
    expect(await readFile(path.join(folder, 'written'), 'utf8')).toBe('from within');
    expect((await stat(path.join(folder, 'written'))).uid).toBe(USER);
    expect(await say('(namestring *default-pathname-defaults*)')).toContain('"/project/"');
    await writeFile(path.join(folder, 'area.lisp'), '(defun area (r) (* r undefined-pi r))\n');
    const loaded = await agent.call('load-file', { path: path.join(folder, 'area.lisp') });
    expect(loaded.text).toContain('UNDEFINED-PI');
    expect(await say('(area 2)')).toContain('UNDEFINED-PI');
    expect(await say('(sb-ext:exit :code 3 :abort t)')).toContain('ended the image');
    expect(await say('(fboundp (quote area))')).toContain('AREA');
    await client.close();
  } finally {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
  const { stdout } = await execute('ps', ['-eo', 'user,args']);
  expect(stdout.split('\n').filter((line) => line.includes('/opt/lisp-workbench/sbcl'))).toEqual([]);
  await rm(folder, { recursive: true });
});

/** Returns the status of the response to a request with `host` in its Host header. */
function statusFor(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path: '/lisply/ping-lisp', headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode!);
    })
      .on('error', reject)
      .end();
  });
}
