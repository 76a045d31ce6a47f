import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '#contract/image/session.ts';
import { STANDARD } from '#core/tools/tool-sets/standard.ts';
import { toolsOf } from '#core/tools/tool-sets/tool-sets.ts';
import { publishedName } from '#core/tools/registry.ts';
import { openTestWorkbench, testClient, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';
import type { TransportHost } from '../host.ts';
import { createMcpServer } from './server.ts';
import type { McpConnection } from './tool-calls.ts';

const actor: Actor = { id: 'client:tester', kind: 'client', name: 'tester' };
let bench: TestWorkbench;
let everything: TestClient;

/** Connects a real client to a real server in the same process, without a network. */
async function connect(host: TransportHost, more: Partial<McpConnection>): Promise<TestClient> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const { server } = createMcpServer(host, { actor, connectionId: 'in-memory', approvalTimeoutMs: 1_000, ...more });
  await server.connect(far);
  const client = new Client({ name: 'tester', version: '1' });
  await client.connect(near);
  return testClient(client);
}

beforeAll(async () => {
  bench = await openTestWorkbench();
  everything = await connect(bench.workbench.transportHost, { profile: 'all' });
  const write = (name: string, text: string) => writeFile(path.join(bench.project, name), text);
  await write('shop.asd', '(defsystem "shop" :components ((:file "shop")) :perform (test-op (o c) (print :tested)))');
  await write(
    'shop.lisp',
    '(defpackage :shop (:use :cl)) (in-package :shop) (defun total (l) l) (defun pay (l) (total l))',
  );
  await everything.call('load-file', { path: 'shop.lisp' });
  // The client now knows the declared schemas, and from now on checks data against them.
  await everything.client.listTools({ _meta: { 'lisp-workbench/data': true } });
}, 120_000);

afterAll(() => bench.close());

describe('tool set of a client', () => {
  it('The tool set of a client is standard when nothing else is said: the others are not listed, and call-tool calls them', async () => {
    const client = await bench.connect();
    const { tools: listed } = await client.client.listTools();
    expect(listed.map(({ name }) => name.replaceAll('-', '_')).every((name) => STANDARD.has(name))).toBe(true);
    expect(listed.some(({ name }) => name === 'function-arglist')).toBe(false);
    const inner = { name: 'function-arglist', arguments: { function: 'shop::total' } };
    expect((await client.call('call-tool', inner)).text).toContain('TOTAL [function] (');
    expect((await client.call(inner.name, inner.arguments)).text).toContain('TOTAL [function] (');
  });

  it('The tool set all shows everything to a client that has it', async () => {
    const { tools: listed } = await everything.client.listTools();
    expect(listed.map(({ name }) => name)).toEqual(toolsOf('all').map(publishedName));
  });
});

