#!/usr/bin/env node
/**
 * An agent program that plays a story. It uses the official SDK for agents and is a real MCP client. SCRIPTED_AGENT_STORY names the JSON
 * file of the story; `--version` prints SCRIPTED_AGENT_VERSION.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Readable, Writable } from 'node:stream';
import {
  agent,
  type AgentContext,
  type ContentBlock,
  type McpServer,
  methods,
  ndJsonStream,
  RequestError,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Step, Story } from './story.ts';

if (process.argv.includes('--version')) {
  process.stdout.write(`${process.env['SCRIPTED_AGENT_VERSION'] ?? '0.0.0'}\n`);
  process.exit(0);
}

const story = JSON.parse(readFileSync(process.env['SCRIPTED_AGENT_STORY']!, 'utf8')) as Story;
if (process.argv.includes('--login')) {
  if (story.trapsInterrupt) process.on('SIGINT', () => process.stdout.write('Interrupted.\n'));
  // With `terminal`, the interrupt key would be read as a character and would not send a signal, so `terminal` is off for a login that
  // handles the interrupt key.
  const dialog = createInterface({
    input: process.stdin,
    output: process.stdout,
    terminal: story.trapsInterrupt !== true,
  });
  process.stdout.write('Open https://login.example.org/device in a browser.\n');
  const [columns, rows] = process.stdout.isTTY ? process.stdout.getWindowSize() : [0, 0];
  const code = await dialog.question(`At ${columns} by ${rows}, ${process.cwd()}. Code: `);
  if (code !== story.code) {
    process.stdout.write('This code is wrong.\n');
    process.exit(2);
  }
  writeFileSync(story.loginFile!.replace('HOME', process.env['HOME']!), code);
  process.exit(0);
}
const HUGE_TIMEOUT_MS = 3_600_000;

let mcp: Client | null = null;
let isIn = story.login !== true || hasLoopbackModel();
let hasLoggedIn = false;
let cancelled = new AbortController();
let calls = 0;
let listed: string[] = [];

/** True for an agent whose model is on loopback, which does not need a login. */
function hasLoopbackModel(): boolean {
  return process.env['ANTHROPIC_BASE_URL']?.startsWith('http://127.0.0.1:') === true;
}

async function openSession(servers: readonly McpServer[]): Promise<void> {
  if (!isIn && !(story.loginFile && existsSync(story.loginFile.replace('HOME', process.env['HOME']!))))
    throw RequestError.authRequired();
  if (story.refusal && existsSync(story.refusal)) throw new RequestError(-32603, readFileSync(story.refusal, 'utf8'));
  const server = servers.find((each) => 'type' in each && each.type === 'http');
  if (!server || !('url' in server)) return;
  mcp = new Client({ name: 'scripted-agent', version: '1.0.0' });
  const headers = Object.fromEntries(server.headers.map(({ name, value }) => [name, value]));
  await mcp.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } }));
  if (!story.drifts) await listTools(mcp);
}

async function listTools(client: Client): Promise<void> {
  const { tools } = story.listsNoTools ? { tools: [] } : await client.listTools();
  listed = tools.map(({ name }) => `mcp__lisp-workbench__${name}`);
}

const values = new Map(Object.entries(story.switches ?? {}));

function switches(): { type: 'boolean'; id: string; name: string; currentValue: boolean }[] {
  return [...values].map(([id, currentValue]) => ({ type: 'boolean', id, name: id, currentValue }));
}

