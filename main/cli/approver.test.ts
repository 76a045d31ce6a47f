/** Tests of `--approve client` and `--approve project`, through the commands as clients start and call them. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, type ElicitResult } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { builtCommand } from '#core/built-command.fixture.ts';
import { inContainer } from '#core/base/container.ts';
import { TEST_CACHE } from '#core/lisp/core.fixture.ts';
import { checkApprove } from './approver.ts';
import { UsageError } from './options/usage-error.ts';

let folder: string;
let opened: Client[];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'approve-'));
  mkdirSync(path.join(folder, 'home'));
  mkdirSync(path.join(folder, 'project'));
  symlinkSync(TEST_CACHE, path.join(folder, 'home', 'cache')); // uses the core that was built once for all tests
  opened = [];
});

afterEach(async () => {
  for (const client of opened) await client.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

const at = (name: string): string => path.join(folder, 'project', name);

const environment = (): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : []))),
  LISP_WORKBENCH_HOME: path.join(folder, 'home'),
});

/**
 * Starts `mcp` as a client with this protocol version does. `answer` is the answer of the client's person; if it is omitted, the client
 * does not support questions.
 */
async function started(era: string, options: readonly string[], answer?: ElicitResult) {
  const mode = era === '2026-07-28' ? { pin: era } : ('legacy' as const);
  const capabilities = answer ? { elicitation: {} } : {};
  const client = new Client({ name: 'starter', version: '1' }, { versionNegotiation: { mode }, capabilities });
  if (answer) client.setRequestHandler('elicitation/create', () => answer);
  const args = [builtCommand(), 'mcp', '--project', path.join(folder, 'project'), ...options];
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env: environment(), stderr: 'ignore' }),
  );
  opened.push(client);
  const call = async (name: string, given: Record<string, unknown>): Promise<string> => {
    const { content } = await client.callTool({ name, arguments: given }, { timeout: 100_000 });
    const [item] = content;
    return item?.type === 'text' ? item.text : '';
  };
  return { client, call };
}

const APPROVE: ElicitResult = { action: 'accept', content: { decision: 'approve' } };

describe.each(['2025-11-25', '2026-07-28'])('mcp --approve, protocol %s', (era) => {
  it('The command mcp --approve client asks the person in the client that started it, about tools and effects', async () => {
    const { client, call } = await started(era, ['--approve', 'client'], APPROVE);
    expect(client.getInstructions()).toContain('are requested in your own program');
    expect(await call('write-file', { path: 'yes.txt', content: 'yes' })).toBe('Wrote 3 bytes to yes.txt.');
    const code = `(with-open-file (s "${at('code.txt')}" :direction :output) (write-string "x" s) :done)`;
    expect(await call('evaluate-lisp', { code })).toMatch(/^=> :DONE/);
    expect(readFileSync(at('code.txt'), 'utf8')).toBe('x');
  }, 120_000);

  it('The command mcp --approve client denies at once where the client cannot ask', async () => {
    const { call } = await started(era, ['--approve', 'client']);
    expect(await call('write-file', { path: 'no.txt', content: 'no' })).toMatch(/cannot ask its user/);
    expect(() => readFileSync(at('no.txt'))).toThrow(/ENOENT/);
  }, 120_000);

  it('The command mcp --approve project --sandbox lets file tools change the project, and nothing else', async () => {
    const { client, call } = await started(era, ['--approve', 'project', '--sandbox'], APPROVE);
    expect(client.getInstructions()).toContain('File tools may change files of the project without asking');
    expect(await call('write-file', { path: 'yes.txt', content: 'yes' })).toBe('Wrote 3 bytes to yes.txt.');
    expect(await call('write-file', { path: '.mcp.json', content: '{}' })).toMatch(/configures a program/);
    expect(() => readFileSync(at('.mcp.json'))).toThrow(/ENOENT/);
  }, 120_000);
});

describe('undo', () => {
  function undone(...options: string[]): { code: number | null; said: string } {
    const args = [builtCommand(), 'undo', ...options];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { env: environment(), encoding: 'utf8' });
    return { code: status, said: `${stdout}${stderr}` };
  }

  it('The command undo takes back what was changed without a person, also after that run has ended [P6]', async () => {
    expect(undone()).toEqual({ code: 0, said: 'There is no change to undo.\n' });
    writeFileSync(at('old.txt'), 'before');
    const { client, call } = await started('2025-11-25', ['--approve', 'project', '--sandbox']);
    await call('write-file', { path: 'old.txt', content: 'after' });
    await call('write-file', { path: 'new.txt', content: 'new' });
    await client.close();
    const listed = undone().said.trim().split('\n');
    expect(listed).toEqual([
      expect.stringMatching(/^[0-9a-f]{8} {2}.*new\.txt is deleted, because it was new$/),
      expect.stringMatching(/^[0-9a-f]{8} {2}.*old\.txt is restored$/),
    ]);
    const [added, changed] = listed.map((line) => line.slice(0, 8)) as [string, string];
    expect(undone('--change', changed)).toEqual({ code: 0, said: expect.stringMatching(/was restored\.\n$/) });
    expect(readFileSync(at('old.txt'), 'utf8')).toBe('before');
    writeFileSync(at('new.txt'), 'mine');
    expect(undone('--change', added)).toEqual({
      code: 1,
      said: expect.stringMatching(/was changed after that\. Nothing was undone\.\n$/),
    });
    expect(readFileSync(at('new.txt'), 'utf8')).toBe('mine');
    expect(undone('--change', 'f00')).toEqual({ code: 2, said: expect.stringContaining('There is no change f00') });
  }, 120_000);
});

describe('wall around the image', () => {
  it('The option --approve project is refused without a sandbox and without a container, with what to do', () => {
    const check = (approve: 'client' | 'project', sandbox: boolean, container: boolean) => (): void =>
      checkApprove({ approve, sandbox }, {}, container);
    expect(check('project', false, false)).toThrow(UsageError);
    expect(check('project', false, false)).toThrow(/Add --sandbox, or run the command in a container\.$/);
    for (const allowed of [check('project', true, false), check('project', false, true), check('client', false, false)])
      expect(allowed).not.toThrow();
  });

  it.each(['serve', 'mcp'])(
    'The command %s --approve project starts only behind a wall',
    async (command) => {
      const args = [builtCommand(), command, '--approve', 'project', ...(command === 'serve' ? ['--port', '0'] : [])];
      const child = spawn(process.execPath, args, { env: environment(), cwd: folder });
      let err = '';
      child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
      const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
      const NOTICE = /File tools may change files of the project|needs a wall around the image/;
      await expect.poll(() => err, { timeout: 60_000 }).toMatch(NOTICE);
      // If this machine is itself a container, the command is not refused and starts.
      const isRefused = !inContainer(process.env);
      if (!isRefused) child.kill();
      const code = await ended;
      expect([err.includes('needs a wall'), code === 2]).toEqual([isRefused, isRefused]);
    },
    120_000,
  );
});