describe('data beside the text', () => {
  it.each<[string, Record<string, unknown>, object]>([
    ['find-definition', { symbol: 'shop::total' }, { symbol: expect.stringContaining('TOTAL') as unknown, total: 1 }],
    ['who-calls', { function: 'shop::total' }, { relation: 'called-by', total: 1, references: [{ kind: 'function' }] }],
    ['who-calls', { function: 'shop::pay' }, { total: 0, references: [] }],
    ['who-references', { variable: '*print-base*' }, { relation: 'references' }],
    ['who-calls', { function: 'shop::pay', relation: 'calls', start: 90 }, { start: 90, references: [] }],
    [
      'list-systems',
      { project_only: true },
      { systems: [{ name: 'shop', origin: 'project', loaded: false }], total: 1 },
    ],
    ['list-systems', { count: 1 }, { start: 0 }],
    ['list-systems', { filter: 'no-such' }, { systems: [], total: 0 }],
    ['class-slots', { class: 'file-error' }, { kind: 'condition' }],
    [
      'list-systems',
      { system: 'shop' },
      { facts: expect.arrayContaining([{ label: 'Loaded', value: 'no' }]) as unknown },
    ],
    [
      'list-sessions',
      { threads: true },
      { threads: expect.arrayContaining([expect.objectContaining({ main: true })]) as unknown },
    ],
    ['list-sessions', { memory: true, count: 2 }, { memory: { types: [{}, {}] } }],
    ['run-tests', { system: 'shop' }, { name: 'shop', success: true }],
    ['compile-form', { form: '(defun fine () 1)' }, { loaded: true, failed: false, total: 0, definitions: 1 }],
    ['load-file', { path: 'shop.lisp' }, { loaded: true, definitions: 3 }],
    ['validate-syntax', { code: '(a' }, { total: 1, problems: [{ kind: 'unclosed', line: 1 }] }],
    ['validate-syntax', { code: '(a)' }, { total: 0, problems: [] }],
    ['list-sessions', {}, { sessions: [{ name: 'workbench', state: 'idle', shared: false, work: [] }] }],
    ['inspect-object', { expression: '*package*' }, { kind: 'package', start: 0 }],
  ])(
    'The data of %s %j have the promised shape',
    async (name, args, data) => {
      const reply = await everything.client.callTool({ name, arguments: args, _meta: { 'lisp-workbench/data': true } });
      expect(reply).toMatchObject({ isError: false, structuredContent: data });
    },
    60_000,
  );

  it('Data are there on failure too where there are any', async () => {
    const reply = await everything.client.callTool({
      name: 'compile-form',
      arguments: { form: '(defun f (' },
      _meta: { 'lisp-workbench/data': true },
    });
    expect(reply).toMatchObject({ isError: true, structuredContent: { loaded: false, total: 1 } });
  });

  it('Data are there only for who asks for them: a model gets the text', async () => {
    const { client: model } = await connect(bench.workbench.transportHost, { profile: 'all' });
    const { tools: listed } = await model.listTools();
    expect(listed.filter((tool) => tool.outputSchema !== undefined)).toEqual([]);
    const args = { name: 'who-calls', arguments: { function: 'shop::total' } };
    expect(await model.callTool(args)).not.toHaveProperty('structuredContent');
  });

  it('Data have no nulls, no type that is two, and columns as the text has them', async () => {
    const { tools: listed } = await everything.client.listTools({ _meta: { 'lisp-workbench/data': true } });
    expect(JSON.stringify(listed.map((tool) => tool.outputSchema))).not.toMatch(/"null"|"type":\[/);
    const reply = await everything.client.callTool({
      name: 'compile-form',
      arguments: { form: '(defun stray (x)\n  (car 1 2))' },
      _meta: { 'lisp-workbench/data': true },
    });
    const [{ text }] = reply.content as [{ text: string }];
    const { diagnostics } = reply.structuredContent as { diagnostics: { line: number; column: number }[] };
    expect(JSON.stringify(reply.structuredContent)).not.toContain('null');
    expect(diagnostics.length).toBeGreaterThan(0);
    for (const { line, column } of diagnostics) expect(text).toContain(` ${line}:${column}`);
  });

  it('Data are not there for texts that a contract fixes', async () => {
    for (const [name, args] of [
      ['evaluate-lisp', { code: '1' }],
      ['list-definitions', {}],
      ['describe-symbol', { symbol: 'car' }],
    ] as const)
      expect(
        await everything.client.callTool({ name, arguments: args, _meta: { 'lisp-workbench/data': true } }),
      ).not.toHaveProperty('structuredContent');
    const { tools: listed } = await everything.client.listTools({ _meta: { 'lisp-workbench/data': true } });
    expect(listed.find(({ name }) => name === 'evaluate-lisp')).not.toHaveProperty('outputSchema');
  });

  it('A call that waits for a person has data whose shape says so [K4, decision 26]', async () => {
    const { workbench } = bench;
    workbench.approvals.setApprover('the test');
    const caller = {
      session: workbench.session,
      shared: false,
      policy: { id: 'client:x', name: 'x', mode: 'propose', paused: null, effects: 'ask' } as const,
    };
    const host: TransportHost = {
      ...workbench.transportHost,
      call: (call, options) => workbench.executor.run(call, { ...options, ...caller }),
    };
    const careful = await connect(host, { profile: 'all', approvalTimeoutMs: 10 });
    await careful.client.listTools({ _meta: { 'lisp-workbench/data': true } });
    expect(
      await careful.client.callTool({
        name: 'compile-form',
        arguments: { form: '1' },
        _meta: { 'lisp-workbench/data': true },
      }),
    ).toMatchObject({
      isError: false,
      structuredContent: {
        status: 'pending_approval',
        message: expect.stringMatching(/^Waiting for approval/) as unknown,
      },
    });
  });
});
