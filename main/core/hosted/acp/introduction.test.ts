/** Answers that agents may give to `initialize`, received over byte streams like those of a process. */
import { describe, expect, it } from 'vitest';
import type { AgentProcess } from '../process/agent-process.ts';
import type { Introduced } from './connection.ts';
import { introduce } from './introduction.ts';

/** Connects to an agent that answers each request with the next of these responses. */
function meet(...answers: object[]): Promise<Introduced> {
  const [up, down] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()];
  const lines = up.readable.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>);
  void (async () => {
    const writer = down.writable.getWriter();
    for await (const line of lines) {
      const { id } = JSON.parse(line) as { id: unknown };
      const message = { jsonrpc: '2.0', id, ...answers.shift() };
      await writer.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
    }
  })();
  const process = { input: up.writable, output: down.readable } as AgentProcess;
  const listener = {
    updated: () => {},
    asked: () => Promise.reject(new Error('asked')),
    began: () => {},
    pages: { ask: async () => 'cancel' as const, completed: () => {} },
    files: null,
  };
  return introduce(process, listener, '1.0.0');
}

const NOTHING = { loadSession: false, mcpCapabilities: { http: false }, promptCapabilities: { image: false } };
const LOGIN = { name: 'Key', description: null, _meta: null };

describe('The introduction of an agent', () => {
  it.each([
    [
      { result: { protocolVersion: 9 } },
      /uses version 9 of the Agent Client Protocol, but Lisp Workbench supports only 1 and 2/,
    ],
    [{ result: { protocolVersion: '1' } }, /did not report its version .* Update the program\.$/],
    [{ result: 'hello' }, /did not report its version .* Update the program\.$/],
    [{ result: {} }, /did not report its version .* Update the program\.$/],
    [{ error: { code: 1, message: 'Not today.' } }, /^Not today\.$/],
    [{ error: 'no' }, /did not report its version .* Update the program\.$/],
  ])('That is unusable, as %j, is refused in a sentence [issue 33.2]', async (answer, sentence) => {
    await expect(meet(answer)).rejects.toThrow(sentence);
  });

  it.each([
    [{}, NOTHING, []],
    [{ agentCapabilities: [], authMethods: {} }, NOTHING, []],
    [
      {
        agentCapabilities: { loadSession: true, mcpCapabilities: { http: true, sse: 7 }, promptCapabilities: 'all' },
        authMethods: [null, { id: 'a' }, { id: 'key', name: 'Key', description: 7, _meta: 'odd' }],
      },
      { ...NOTHING, loadSession: true, mcpCapabilities: { http: true } },
      [{ id: 'key', ...LOGIN }],
    ],
    [
      {
        authMethods: [
          { id: 'odd', name: 'Odd', type: 'terminal', args: '--login' },
          { id: 'key', name: 'Key', type: 'terminal', args: ['--login'] },
        ],
      },
      NOTHING,
      [{ id: 'key', ...LOGIN, type: 'terminal', args: ['--login'] }],
    ],
  ])(
    'By version 1, as %j, is read without its odd parts [issue 33.2]',
    async (answer, agentCapabilities, authMethods) => {
      const { agent } = await meet({ result: { protocolVersion: 1, ...answer } });
      expect(agent).toEqual({ protocolVersion: 1, agentCapabilities, authMethods });
    },
  );

  it.each([
    [{ authMethods: 'none', capabilities: 7 }, false, []],
    [
      {
        capabilities: { session: { mcp: { http: {} }, prompt: 'all' } },
        authMethods: [{}, { methodId: 'key', name: 'Key', type: 'agent' }],
      },
      true,
      [{ id: 'key', ...LOGIN, type: 'agent' }],
    ],
  ])('By version 2, as %j, is read without its odd parts [issue 33.2]', async (answer, http, authMethods) => {
    const { agent } = await meet({ result: { protocolVersion: 2, ...answer } });
    const agentCapabilities = { ...NOTHING, loadSession: true, mcpCapabilities: { http } };
    expect(agent).toEqual({ protocolVersion: 2, agentCapabilities, authMethods });
  });
});

describe('A session of version 1', () => {
  const open = async (...answers: object[]) => {
    const { connection } = await meet({ result: { protocolVersion: 1 } }, ...answers);
    return { connection, opened: await connection.open({ directory: '/tmp', servers: [], meta: null }) };
  };

  it.each([
    [{ modes: {}, configOptions: {} }, null, []],
    [
      {
        modes: { currentModeId: 'ask', availableModes: [{ id: 'ask', name: 'Ask' }, { id: 7 }] },
        configOptions: [
          { id: 'odd', type: 'select', currentValue: 'a' },
          { id: 'on', type: 'boolean', currentValue: true },
          { id: 'words', type: 'boolean', currentValue: 'yes' },
          {
            id: 'mode',
            type: 'select',
            name: 7,
            currentValue: 'ask',
            options: [{ value: 'ask', name: 'Ask' }, 'auto'],
          },
        ],
      },
      { currentModeId: 'ask', availableModes: [{ id: 'ask', name: 'Ask', description: null }] },
      [
        { id: 'odd', type: 'select', name: 'odd', category: null, currentValue: 'a', options: [] },
        { id: 'on', type: 'boolean', name: 'on', category: null, currentValue: true },
        {
          id: 'mode',
          type: 'select',
          name: 'mode',
          category: null,
          currentValue: 'ask',
          options: [{ value: 'ask', name: 'Ask', description: null }],
        },
      ],
    ],
  ])('That is opened with %j is read without its odd parts [issue 33.2]', async (answer, modes, configOptions) => {
    const { opened } = await open({ result: { sessionId: 's', ...answer } });
    expect(opened).toEqual({ modes, configOptions });
  });

  it('Without an id is refused in a sentence, and an odd answer to an option leaves none [issue 33.2]', async () => {
    await expect(open({ result: {} })).rejects.toThrow('The agent opened a session without an id.');
    const { connection } = await open({ result: { sessionId: 's' } }, { result: null });
    expect(await connection.setOption('mode', 'ask')).toEqual([]);
  });
});
