/** Version 2 of the Agent Client Protocol, based on the official SDK and converted to the shapes of version 1. */
import {
  type ContentBlock,
  RequestError,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionConfigOption,
  type StopReason,
} from '@agentclientprotocol/sdk';
import {
  client,
  type ClientConnection,
  methods,
  PROTOCOL_VERSION,
  type SessionUpdate as Update,
} from '@agentclientprotocol/sdk/experimental/v2';
import { WorkbenchError } from '#core/base/error.ts';
import type { Reported } from '../standings/modes.ts';
import {
  type AgentConnection,
  type AgentListener,
  elicit,
  faultOf,
  inTime,
  type MessageStream,
  type SessionWish,
} from './connection.ts';
import { type End, PromptTurn } from './prompt-turn.ts';
import { askedInVersion1, optionsInVersion1, sessionOf, Updates } from './version-2-shapes.ts';

const MOST_EARLY = 1_000;
const STOP_REASONS = ['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled'] as const;

export class Version2 implements AgentConnection {
  readonly #connection: ClientConnection;
  readonly #listener: AgentListener;
  readonly #updates = new Updates();
  #session: string | null = null;
  /** Updates that arrived before the answer that contains their session's id. */
  readonly #early: { session: string; update: Update }[] = [];
  /** The turn of the sent prompt; null between turns. */
  #turn: PromptTurn | null = null;
  /** The agent's own work, without a prompt; null if there is none. */
  #own: PromiseWithResolvers<StopReason> | null = null;
  /** True while the agent reports that it is working. Reports are repeated, so only a change of this state counts. */
  #isWorking = false;
  /** The number of permission requests that wait for an answer. */
  #requests = 0;

  constructor(stream: MessageStream, listener: AgentListener) {
    this.#listener = listener;
    const app = client({ name: 'lisp-workbench' })
      .onNotification(methods.client.session.update, ({ params: { sessionId, update } }) => {
        if (sessionId === this.#session) this.#take(update);
        else if (this.#session === null && this.#early.length < MOST_EARLY)
          this.#early.push({ session: sessionId, update });
      })
      .onRequest(methods.client.session.requestPermission, ({ params, signal }) =>
        this.#ask(askedInVersion1(params), signal),
      )
      .onRequest(methods.client.elicitation.create, ({ params, signal }) => elicit(params, listener, signal))
      .onNotification(methods.client.elicitation.complete, ({ params }) =>
        listener.pages.completed(params.elicitationId),
      );
    this.#connection = app.connect(stream);
    this.#connection.signal.addEventListener('abort', () => {
      const closed = new WorkbenchError('system', 'The connection with the agent was closed.');
      this.#turn?.end(closed);
      this.#endOwn(closed);
    });
    // The SDK requires `initialize` as the first request. The agent was already initialized, so this request is answered with the agent's
    // earlier reply.
    void this.#connection.agent
      .request(methods.agent.initialize, {
        protocolVersion: PROTOCOL_VERSION,
        info: { name: 'lisp-workbench', version: '0' },
      })
      .catch(() => {}); // the next request reports the error
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
    const { configOptions } = await inTime(resumed, 'did not continue the session');
    return { configOptions: optionsInVersion1(configOptions ?? []) };
  }

  async authenticate(method: string): Promise<void> {
    await this.#connection.agent.request(methods.agent.auth.login, { methodId: method });
  }

  async prompt(prompt: ContentBlock[]): Promise<StopReason> {
    const turn = (this.#turn = new PromptTurn());
    try {
      const { messageId } = await this.#connection.agent.request(methods.agent.session.prompt, {
        sessionId: this.#session!,
        prompt,
      });
      turn.accepted(messageId);
      return await turn.over;
    } finally {
      this.#turn = null;
      // An agent that refuses a prompt may still be working on something else.
      if (this.#isWorking) this.#beginOwn();
    }
  }

  async cancel(): Promise<void> {
    await this.#connection.agent.notify(methods.agent.session.cancel, { sessionId: this.#session! });
  }

  /** @throws WorkbenchError always, because modes are options in this version. */
  setMode(): Promise<never> {
    return Promise.reject(new WorkbenchError('unsupported', 'The agent has no modes, only options.'));
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
    const { sessionUpdate: kind } = update;
    if (kind === 'state_update') this.#enter(update as { state: string } & Idle);
    else if (kind === 'user_message' || kind === 'user_message_chunk')
      this.#turn?.inserted((update as { messageId: string }).messageId);
    else for (const each of this.#updates.inVersion1(update)) this.#listener.updated(each);
  }

  #enter({ state, ...idle }: { state: string } & Idle): void {
    const isWorking = state === 'running' || state === 'requires_action';
    if (isWorking === this.#isWorking || (!isWorking && state !== 'idle')) return;
    this.#isWorking = isWorking;
    if (!isWorking) {
      this.#turn?.idle(endOf(idle));
      this.#endOwn(endOf(idle));
    } else if (this.#turn === null) this.#beginOwn();
  }

  /**
   * Forwards a permission request to the listener. Background work may send one while the agent is idle. The agent counts as working until
   * it has the answer, so that the person can stop it.
   */
  async #ask(request: RequestPermissionRequest, signal: AbortSignal): Promise<RequestPermissionResponse> {
    if (this.#turn === null) this.#beginOwn();
    this.#requests += 1;
    try {
      return await this.#listener.asked(request, signal);
    } finally {
      this.#requests -= 1;
      if (this.#requests === 0 && !this.#isWorking) this.#endOwn('end_turn');
    }
  }

  #beginOwn(): void {
    if (this.#own !== null || this.isClosed) return;
    this.#own = Promise.withResolvers();
    this.#own.promise.catch(() => {}); // the listener reports the error
    this.#listener.began(this.#own.promise);
  }

  #endOwn(end: End): void {
    if (end instanceof Error) this.#own?.reject(end);
    else this.#own?.resolve(end);
    this.#own = null;
  }
}

/** A report that the agent is idle, with how its work ended. */
interface Idle {
  readonly stopReason?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

function endOf({ stopReason, error }: Idle): End {
  if (error) return new RequestError(error.code, error.message);
  return STOP_REASONS.find((reason) => reason === stopReason) ?? 'end_turn';
}
