/** An agent that speaks protocol version 2 through the official SDK, over byte streams like those of a process. */
import type { SessionUpdate, StopReason } from '@agentclientprotocol/sdk';
import {
  agent,
  type AgentApp,
  type AgentContext,
  methods,
  ndJsonStream,
  RequestError,
} from '@agentclientprotocol/sdk/experimental/v2';
import { describe, expect, it } from 'vitest';
import type { AgentProcess } from '../process/agent-process.ts';
import { type AgentListener, type Introduced, needsLogin } from './connection.ts';
import { introduce } from './introduction.ts';

interface Meeting extends Introduced {
  readonly updates: SessionUpdate[];
  /** For each piece of work that the agent began without a prompt, its result. */
  readonly began: Promise<StopReason>[];
}

/** Connects to an agent. `asked` answers the agent's permission requests. */
async function meet(
  app: AgentApp,
  asked: AgentListener['asked'] = () => Promise.reject(new Error('asked')),
): Promise<Meeting> {
  const [up, down] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()];
  app.connect(ndJsonStream(down.writable, up.readable));
  const updates: SessionUpdate[] = [];
  const process = { input: up.writable, output: down.readable } as AgentProcess;
  const began: Promise<StopReason>[] = [];
  const listener: AgentListener = {
    updated: (update) => void updates.push(update),
    asked,
    began: (over) => void began.push(over),
    pages: { ask: async () => 'cancel', completed: () => {} },
    files: null,
  };
  return { ...(await introduce(process, listener, '1.0.0')), updates, began };
}

const INTRODUCTION = {
  protocolVersion: 2,
  info: { name: 'agent', version: '1' },
  capabilities: { session: { mcp: { http: {} }, prompt: { image: {} } } },
  authMethods: [
    { type: 'terminal' as const, methodId: 'log-in', name: 'Log in', args: ['--login'] },
    { type: 'agent' as const, methodId: 'key', name: 'Key' },
  ],
};
const WISH = { directory: '/tmp', servers: [], meta: null };
const OPTION = {
  configId: 'mode',
  name: 'Mode',
  category: 'mode',
  type: 'select' as const,
  currentValue: 'auto',
  options: [
    { value: 'auto', name: 'Auto' },
    { value: 'ask', name: 'Ask' },
  ],
};
const IMAGE = { type: 'image' as const, mimeType: 'image/png', data: 'AAAA' };
const text = (words: string) => ({ type: 'text' as const, text: words });

function speaking(): AgentApp {
  return agent()
    .onRequest(methods.agent.initialize, () => INTRODUCTION)
    .onRequest(methods.agent.session.new, () => ({ sessionId: 's', configOptions: [OPTION] }))
    .onRequest(methods.agent.session.resume, () => ({ configOptions: [OPTION] }))
    .onRequest(methods.agent.session.setConfigOption, ({ params }) => ({
      configOptions: [{ ...OPTION, currentValue: String(params.value) }],
    }));
}

/** Reports states of a session, one after another. */
async function report(client: AgentContext, sessionId: string, ...states: object[]): Promise<void> {
  for (const state of states)
    await client.notify(methods.client.session.update, {
      sessionId,
      update: { sessionUpdate: 'state_update', ...state } as never,
    });
}

