#!/usr/bin/env node
/**
 * An agent program for version 2 of the protocol that uses the official SDK. After the turn of each prompt it continues without being
 * asked, depending on the prompt's text. `question` makes it ask for permission while it works, `background` while it is idle. `taken back`
 * makes it withdraw its question at SIGUSR2. `wait` makes it work until it is cancelled. `cancelled` makes it end its turn with the error
 * of a cancelled request.
 */
import { Readable, Writable } from 'node:stream';
import { agent, type AgentContext, methods, ndJsonStream } from '@agentclientprotocol/sdk/experimental/v2';

if (process.argv.includes('--version')) {
  process.stdout.write(`${process.env['SCRIPTED_AGENT_VERSION'] ?? '0.0.0'}\n`);
  process.exit(0);
}

let cancelled = Promise.withResolvers<void>();
let messages = 0;

const app = agent({ name: 'version-2-agent' })
  .onRequest(methods.agent.initialize, () => ({
    protocolVersion: 2,
    info: { name: 'version-2-agent', version: '1.0.0' },
    capabilities: { session: { mcp: { http: {} }, prompt: { image: {} } } },
  }))
  .onRequest(methods.agent.session.new, () => ({ sessionId: 's' }))
  .onNotification(methods.agent.session.cancel, () => cancelled.resolve())
  .onRequest(methods.agent.session.prompt, async ({ params: { prompt }, client }) => {
    const messageId = newMessage();
    const [words] = prompt.map((block) => (block.type === 'text' ? String(block.text) : ''));
    await tell(client, { sessionUpdate: 'user_message', messageId, content: prompt });
    void play(words!, client);
    return { messageId };
  });

async function play(words: string, client: AgentContext): Promise<void> {
  await report(client, { state: 'running' });
  if (words === 'cancelled') {
    const error = { code: -32800, message: 'Request cancelled' };
    return report(client, { state: 'idle', stopReason: 'error', error });
  }
  await say(client, 'Done.');
  await report(client, { state: 'idle', stopReason: 'end_turn' });
  if (words === 'background') return say(client, await ask(client));
  if (words === 'taken back') {
    const taken = new AbortController();
    process.once('SIGUSR2', () => taken.abort());
    return say(client, await ask(client, taken.signal));
  }
  cancelled = Promise.withResolvers();
  await report(client, { state: 'running' });
  await say(client, 'I go on.');
  if (words === 'question') await say(client, await ask(client));
  if (words === 'wait') await cancelled.promise;
  await report(client, { state: 'idle', stopReason: words === 'wait' ? 'cancelled' : 'end_turn' });
}

/** Asks for permission; returns `yes`, `no` or `cancelled`. */
async function ask(client: AgentContext, signal?: AbortSignal): Promise<string> {
  const { outcome } = await client.request(
    methods.client.session.requestPermission,
    {
      sessionId: 's',
      title: 'My own idea',
      options: [
        { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
        { optionId: 'no', name: 'No', kind: 'reject_once' },
      ],
    },
    signal ? { cancellationSignal: signal } : {},
  );
  return outcome.outcome === 'selected' ? String(outcome.optionId) : 'cancelled';
}

function newMessage(): string {
  messages += 1;
  return `message-${messages}`;
}

function report(client: AgentContext, state: object): Promise<void> {
  return tell(client, { sessionUpdate: 'state_update', ...state });
}

function say(client: AgentContext, words: string): Promise<void> {
  return tell(client, {
    sessionUpdate: 'agent_message',
    messageId: newMessage(),
    content: [{ type: 'text', text: words }],
  });
}

function tell(client: AgentContext, update: object): Promise<void> {
  return client.notify(methods.client.session.update, { sessionId: 's', update: update as never });
}

app.connect(
  ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin) as unknown as ReadableStream<Uint8Array>),
);
