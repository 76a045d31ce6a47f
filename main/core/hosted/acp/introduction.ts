/**
 * The first exchange with an agent, in which the agent reports its identity and protocol version. Afterwards, the connection for that
 * version takes over.
 */
import { ndJsonStream } from '@agentclientprotocol/sdk';
import { z } from 'zod';
import { WorkbenchError } from '#core/base/error.ts';
import type { AgentProcess } from '../process/agent-process.ts';
import { readIntroduction } from './answers.ts';
import { inTime, type AgentListener, type Introduced, type MessageStream } from './connection.ts';
import { Version1 } from './version-1.ts';
import { Version2 } from './version-2.ts';
import { introducedByVersion2 } from './version-2-shapes.ts';

type Message = MessageStream extends { readable: ReadableStream<infer Each> } ? Each : never;

/** The maximum size of one message, in octets. The largest messages contain a long file. */
const LONGEST_MESSAGE = 16 * 1024 * 1024;
const NEWEST = 2;
const ID = 'introduction';

const answered = z.object({
  id: z.literal(ID),
  method: z.undefined().optional(),
  result: z.looseObject({ protocolVersion: z.number() }).optional().catch(undefined),
  error: z.object({ message: z.string() }).optional().catch(undefined),
});

/**
 * Initializes an agent with the newest protocol version that it supports, or with `wanted`. `version` is the workbench's own version.
 * @throws WorkbenchError `unsupported` if the agent uses another protocol version, `system` if its answer is unusable.
 */
export async function introduce(
  process: AgentProcess,
  listener: AgentListener,
  version: string,
  wanted: 1 | 2 = NEWEST,
): Promise<Introduced> {
  const stream = ndJsonStream(process.input, process.output, { maxMessageBytes: LONGEST_MESSAGE });
  const answer = await inTime(ask(stream, listener.files !== null, version, wanted), 'did not identify itself');
  const spoken = answer.protocolVersion;
  if (spoken === 1) return { connection: new Version1(stream, listener), agent: readIntroduction(answer) };
  if (spoken === NEWEST) {
    const connection = new Version2(answeredAlready(stream, answer), listener);
    return { connection, agent: introducedByVersion2(answer) };
  }
  throw new WorkbenchError(
    'unsupported',
    `The agent uses version ${spoken} of the Agent Client Protocol, but Lisp Workbench supports only 1 and ${NEWEST}. Update the older of the two programs.`,
  );
}

async function ask(
  stream: MessageStream,
  hasFiles: boolean,
  version: string,
  wanted: number,
): Promise<z.infer<typeof answered>['result'] & { protocolVersion: number }> {
  const auth = { terminal: {} };
  const writer = stream.writable.getWriter();
  // The message contains the parameters of both versions; each agent reads those of the version that it supports.
  await writer.write({
    jsonrpc: '2.0',
    id: ID,
    method: 'initialize',
    params: {
      protocolVersion: wanted,
      clientCapabilities: {
        fs: { readTextFile: hasFiles, writeTextFile: hasFiles },
        terminal: false,
        auth: { terminal: true },
        elicitation: { url: {} },
        _meta: { 'terminal-auth': true }, // the way to declare terminal logins before the protocol supported them
      },
      clientInfo: { name: 'lisp-workbench', title: 'Lisp Workbench', version },
      capabilities: { auth, elicitation: { url: {} } },
      info: { name: 'lisp-workbench', title: 'Lisp Workbench', version },
    },
  });
  writer.releaseLock();
  const reader = stream.readable.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) throw new WorkbenchError('system', 'The agent closed the connection before it identified itself.');
      const read = answered.safeParse(value);
      if (!read.success) continue; // other messages are irrelevant at this point
      const { result, error } = read.data;
      if (result) return result;
      throw new WorkbenchError(
        'system',
        error?.message ?? 'The agent did not report its version of the Agent Client Protocol. Update the program.',
      );
    }
  } finally {
    reader.releaseLock();
  }
}

/**
 * Returns a stream for an SDK connection. The SDK always sends its own `initialize` first. The stream answers that request itself, so that
 * the agent is not initialized twice.
 */
function answeredAlready(stream: MessageStream, result: object): MessageStream {
  const { readable, writable: fromSdk } = new TransformStream<Message, Message>();
  const toSdk = new TransformStream<Message, Message>();
  void (async () => {
    const [writer, back] = [stream.writable.getWriter(), toSdk.writable.getWriter()];
    const reader = readable.getReader();
    let first = true;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return writer.close();
      if (first && 'method' in value && value.method === 'initialize' && 'id' in value) {
        first = false;
        await back.write({ jsonrpc: '2.0', id: value.id, result });
        back.releaseLock();
        void stream.readable.pipeTo(toSdk.writable).catch(() => {}); // reported by the connection
      } else await writer.write(value);
    }
  })().catch(() => {}); // reported by the connection
  return { readable: toSdk.readable, writable: fromSdk };
}
