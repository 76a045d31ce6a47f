/** Version 1 of the Agent Client Protocol, based on the official SDK. */
import {
  client,
  type ClientConnection,
  type ContentBlock,
  methods,
  type SessionConfigOption,
  type SessionUpdate,
  type StopReason,
} from '@agentclientprotocol/sdk';
import type { Reported } from '../standings/modes.ts';
import { readReported, readSessionId } from './answers.ts';
import {
  type AgentConnection,
  type AgentListener,
  elicit,
  faultOf,
  inTime,
  type MessageStream,
  refuse,
  type SessionWish,
} from './connection.ts';

const MOST_EARLY = 1_000;

export class Version1 implements AgentConnection {
  readonly #connection: ClientConnection;
  #session: string | null = null;
  /** Updates that arrived before the answer that contains their session's id. */
  readonly #early: { session: string; update: SessionUpdate }[] = [];
  readonly #listener: AgentListener;

  constructor(stream: MessageStream, listener: AgentListener) {
    this.#listener = listener;
    const app = client({ name: 'lisp-workbench' })
      .onNotification(methods.client.session.update, ({ params }) => {
        if (params.sessionId === this.#session) listener.updated(params.update);
        else if (this.#session === null && this.#early.length < MOST_EARLY)
          this.#early.push({ session: params.sessionId, update: params.update });
      })
      .onRequest(methods.client.session.requestPermission, ({ params, signal }) => listener.asked(params, signal))
      .onRequest(methods.client.elicitation.create, ({ params, signal }) => elicit(params, listener, signal))
      .onNotification(methods.client.elicitation.complete, ({ params }) =>
        listener.pages.completed(params.elicitationId),
      );
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
    this.#connection = app.connect(stream);
  }

  get closed(): Promise<Error | null> {
    const { signal, closed } = this.#connection;
    return closed.then(() => faultOf(signal));
  }

  get isClosed(): boolean {
    return this.#connection.signal.aborted;
  }

  get session(): string | null {
    return this.#session;
  }

  async open({ directory, servers, meta }: SessionWish): Promise<Reported> {
    const answer = await inTime(
      this.#connection.agent.request(methods.agent.session.new, {
        cwd: directory,
        mcpServers: servers,
        ...(meta ? { _meta: meta } : {}),
      }),
      'did not open a session',
    );
    const opened = (this.#session = readSessionId(answer));
    for (const { session, update } of this.#early.splice(0)) if (session === opened) this.#listener.updated(update);
    return readReported(answer);
  }

  /** Resolves once the agent has repeated the session's conversation as updates. */
  async load(session: string, { directory, servers, meta }: SessionWish): Promise<Reported> {
    this.#session = session;
    const loaded = this.#connection.agent.request(methods.agent.session.load, {
      sessionId: session,
      cwd: directory,
      mcpServers: servers,
      ...(meta ? { _meta: meta } : {}),
    });
    return readReported(await inTime(loaded, 'did not continue the session'));
  }

  async authenticate(method: string): Promise<void> {
    await this.#connection.agent.request(methods.agent.authenticate, { methodId: method });
  }

  async prompt(prompt: ContentBlock[]): Promise<StopReason> {
    const { stopReason } = await this.#connection.agent.request(methods.agent.session.prompt, {
      sessionId: this.#session!,
      prompt,
    });
    return stopReason;
  }

  async cancel(): Promise<void> {
    await this.#connection.agent.notify(methods.agent.session.cancel, { sessionId: this.#session! });
  }

  async setMode(mode: string): Promise<void> {
    await this.#connection.agent.request(methods.agent.session.setMode, { sessionId: this.#session!, modeId: mode });
  }

  async setOption(option: string, value: string | boolean): Promise<SessionConfigOption[]> {
    const answer = await this.#connection.agent.request(methods.agent.session.setConfigOption, {
      sessionId: this.#session!,
      configId: option,
      ...(typeof value === 'boolean' ? { type: 'boolean', value } : { value }),
    });
    return readReported(answer).configOptions;
  }

  close(): void {
    this.#connection.close();
  }
}