describe('Version 2 of the protocol', () => {
  it('An agent is introduced in the shapes of version 1, with its logins [issue 33.2]', async () => {
    const { agent: said } = await meet(speaking());
    expect(said).toMatchObject({
      protocolVersion: 2,
      agentCapabilities: { loadSession: true, mcpCapabilities: { http: true }, promptCapabilities: { image: true } },
      authMethods: [
        { id: 'log-in', type: 'terminal', args: ['--login'] },
        { id: 'key', name: 'Key' },
      ],
    });
  });

  it('A turn ends with the state of the session, and what came in pieces is told once [issue 33.2]', async () => {
    const app = speaking().onRequest(methods.agent.session.prompt, async ({ params: { sessionId }, client }) => {
      const tell = (update: object): Promise<void> =>
        client.notify(methods.client.session.update, { sessionId, update: update as never });
      // Neither a repeated state nor work that began before the agent accepted the prompt ends the turn.
      await tell({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' });
      await tell({ sessionUpdate: 'state_update', state: 'running' });
      await tell({ sessionUpdate: 'user_message', messageId: 'other', content: [text('Another.')] });
      await tell({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' });
      void (async () => {
        await tell({ sessionUpdate: 'user_message', messageId: 'p', content: [text('go'), IMAGE] });
        await tell({ sessionUpdate: 'user_message_chunk', messageId: 'p', content: IMAGE });
        await tell({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' });
        await tell({ sessionUpdate: 'state_update', state: 'running' });
        await tell({ sessionUpdate: 'agent_message_chunk', messageId: 'm', content: text('Hel') });
        await tell({ sessionUpdate: 'agent_message_chunk', messageId: 'm', content: text('lo') });
        await tell({ sessionUpdate: 'agent_message', messageId: 'm', content: [text('Hello')] });
        await tell({ sessionUpdate: 'agent_message', messageId: 'n', content: [text('Whole.')] });
        const diff = {
          type: 'diff',
          changes: [{ operation: 'modify', path: '/a' }],
          patch: { format: 'git_patch', text: '+1' },
        };
        await tell({
          sessionUpdate: 'tool_call_update',
          toolCallId: 'c',
          name: 'edit',
          status: 'pending',
          content: [diff],
        });
        await tell({
          sessionUpdate: 'tool_call_update',
          toolCallId: 'c',
          content: [{ type: 'terminal', terminalId: 't' }],
        });
        await tell({
          sessionUpdate: 'terminal_output_chunk',
          terminalId: 't',
          data: Buffer.from('out').toString('base64'),
        });
        await tell({ sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'cancelled' });
        await tell({
          sessionUpdate: 'plan_update',
          plan: { type: 'items', planId: 'p', entries: [{ content: 'Do', status: 'pending', priority: 'low' }] },
        });
        await tell({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'max_tokens' });
      })();
      return { messageId: 'p' };
    });
    const { connection, updates, began } = await meet(app);
    await connection.open(WISH);
    expect(await connection.prompt([text('go')])).toBe('max_tokens');
    expect(began).toEqual([]);
    const shown = (words: string) => [{ type: 'content', content: text(words) }];
    expect(updates).toMatchObject([
      { sessionUpdate: 'agent_message_chunk', content: { text: 'Hel' } },
      { sessionUpdate: 'agent_message_chunk', content: { text: 'lo' } },
      { sessionUpdate: 'agent_message_chunk', content: { text: 'Whole.' } },
      { sessionUpdate: 'tool_call', title: 'edit', status: 'pending', content: shown('+1') },
      { sessionUpdate: 'tool_call_update', content: [] },
      { sessionUpdate: 'tool_call_update', content: shown('out') },
      { sessionUpdate: 'tool_call_update', status: 'failed' },
      { sessionUpdate: 'plan', entries: [{ content: 'Do', status: 'pending' }] },
    ]);
  });

  it('Options are told by the ids that version 1 has, set, and kept when a session is continued [issue 33.2]', async () => {
    const { connection } = await meet(speaking());
    expect(await connection.open(WISH)).toMatchObject({ configOptions: [{ id: 'mode', currentValue: 'auto' }] });
    expect(await connection.setOption('mode', 'ask')).toMatchObject([{ id: 'mode', currentValue: 'ask' }]);
    expect(await connection.load('s', WISH)).toMatchObject({ configOptions: [{ id: 'mode' }] });
    await expect(connection.setMode('ask')).rejects.toThrow('no modes, only options');
  });

  it('A request for permission of a command or a call is one of version 1 [issue 33.2]', async () => {
    const seen: unknown[] = [];
    const subjects = [
      { type: 'command', command: 'ls', cwd: '/tmp', toolCallId: 'c' },
      { type: 'tool_call', toolCall: { toolCallId: 'd', name: 'edit' } },
    ];
    const app = speaking().onRequest(methods.agent.session.prompt, ({ params: { sessionId }, client }) => {
      void (async () => {
        for (const subject of subjects) {
          const { outcome } = await client.request(methods.client.session.requestPermission, {
            sessionId,
            title: 'May I?',
            subject: subject as never,
            options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
          });
          seen.push(outcome);
        }
        await report(client, sessionId, { state: 'running' }, { state: 'idle', stopReason: 'end_turn' });
      })();
      return { messageId: 'p' };
    });
    const asked: unknown[] = [];
    const { connection } = await meet(app, (request) => {
      asked.push(request.toolCall);
      return Promise.resolve({ outcome: { outcome: 'selected', optionId: 'yes' } });
    });
    await connection.open(WISH);
    await connection.prompt([text('go')]);
    expect(asked).toMatchObject([
      { toolCallId: 'c', title: 'ls', kind: 'execute', rawInput: { command: 'ls' } },
      { toolCallId: 'd', title: 'May I?', name: 'edit' },
    ]);
    const yes = { outcome: 'selected', optionId: 'yes' };
    expect(seen).toEqual([yes, yes]);
  });

  it.each([
    [-32000, 'Authentication required'],
    [-32603, 'No model today.'],
  ])('A turn that ends with the error %i fails with that [issue 33.2]', async (code, message) => {
    const app = speaking().onRequest(methods.agent.session.prompt, async ({ params: { sessionId }, client }) => {
      await client.notify(methods.client.session.update, {
        sessionId,
        update: { sessionUpdate: 'user_message', messageId: 'p' },
      });
      const idle = { state: 'idle', stopReason: 'error', error: { code, message } };
      await report(client, sessionId, { state: 'running' }, idle);
      return { messageId: 'p' };
    });
    const { connection } = await meet(app);
    await connection.open(WISH);
    const failed: unknown = await connection.prompt([text('go')]).catch((error: unknown) => error);
    expect([needsLogin(failed), (failed as Error).message]).toEqual([code === -32000, message]);
  });

  it('What an agent does without a prompt, and a question of it while it is idle, begin and end [issue 33.2]', async () => {
    const asked = Promise.withResolvers<void>();
    const app = agent().onRequest(methods.agent.initialize, () => INTRODUCTION);
    app.onRequest(methods.agent.session.new, ({ client }) => {
      void (async () => {
        await report(
          client,
          's',
          { state: 'requires_action' },
          { state: 'running' },
          { state: 'idle', stopReason: 'refusal' },
        );
        await client.request(methods.client.session.requestPermission, {
          sessionId: 's',
          title: 'May I?',
          options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
        });
        asked.resolve();
        await report(client, 's', { state: 'running' });
      })();
      return { sessionId: 's' };
    });
    const { connection, began } = await meet(app, () => Promise.resolve({ outcome: { outcome: 'cancelled' } }));
    await connection.open(WISH);
    await asked.promise;
    expect(await Promise.all(began)).toEqual(['refusal', 'end_turn']);
    await expect.poll(() => began.length).toBe(3);
    connection.close();
    await expect(began[2]).rejects.toThrow('was closed');
  });

  it('A login that is wanted is known by the error, and a turn whose connection is closed ends [issue 33.2]', async () => {
    const app = agent()
      .onRequest(methods.agent.initialize, () => INTRODUCTION)
      .onRequest(methods.agent.session.new, () => {
        throw RequestError.authRequired();
      })
      .onRequest(methods.agent.session.prompt, () => ({ messageId: 'p' }));
    const { connection } = await meet(app);
    expect(needsLogin(await connection.open(WISH).catch((error: unknown) => error))).toBe(true);
    const turn = connection.prompt([text('go')]);
    connection.close();
    await expect(turn).rejects.toThrow(/closed/);
  });
});
