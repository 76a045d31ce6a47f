/**
 * Turns of a hosted agent. A turn is a prompt and the work on it, or work without a prompt. There is one turn at a time; other prompts
 * wait.
 */
import type { StopReason } from '@agentclientprotocol/sdk';
import type { HostedAgent as AgentView, PromptContext } from '#contract/clients/hosted-agent.ts';
import { messageOf, WorkbenchError } from '#core/base/error.ts';
import { cancelledBy, needsLogin, type AgentConnection } from './acp/connection.ts';
import type { Conversation } from './conversation.ts';
import { checkImages, promptBlocks } from './prompt.ts';

/** A prompt that waits for the end of the running turn. */
export interface QueuedPrompt {
  readonly text: string;
  readonly context: readonly PromptContext[];
}

/** The functions of an agent that its turns use. */
export interface TurnsAgent {
  /** The name of the agent's program. */
  readonly title: string;
  readonly conversation: Conversation;
  /** Returns the state and the reason for it; the reason is null if there is nothing to report. */
  state(): Pick<AgentView, 'state' | 'problem' | 'takesImages'>;
  connection(): AgentConnection;
  enter(state: 'working' | 'stopping' | 'idle' | 'login', problem?: string | null): void;
  /** Called when a prompt is about to be sent. */
  beginning(): void;
  /** Called when a turn has begun or ended. */
  changedTurn(): void;
  /** Called when the turn is over; requests of the turn must then stop waiting. */
  leaving(): void;
  /** Cancels the work of the turn, in the agent and in the images. */
  cancel(): void;
  /** Ends the agent, because it continued after it was stopped. */
  endStubborn(): void;
  /** Returns a message saying that the agent requires a login. */
  loginWords(error: unknown): string;
  changed(): void;
}

/** How long, in milliseconds, an agent may take to end a stopped turn before its process is ended. */
const STOP_MS = 5_000;

const ENDS: Readonly<Record<StopReason, string | null>> = {
  end_turn: null,
  cancelled: 'Stopped.',
  max_tokens: 'The agent stopped here, because its answer reached the maximum length.',
  max_turn_requests: 'The agent stopped here, because it reached the maximum number of model requests in one turn.',
  refusal: 'The agent refused to continue with this.',
};

export class Turns {
  readonly #agent: TurnsAgent;
  #startedAt: number | null = null;
  #queued: QueuedPrompt | null = null;
  /** A prompt that the agent did not process, because it requires a login. It is sent again after the login. */
  #unanswered: QueuedPrompt | null = null;
  /** The agent's work without a prompt, until it is shown as a turn. */
  #ownWork: Promise<StopReason> | null = null;

  constructor(agent: TurnsAgent) {
    this.#agent = agent;
  }

  /** The start of the running turn, in milliseconds since the epoch; null if there is none. */
  get startedAt(): number | null {
    return this.#startedAt;
  }

  /** The text of the waiting prompt; null if there is none. */
  get queued(): string | null {
    return this.#queued?.text ?? null;
  }