const app = agent({ name: 'scripted-agent' })
  .onRequest(methods.agent.initialize, async ({ params: { clientCapabilities } }) => {
    if (story.silent) await new Promise(() => {});
    return {
      protocolVersion: story.protocol ?? 1,
      agentInfo: { name: 'scripted-agent', version: '1.0.0' },
      agentCapabilities: {
        loadSession: story.forgets !== true,
        promptCapabilities: { embeddedContext: true, image: story.withoutImages !== true },
        mcpCapabilities: { http: story.withoutHttp !== true },
      },
      authMethods:
        story.login && (!story.loginFile || clientCapabilities?.auth?.terminal)
          ? [
              {
                id: 'word',
                name: 'Say the word',
                description: 'Nothing is asked.',
                ...(story.loginFile
                  ? story.olderLogin
                    ? { _meta: { 'terminal-auth': { command: '/bin/false', args: ['--login'] } } }
                    : { type: 'terminal' as const, args: ['--login'] }
                  : {}),
              },
            ]
          : [],
      ...story.introduction,
    };
  })
  .onRequest(methods.agent.authenticate, async ({ client, signal }) => {
    if (story.loginPage) await askForPage(client, story.loginPage, signal);
    isIn = hasLoggedIn = true;
    return {};
  })
  .onRequest(methods.agent.session.new, async ({ params: { mcpServers }, client }) => {
    await openSession(mcpServers);
    const modes = story.modes?.map(({ id, name }) => ({ id, name }));
    const sessionId = `session-${process.pid}`;
    // Runs after the request for a new session has been answered.
    if (story.drifts) setImmediate(() => void drift(client, sessionId, story.drifts!));
    return {
      sessionId,
      ...(modes ? { modes: { currentModeId: modes[0]!.id, availableModes: modes } } : {}),
      ...(story.switches ? { configOptions: switches() } : {}),
    };
  })
  .onRequest(methods.agent.session.load, async ({ params: { mcpServers, sessionId }, client }) => {
    if (story.losesSessions) throw RequestError.resourceNotFound(sessionId);
    await openSession(mcpServers);
    await tell(client, sessionId, { sessionUpdate: 'agent_message_chunk', content: text('Said before.') });
    return {};
  })
  .onRequest(methods.agent.session.setMode, async ({ params: { modeId, sessionId }, client }) => {
    if (story.keepsMode) throw new RequestError(-32602, 'This mode stays.');
    await tell(client, sessionId, { sessionUpdate: 'current_mode_update', currentModeId: modeId });
    return {};
  })
  .onRequest(methods.agent.session.setConfigOption, ({ params }) => {
    if (typeof params.value !== 'boolean') throw RequestError.invalidParams();
    values.set(params.configId, params.value);
    return { configOptions: switches() };
  })
  .onNotification(methods.agent.session.cancel, () => cancelled.abort())
  .onRequest(methods.agent.session.prompt, async ({ params: { sessionId, prompt }, client }) => {
    cancelled = new AbortController();
    await askModel();
    const said = prompt.map(wordsOf).join('\n');
    // The turn is selected only by the person's own text, without the text that the workbench appends.
    const [words = ''] = said.split('\n\n---\n\n');
    const turn =
      story.turns.find(({ when }) => when !== undefined && words.includes(when)) ??
      story.turns.find(({ when }) => when === undefined);
    for (const step of turn?.steps ?? [{ say: said } as const]) {
      if (cancelled.signal.aborted) break;
      await play(step, client, sessionId);
    }
    return { stopReason: cancelled.signal.aborted ? 'cancelled' : 'end_turn' };
  });

