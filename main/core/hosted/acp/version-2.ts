/** Version 2 of the Agent Client Protocol, by the official SDK, told in the shapes of version 1. */
import { type ContentBlock, RequestError, type SessionConfigOption, type StopReason } from '@agentclientprotocol/sdk';
import {
  client,
  type ClientConnection,
  methods,
  PROTOCOL_VERSION,
  type SessionUpdate as Update,
} from '@agentclientprotocol/sdk/experimental/v2';
import { WorkbenchError } from '#core/error.ts';
import type { Reported } from '../standings/modes.ts';
import {
  type AgentConnection,
  type AgentListener,
  faultOf,
  inTime,
  type MessageStream,
  type SessionWish,
} from './connection.ts';
import { askedInVersion1, optionsInVersion1, sessionOf, Updates } from './version-2-shapes.ts';

const MOST_EARLY = 1_000;
const STOP_REASONS = ['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled'] as const;

export class Version2 implements AgentConnection {
  readonly #connection: ClientConnection;
  readonly #listener: AgentListener;
  readonly #updates = new Updates();
  #session: string | null = null;
  /** Updates that came before the answer that names their session. */
  readonly #early: { session: string; update: Update }[] = [];
  /** The end of the turn that runs: in this version a prompt is answered when it was taken, and the end is told by the state. */
  #turn: PromiseWithResolvers<StopReason> | null = null;

  constructor(stream: MessageStream, listener: AgentListener) {
    this.#listener = listener;
    const app = client({ name: 'lisp-workbench' })
      .onNotification(methods.client.session.update, ({ params: { sessionId, update } }) => {
        if (sessionId === this.#session) this.#take(update);
        else if (this.#session === null && this.#early.length < MOST_EARLY)
          this.#early.push({ session: sessionId, update });
      })
      .onRequest(methods.client.session.requestPermission, ({ params, signal }) =>
        listener.asked(askedInVersion1(params), signal),
      );
    this.#connection = app.connect(stream);
    // The SDK begins with this, and gets the answer that the agent has given already.
    void this.#connection.agent
      .request(methods.agent.initialize, {
        protocolVersion: PROTOCOL_VERSION,
        info: { name: 'lisp-workbench', version: '0' },
      })
      .catch(() => {}); // told by the next request
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

  async open(wish: SessionWish): Promise<Reported> {
    const opened = this.#connection.agent.request(methods.agent.session.new, sessionOf(wish));
    const { sessionId, configOptions } = await inTime(opened, 'did not open a session');
    this.#session = sessionId;
    for (const { session, update } of this.#early.splice(0)) if (session === sessionId) this.#take(update);
    return { configOptions: optionsInVersion1(configOptions ?? []) };
  }

  async load(session: string, wish: SessionWish): Promise<Reported> {
    this.#session = session;
    const resumed = this.#connection.agent.request(methods.agent.session.resume, {
      sessionId: session,
      ...sessionOf(wish),
    });
    const { configOptions } = await inTime(resumed, 'did not go on with the session');
    return { configOptions: optionsInVersion1(configOptions ?? []) };
  }

  async authenticate(method: string): Promise<void> {
    await this.#connection.agent.request(methods.agent.auth.login, { methodId: method });
  }

  async prompt(prompt: ContentBlock[]): Promise<StopReason> {
    const over = Promise.withResolvers<StopReason>();
    over.promise.catch(() => {}); // a connection that is closed is told by the request as well
    this.#turn = over;
    const { signal } = this.#connection;
    const closed = (): void => over.reject(new WorkbenchError('system', 'The connection with the agent was closed.'));
    signal.addEventListener('abort', closed, { once: true });
    try {
      await this.#connection.agent.request(methods.agent.session.prompt, {
        sessionId: this.#session!,
        prompt,
      });
      return await over.promise;
    } finally {
      this.#turn = null;
      signal.removeEventListener('abort', closed);
    }
  }

  async cancel(): Promise<void> {
    await this.#connection.agent.notify(methods.agent.session.cancel, { sessionId: this.#session! });
  }

  /** @throws WorkbenchError always: modes are options in this version. */
  setMode(): Promise<never> {
    return Promise.reject(new WorkbenchError('unsupported', 'The agent has no modes beside its options.'));
  }

  async setOption(option: string, value: string | boolean): Promise<SessionConfigOption[]> {
    const { configOptions } = await this.#connection.agent.request(methods.agent.session.setConfigOption, {
      sessionId: this.#session!,
      configId: option,
      ...(typeof value === 'boolean' ? { type: 'boolean', value } : { type: 'id', value }),
    });
    return optionsInVersion1(configOptions);
  }

  close(): void {
    this.#connection.close();
  }

  #take(update: Update): void {
    if (update.sessionUpdate === 'state_update') {
      if (update.state !== 'idle') return;
      const { stopReason, error } = update as { stopReason?: unknown; error?: { code: number; message: string } };
      if (error) this.#turn?.reject(new RequestError(error.code, error.message));
      else this.#turn?.resolve(STOP_REASONS.find((reason) => reason === stopReason) ?? 'end_turn');
      return;
    }
    for (const each of this.#updates.inVersion1(update)) this.#listener.updated(each);
  }
}