  /**
   * Sends a prompt. During a turn, queues the prompt after the prompts that are already queued. @throws WorkbenchError `refused` if the
   * agent accepts no prompt now.
   */
  prompt(text: string, context: readonly PromptContext[]): void {
    const { title } = this.#agent;
    const { state, problem, takesImages } = this.#agent.state();
    const isBusy = state === 'working' || state === 'stopping';
    if (isBusy || state === 'idle') checkImages([...(this.#queued?.context ?? []), ...context], title, takesImages);
    if (isBusy) {
      const { text: before = null, context: along = [] } = this.#queued ?? {};
      this.#queued = {
        text: before === null ? text : `${before}\n\n${text}`,
        context: [...along, ...context],
      };
      return this.#agent.changed();
    }
    if (state !== 'idle') throw new WorkbenchError('refused', problem ?? `${title} cannot receive messages now.`);
    void this.#turn({ text, context });
  }

  /** Removes and returns the queued prompt with its context; null if none is queued. */
  unqueue(): QueuedPrompt | null {
    const queued = this.#queued;
    this.#queued = null;
    this.#agent.changed();
    return queued;
  }

  /** Adds a queued prompt to the conversation as an item, so that it is not lost when the agent is closed. */
  keepUnsent(): void {
    if (this.#queued)
      this.#agent.conversation.notice(`This prompt was queued but not sent: ${this.#queued.text}`, 'warning');
    this.#queued = null;
  }

  /** Sends the waiting prompts of an idle agent. First sends the prompt for which the agent required a login, if any. */
  sendQueued(): void {
    if (this.#agent.state().state !== 'idle') return;
    if (this.#unanswered) return void this.#turn(this.#unanswered);
    const next = this.#queued;
    this.#queued = null;
    if (next) void this.#turn(next);
  }

  /** Records work that the agent has begun without a prompt. It is shown as a turn once the agent is idle. */
  began(over: Promise<StopReason>): void {
    this.#ownWork = over;
  }

  /** Shows the agent's work without a prompt as a turn. The agent must be idle. */
  showOwnWork(): void {
    if (this.#ownWork === null) return;
    const over = this.#ownWork;
    this.#ownWork = null;
    void this.#work(() => over, null);
  }

  /** Stops the running turn, in the agent and in the image at the same time. If the agent continues anyway, ends it. */
  stop(): void {
    if (this.#agent.state().state !== 'working') return;
    const started = this.#startedAt;
    this.#agent.enter('stopping');
    this.#agent.cancel();
    setTimeout(() => {
      if (this.#agent.state().state === 'stopping' && this.#startedAt === started) this.#agent.endStubborn();
    }, STOP_MS).unref();
  }

  /** Ends the running turn when its agent ends. Returns true if a turn was running. */
  end(): boolean {
    const inTurn = this.#startedAt !== null;
    this.#startedAt = null;
    return inTurn;
  }

  async #turn(prompt: QueuedPrompt): Promise<void> {
    const { conversation } = this.#agent;
    const connection = this.#agent.connection();
    const { text, context } = prompt;
    if (prompt !== this.#unanswered) conversation.asked(text, context);
    this.#unanswered = null;
    this.#agent.beginning();
    await this.#work(() => connection.prompt(promptBlocks(text, context)), prompt);
  }

  /** Runs a turn: the work on a prompt, or the agent's work without one if `prompt` is null. */
  async #work(start: () => Promise<StopReason>, prompt: QueuedPrompt | null): Promise<void> {
    const { conversation } = this.#agent;
    this.#startedAt = Date.now();
    this.#agent.enter('working');
    this.#agent.changedTurn();
    try {
      this.#told(await start().catch(cancelledBy));
      this.#over();
    } catch (error) {
      // The end of the agent's process is reported separately.
      if (this.#agent.state().state === 'ended' || this.#agent.connection().isClosed) return;
      conversation.endTurn();
      if (needsLogin(error)) {
        if (prompt !== null && !conversation.hasActed) this.#unanswered = prompt;
        return this.#leave('login', this.#agent.loginWords(error));
      }
      conversation.failed(messageOf(error).replace(/^Internal error: /, ''));
      this.#over();
    }
  }

  /** Reports why a turn ended, unless it completed normally. */
  #told(reason: StopReason): void {
    const { conversation } = this.#agent;
    const { state } = this.#agent.state();
    conversation.endTurn();
    const words = state === 'stopping' || reason === 'cancelled' ? 'Stopped.' : ENDS[reason];
    if (words) conversation.notice(words, reason === 'cancelled' ? 'plain' : 'warning');
  }

  #over(): void {
    this.#leave('idle');
    this.sendQueued();
  }

  /** Ends the turn for any reason. Afterwards the agent has no turn, and none of the turn's requests is waiting for the person. */
  #leave(state: 'idle' | 'login', problem: string | null = null): void {
    this.#startedAt = null;
    this.#agent.leaving();
    this.#agent.enter(state, problem);
    this.#agent.changedTurn();
  }
}