/** Asks the person to open a page, and waits for their answer. */
async function askForPage(
  client: AgentContext,
  { address, message, done }: NonNullable<Story['loginPage']>,
  signal: AbortSignal,
): Promise<void> {
  const elicitationId = 'login';
  const { action } = await client.request(methods.client.elicitation.create, {
    mode: 'url',
    requestId: 0,
    elicitationId,
    url: address,
    message,
  });
  if (action !== 'accept') throw new RequestError(-32603, `The page was not opened (${action}).`);
  while (!existsSync(done)) {
    signal.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await client.notify(methods.client.elicitation.complete, { elicitationId });
}

async function drift(client: AgentContext, session: string, mode: string): Promise<void> {
  await tell(client, session, { sessionUpdate: 'current_mode_update', currentModeId: mode });
  await listTools(mcp!);
}

/**
 * Sends a request to the model on loopback, if there is one. Like a real program's request, it lists the story's tools in addition to the
 * workbench's.
 */
async function askModel(): Promise<void> {
  if (!hasLoopbackModel()) return;
  const url = process.env['ANTHROPIC_BASE_URL']!;
  const tools = [...listed, ...(story.offers ?? [])].map((name) => ({ name }));
  await fetch(`${url}/v1/messages`, { method: 'POST', body: JSON.stringify({ tools }) });
}

async function play(step: Step, client: AgentContext, session: string): Promise<void> {
  const say = (words: string): Promise<void> =>
    tell(client, session, { sessionUpdate: 'agent_message_chunk', content: text(words) });
  if ('say' in step) {
    const size = Math.ceil(step.say.length / (step.pieces ?? 1));
    for (let at = 0; at < step.say.length; at += size) await say(step.say.slice(at, at + size));
  } else if ('think' in step) {
    await tell(client, session, { sessionUpdate: 'agent_thought_chunk', content: text(step.think) });
  } else if ('plan' in step) {
    const entries = step.plan.map((entry) => ({ ...entry, priority: 'medium' as const }));
    await tell(client, session, { sessionUpdate: 'plan', entries });
  } else if ('usage' in step) {
    const { used, size, cost } = step.usage;
    const told = cost === undefined ? {} : { cost: { amount: cost, currency: 'USD' } };
    await tell(client, session, { sessionUpdate: 'usage_update', used, size, ...told });
  } else if ('call' in step) {
    const answer = await callTool(step, client, session);
    if (step.says) await say(answer);
  } else if ('lie' in step) {
    await lie(step.lie, step.arguments, client, session);
  } else if ('shell' in step) {
    await say(await ownTool(step, client, session));
  } else if ('writeFile' in step) {
    const { writeFile: path, content } = step;
    await client.request(methods.client.fs.writeTextFile, { sessionId: session, path, content }).then(
      () => say(`Wrote ${path}.`),
      (error: Error) => say(`Not written: ${error.message}`),
    );
  } else if ('readFile' in step) {
    const read = await client.request(methods.client.fs.readTextFile, { sessionId: session, path: step.readFile });
    await say(`It holds: ${read.content}`);
  } else if ('edit' in step) {
    const diff = { type: 'diff' as const, path: step.edit, oldText: step.before, newText: step.after };
    const allowed = await permission(client, session, { title: `Edit ${step.edit}`, kind: 'edit', content: [diff] });
    await say(allowed);
  } else if ('wait' in step) {
    await new Promise<void>((resolve) => {
      if (step.wait !== 'ignore') cancelled.signal.addEventListener('abort', () => resolve());
      else setInterval(() => {}, HUGE_TIMEOUT_MS);
    });
    if (step.wait === 'asks')
      await say(await permission(client, session, { title: 'Something after the end', kind: 'execute' }));
  } else if ('flood' in step) {
    // The messages are long so that they exceed the limit, which applies to ten seconds, even on a busy machine.
    for (;;) await say('flood '.repeat(20_000));
  } else if ('long' in step) {
    await say('x'.repeat(step.long));
  } else if ('garbage' in step) {
    process.stdout.write('this is no JSON\n{"jsonrpc":"2.0"}\n[1,2]\n');
  } else if ('exit' in step) {
    process.stderr.write('I had enough.\n');
    process.exit(step.exit);
  } else if ('asksAside' in step) {
    void permission(client, session, { title: step.asksAside, kind: 'execute' }).then(say);
  } else if ('mode' in step) {
    await tell(client, session, { sessionUpdate: 'current_mode_update', currentModeId: step.mode });
  } else if ('wantsLogin' in step) {
    if (step.wantsLogin === 'once' && hasLoggedIn) return;
    isIn = false;
    throw RequestError.authRequired();
  } else {
    throw new RequestError(-32603, step.fail);
  }
}

/** Reports a call that the agent never makes. */
async function lie(tool: string, rawInput: unknown, client: AgentContext, session: string): Promise<void> {
  const toolCallId = newCall();
  const told = { sessionUpdate: 'tool_call', toolCallId, status: 'in_progress', ...named(tool), rawInput } as const;
  await tell(client, session, told);
  await tell(client, session, {
    sessionUpdate: 'tool_call_update',
    toolCallId,
    status: 'completed',
    rawOutput: 'All done, believe me.',
  });
}

async function callTool(
  { call, arguments: given, asks = false }: Extract<Step, { call: string }>,
  client: AgentContext,
  session: string,
): Promise<string> {
  const toolCallId = newCall();
  await tell(client, session, {
    sessionUpdate: 'tool_call',
    toolCallId,
    status: 'pending',
    kind: 'other',
    ...named(call),
    rawInput: given,
  });
  if (asks) {
    const allowed = await permission(client, session, { toolCallId, ...named(call), rawInput: given });
    if (allowed !== 'allowed') return allowed;
  }
  try {
    const answer = await mcp!.callTool({ name: call, arguments: given }, undefined, {
      signal: cancelled.signal,
      timeout: HUGE_TIMEOUT_MS,
    });
    const [{ text: said = '' } = {}] = answer.content as { text?: string }[];
    const status = answer.isError ? 'failed' : 'completed';
    await tell(client, session, { sessionUpdate: 'tool_call_update', toolCallId, status, rawOutput: said });
    return said;
  } catch (error) {
    await tell(client, session, { sessionUpdate: 'tool_call_update', toolCallId, status: 'failed' });
    return String(error);
  }
}

async function ownTool(
  { shell, asks = false }: Extract<Step, { shell: string }>,
  client: AgentContext,
  session: string,
): Promise<string> {
  const toolCallId = newCall();
  const told = { toolCallId, title: shell, kind: 'execute' as const, rawInput: { command: shell } };
  await tell(client, session, { sessionUpdate: 'tool_call', status: 'pending', ...told });
  if (asks && (await permission(client, session, told)) !== 'allowed') {
    await tell(client, session, { sessionUpdate: 'tool_call_update', toolCallId, status: 'failed' });
    return 'I was not allowed to.';
  }
  const said = await new Promise<string>((resolve) => {
    execFile('sh', ['-c', shell], (error, out, err) =>
      resolve(error ? `Failed: ${err.trim()}` : `Did it: ${out.trim()}`),
    );
  });
  await tell(client, session, { sessionUpdate: 'tool_call_update', toolCallId, status: 'completed', rawOutput: said });
  return said;
}

/** Asks the host for permission; returns `allowed`, `refused` or `cancelled`. */
async function permission(client: AgentContext, session: string, call: object): Promise<string> {
  const { outcome } = await client.request(methods.client.session.requestPermission, {
    sessionId: session,
    toolCall: { toolCallId: newCall(), ...call },
    options: [
      { optionId: 'always', name: 'Always', kind: 'allow_always' },
      { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
      ...(story.takesNoNo ? [] : [{ optionId: 'no', name: 'No', kind: 'reject_once' as const }]),
    ],
  });
  if (outcome.outcome === 'cancelled') return 'cancelled';
  return outcome.optionId === 'yes' ? 'allowed' : outcome.optionId === 'no' ? 'refused' : `allowed ${outcome.optionId}`;
}

/** Returns a tool call's names in the form in which Claude's adapter reports a tool of an MCP server. */
function named(tool: string): { title: string; name: string; _meta: Record<string, unknown> } {
  const name = `mcp__lisp-workbench__${tool}`;
  return { title: name, name, _meta: { claudeCode: { toolName: name } } };
}

function newCall(): string {
  calls += 1;
  return `call-${calls}`;
}

function tell(client: AgentContext, sessionId: string, update: SessionUpdate): Promise<void> {
  return client.notify(methods.client.session.update, { sessionId, update });
}

function text(words: string): ContentBlock {
  return { type: 'text', text: words };
}

function wordsOf(block: ContentBlock): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'image') return `${block.mimeType} of ${Buffer.from(block.data, 'base64').length} bytes`;
  return block.type === 'resource' && 'text' in block.resource ? block.resource.text : '';
}

app.connect(
  ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin) as unknown as ReadableStream<Uint8Array>),
);
