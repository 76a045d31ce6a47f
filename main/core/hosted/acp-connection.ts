/** The Agent Client Protocol with one agent: version 1 by the official SDK, which nothing outside this folder imports. */
import {
  client,
  type ClientConnection,
  type ContentBlock,
  type InitializeResponse,
  type McpServer,
  MessageTooLargeError,
  methods,
  ndJsonStream,
  type NewSessionResponse,
  PROTOCOL_VERSION,
  RequestError,
  type SessionConfigOption,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
  type StopReason,
} from '@agentclientprotocol/sdk';
import { messageOf, WorkbenchError } from '#core/error.ts';
import type { AgentProcess } from './agent-process.ts';

/** The side of the workbench: what an agent tells, and what it asks. */
export interface AgentListener {
  readonly updated: (update: SessionUpdate) => void;
  readonly asked: (request: RequestPermissionRequest, signal: AbortSignal) => Promise<RequestPermissionResponse>;
  /** Reads and writes files for the agent; null for one that is not offered it. */
  readonly files: {
    readonly read: (path: string, line: number | null, limit: number | null) => Promise<string>;
    readonly write: (path: string, content: string) => Promise<void>;
  } | null;
}

/** Octets of one message: a conversation may hold a long file, and nothing needs more. */
const LONGEST_MESSAGE = 16 * 1024 * 1024;
/** Milliseconds that an agent may take to say who it is, and to open a session. */
const OPENING_MS = 90_000;
const NEEDS_LOGIN = -32000;
const MOST_EARLY = 1_000;

/** True for the answer of an agent that wants its person to log in first. */
export function needsLogin(error: unknown): boolean {
  return error instanceof RequestError && error.code === NEEDS_LOGIN;
}

export interface SessionWish {
  readonly directory: string;
  readonly servers: McpServer[];
  readonly meta: Record<string, unknown> | null;
}

export class AcpConnection {
  readonly #connection: ClientConnection;
  readonly #hasFiles: boolean;
  #session: string | null = null;
  /** Updates that came before the answer that names their session. */
  readonly #early: { session: string; update: SessionUpdate }[] = [];
  readonly #listener: AgentListener;

  constructor(process: AgentProcess, listener: AgentListener) {
    this.#hasFiles = listener.files !== null;
    this.#listener = listener;
    const app = client({ name: 'lisp-workbench' })
      .onNotification(methods.client.session.update, ({ params }) => {
        if (params.sessionId === this.#session) listener.updated(params.update);
        else if (this.#session === null && this.#early.length < MOST_EARLY)
          this.#early.push({ session: params.sessionId, update: params.update });
      })
      .onRequest(methods.client.session.requestPermission, ({ params, signal }) => listener.asked(params, signal));
    const { files } = listener;
    if (files)
      app
        .onRequest(methods.client.fs.readTextFile, async ({ params: { path, line, limit } }) => ({
          content: await files.read(path, line ?? null, limit ?? null).catch(refuse),
        }))
        .onRequest(methods.client.fs.writeTextFile, async ({ params: { path, content } }) => {
          await files.write(path, content).catch(refuse);
          return {};
        });
    this.#connection = app.connect(ndJsonStream(process.input, process.output, { maxMessageBytes: LONGEST_MESSAGE }));
  }

  /** Resolves when the connection is gone: with the fault of what the agent wrote, or null where the agent closed it. */
  get closed(): Promise<Error | null> {
    const { signal, closed } = this.#connection;
    return closed.then(() => {
      const why: unknown = signal.reason;
      return why instanceof WorkbenchError || why instanceof MessageTooLargeError ? why : null;
    });
  }

  get isClosed(): boolean {
    return this.#connection.signal.aborted;
  }

  /** The id that the agent has given the session; null before there is one. */
  get session(): string | null {
    return this.#session;
  }

  /** @throws WorkbenchError `unsupported` for an agent of another version of the protocol. */
  async initialize(version: string): Promise<InitializeResponse> {
    const answer = await this.#within(
      this.#connection.agent.request(methods.agent.initialize, {
        protocolVersion: PROTOCOL_VERSION,
        clientCapabilities: {
          fs: { readTextFile: this.#hasFiles, writeTextFile: this.#hasFiles },
          terminal: false,
          auth: { terminal: true },
          _meta: { 'terminal-auth': true }, // by which programs named logins at a terminal before the protocol had them
        },
        clientInfo: { name: 'lisp-workbench', title: 'Lisp Workbench', version },
      }),
      'did not say who it is',
    );
    if (answer.protocolVersion === PROTOCOL_VERSION) return answer;
    throw new WorkbenchError(
      'unsupported',
      `It speaks version ${answer.protocolVersion} of the Agent Client Protocol, the workbench version ${PROTOCOL_VERSION}. Install the version that the workbench was tried with.`,
    );
  }

  async open({ directory, servers, meta }: SessionWish): Promise<NewSessionResponse> {
    const answer = await this.#within(
      this.#connection.agent.request(methods.agent.session.new, {
        cwd: directory,
        mcpServers: servers,
        ...(meta ? { _meta: meta } : {}),
      }),
      'did not open a session',
    );
    this.#session = answer.sessionId;
    for (const { session, update } of this.#early.splice(0))
      if (session === answer.sessionId) this.#listener.updated(update);
    return answer;
  }

  /** Goes on with a session of before; what was said in it is told again as updates before this resolves. */
  async load(session: string, { directory, servers, meta }: SessionWish): Promise<Partial<NewSessionResponse>> {
    this.#session = session;
    const loaded = this.#connection.agent.request(methods.agent.session.load, {
      sessionId: session,
      cwd: directory,
      mcpServers: servers,
      ...(meta ? { _meta: meta } : {}),
    });
    return (await this.#within(loaded, 'did not go on with the session')) ?? {};
  }

  async authenticate(method: string): Promise<void> {
    await this.#connection.agent.request(methods.agent.authenticate, { methodId: method });
  }

  /** Sends a prompt. Resolves when its turn is over, however long that takes. */
  async prompt(prompt: ContentBlock[]): Promise<StopReason> {
    const { stopReason } = await this.#connection.agent.request(methods.agent.session.prompt, {
      sessionId: this.#session!,
      prompt,
    });
    return stopReason;
  }

  /** Asks the agent to end its turn. */
  async cancel(): Promise<void> {
    await this.#connection.agent.notify(methods.agent.session.cancel, { sessionId: this.#session! });
  }

  async setMode(mode: string): Promise<void> {
    await this.#connection.agent.request(methods.agent.session.setMode, { sessionId: this.#session!, modeId: mode });
  }

  /** Resolves with all options as they are then. */
  async setOption(option: string, value: string): Promise<SessionConfigOption[]> {
    const { configOptions } = await this.#connection.agent.request(methods.agent.session.setConfigOption, {
      sessionId: this.#session!,
      configId: option,
      value,
    });
    return configOptions;
  }

  close(): void {
    this.#connection.close();
  }

  async #within<Answer>(answer: Promise<Answer>, what: string): Promise<Answer> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () => reject(new WorkbenchError('system', `It ${what} within ${OPENING_MS / 1000} seconds.`)),
        OPENING_MS,
      );
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** An error in words that the agent can read. */
function refuse(error: unknown): never {
  throw new RequestError(-32603, messageOf(error));
}
