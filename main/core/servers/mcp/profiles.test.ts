import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '#contract/session.ts';
import { STANDARD } from '#core/tools/profile.ts';
import { publishedName, tools } from '#core/tools/registry.ts';
import { openTestWorkbench, testClient, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';
import type { DoorHost } from '../door.ts';
import { createMcpServer, type McpConnection } from './server.ts';

const actor: Actor = { id: 'client:tester', kind: 'client', name: 'tester' };
let bench: TestWorkbench;
let everything: TestClient;

/** A real client of a real server, over no more than memory. */
async function connect(host: DoorHost, more: Partial<McpConnection>): Promise<TestClient> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = createMcpServer(host, { actor, context: 'in-memory', holdMs: 1_000, ...more });
  await server.connect(far);
  const client = new Client({ name: 'tester', version: '1' });
  await client.connect(near);
  return testClient(client);
}

beforeAll(async () => {
  bench = await openTestWorkbench();
  everything = await connect(bench.workbench.door, { profile: 'all' });
  await everything.client.listTools(); // from now on the client checks data against the promised shapes
  const write = (name: string, text: string) => writeFile(path.join(bench.project, name), text);
  await write('shop.asd', '(defsystem "shop" :components ((:file "shop")) :perform (test-op (o c) (print :tested)))');
  await write(
    'shop.lisp',
    '(defpackage :shop (:use :cl)) (in-package :shop) (defun total (l) l) (defun pay (l) (total l))',
  );
  await everything.call('load-file', { path: 'shop.lisp' });
}, 120_000);

afterAll(() => bench.close());

describe('the profile of a client', () => {
  it('is standard when nothing else is said: the others are not listed and answer all the same', async () => {
    const client = await bench.connect();
    const { tools: listed } = await client.client.listTools();
    expect(listed.map(({ name }) => name.replaceAll('-', '_')).every((name) => STANDARD.has(name))).toBe(true);
    expect(listed.some(({ name }) => name === 'cross-references')).toBe(false);
    expect((await client.call('cross-references', { symbol: 'shop::total', relation: 'called-by' })).text).toMatch(
      /^- SHOP::PAY/,
    );
    expect(client.client.getInstructions()).toMatch(/not listed and answer all the same: [^.]*cross-references/);
  });

  it('shows everything to who has all', async () => {
    const { tools: listed } = await everything.client.listTools();
    expect(listed.map(({ name }) => name)).toEqual(tools.map(publishedName));
    expect(everything.client.getInstructions()).not.toContain('not listed');
  });
});

describe('data beside the text', () => {
  it.each<[string, Record<string, unknown>, object]>([
    ['find-definition', { symbol: 'shop::total' }, { symbol: expect.stringContaining('TOTAL') as unknown, total: 1 }],
    ['who-calls', { function: 'shop::total' }, { relation: 'called-by', total: 1, references: [{ kind: 'function' }] }],
    ['who-calls', { function: 'shop::pay' }, { total: 0, references: [] }],
    ['who-references', { variable: '*print-base*' }, { relation: 'references' }],
    ['cross-references', { symbol: 'shop::pay', relation: 'calls', start: 90 }, { start: 90, references: [] }],
    [
      'list-systems',
      { project_only: true },
      { systems: [{ name: 'shop', origin: 'project', loaded: false }], total: 1 },
    ],
    ['list-systems', { count: 1 }, { start: 0 }],
    ['list-systems', { filter: 'no-such' }, { systems: [], total: 0 }],
    ['class-slots', { class: 'file-error' }, { kind: 'condition' }],
    ['list-threads', {}, { threads: expect.arrayContaining([expect.objectContaining({ main: true })]) as unknown }],
    ['memory-report', { count: 2 }, { types: [{}, {}] }],
    ['run-tests', { system: 'shop' }, { name: 'shop', success: true, total: null }],
    ['compile-form', { form: '(defun fine () 1)' }, { loaded: true, failed: false, total: 0, definitions: 1 }],
    ['load-file', { path: 'shop.lisp' }, { loaded: true, definitions: 4 }],
    ['validate-syntax', { code: '(a' }, { total: 1, problems: [{ kind: 'unclosed', line: 1 }] }],
    ['validate-syntax', { code: '(a)' }, { total: 0, problems: [] }],
    ['list-sessions', {}, { sessions: [{ name: 'workbench', state: 'idle', shared: false, work: [] }] }],
    ['list-restarts', {}, { held: false }],
    ['inspect-object', { expression: '*package*' }, { kind: 'package', start: 0 }],
  ])(
    '%s %j has the promised shape',
    async (name, args, data) => {
      const reply = await everything.client.callTool({ name, arguments: args });
      expect(reply).toMatchObject({ isError: false, structuredContent: data });
    },
    60_000,
  );

  it('is there on failure too where there is any', async () => {
    const reply = await everything.client.callTool({ name: 'compile-form', arguments: { form: '(defun f (' } });
    expect(reply).toMatchObject({ isError: true, structuredContent: { loaded: false, total: 1 } });
  });

  it('is not there for texts that a contract fixes', async () => {
    for (const [name, args] of [
      ['evaluate-lisp', { code: '1' }],
      ['list-definitions', {}],
      ['describe-symbol', { symbol: 'car' }],
    ] as const)
      expect(await everything.client.callTool({ name, arguments: args })).not.toHaveProperty('structuredContent');
    const { tools: listed } = await everything.client.listTools();
    expect(listed.find(({ name }) => name === 'evaluate-lisp')).not.toHaveProperty('outputSchema');
  });

  it('K4 decision 26 a call that waits for a person has the shape that says so', async () => {
    const { workbench } = bench;
    workbench.approvals.setApprover('the test');
    const caller = {
      session: workbench.session,
      shared: false,
      policy: { id: 'client:x', name: 'x', mode: 'propose', paused: null, effects: 'ask' } as const,
    };
    const host: DoorHost = {
      ...workbench.door,
      call: async (call, options) => (await workbench.executor.execute([call], { ...options, ...caller }))[0]!,
    };
    const careful = await connect(host, { profile: 'all', holdMs: 10 });
    await careful.client.listTools();
    expect(await careful.client.callTool({ name: 'compile-form', arguments: { form: '1' } })).toMatchObject({
      isError: false,
      structuredContent: {
        status: 'pending_approval',
        message: expect.stringMatching(/^Waiting for approval/) as unknown,
      },
    });
  });
});
