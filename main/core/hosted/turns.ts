/** Turns of a hosted agent: a prompt and the work on it, one at a time; the prompts that wait; and work without a prompt. */
import type { StopReason } from '@agentclientprotocol/sdk';
import type { HostedAgent as AgentView, PromptContext } from '#contract/clients/hosted-agent.ts';
import { messageOf, WorkbenchError } from '#core/base/error.ts';
import { cancelledBy, needsLogin, type AgentConnection } from './acp/connection.ts';
import type { Conversation } from './conversation.ts';
import { checkImages, promptBlocks } from './prompt.ts';

/** A prompt that waits for the end of the turn that runs. */
export interface QueuedPrompt {
  readonly text: string;
  readonly context: readonly PromptContext[];
}

/** The agent, as its turns see it. */
export interface TurnsAgent {
  /** Name of the agent's program. */
  readonly title: string;
  readonly conversation: Conversation;
  /** Returns the state, and why the agent is in it, null if there is nothing to say. */
  state(): Pick<AgentView, 'state' | 'problem' | 'takesImages'>;
  connection(): AgentConnection;
  enter(state: 'working' | 'stopping' | 'idle' | 'login', problem?: string | null): void;
  /** A prompt is about to be sent. */
  beginning(): void;
  /** A turn has begun, or is over. */
  changedTurn(): void;
  /** No turn is under way any more: requests of the one before wait for nobody. */
  leaving(): void;
  /** Cancels what the turn does, at the agent and in the images. */
  cancel(): void;
  /** Ends the agent, which continued although it was stopped. */
  endStubborn(): void;
  /** Words about a login that the agent wants. */
  loginWords(error: unknown): string;
  changed(): void;
}

/** Milliseconds that an agent has to end a turn that was stopped, before its process is ended. */
const STOP_MS = 5_000;

const ENDS: Readonly<Record<StopReason, string | null>> = {
  end_turn: null,
  cancelled: 'Stopped.',
  max_tokens: 'The agent ended here, since its answer reached the greatest length.',
  max_turn_requests: 'The agent ended here, since it had asked its model as often as it may in one turn.',
  refusal: 'The agent refused to continue with this.',
};

export class Turns {
  readonly #agent: TurnsAgent;
  #startedAt: number | null = null;
  #queued: QueuedPrompt | null = null;
  /** A prompt with which the agent did nothing, since it wants a login: sent again after that. */
  #unanswered: QueuedPrompt | null = null;
  /** The work of the agent without a prompt, until it is shown as a turn. */
  #ownWork: Promise<StopReason> | null = null;

  constructor(agent: TurnsAgent) {
    this.#agent = agent;
  }

  /** The start of the turn that runs, in milliseconds since the epoch; null if none does. */
  get startedAt(): number | null {
    return this.#startedAt;
  }

  /** The text of the prompt that waits; null if none does. */
  get queued(): string | null {
    return this.#queued?.text ?? null;
  }

  /** Sends a prompt, or queues it behind the turn that runs and what is queued already. @throws WorkbenchError `refused` where the agent takes none now. */
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
    if (state !== 'idle') throw new WorkbenchError('refused', problem ?? `${title} takes no message now.`);
    void this.#turn({ text, context });
  }

  /** Takes the queued prompt back, with what was to go along; null where none is queued. */
  unqueue(): QueuedPrompt | null {
    const queued = this.#queued;
    this.#queued = null;
    this.#agent.changed();
    return queued;
  }

  /** Writes a queued prompt into the conversation, where nobody will be there to take it back. */
  keepUnsent(): void {
    if (this.#queued)
      this.#agent.conversation.notice(`This prompt was queued, and not sent: ${this.#queued.text}`, 'warning');
    this.#queued = null;
  }

  /** Sends what waits for an idle agent: first the prompt to which it wanted a login. */
  sendQueued(): void {
    if (this.#agent.state().state !== 'idle') return;
    if (this.#unanswered) return void this.#turn(this.#unanswered);
    const next = this.#queued;
    this.#queued = null;
    if (next) void this.#turn(next);
  }

  /** Notes work that the agent has begun without a prompt; it is shown as a turn once the agent is idle. */
  began(over: Promise<StopReason>): void {
    this.#ownWork = over;
  }

  /** Shows the work without a prompt as a turn; the agent is idle. */
  showOwnWork(): void {
    if (this.#ownWork === null) return;
    const over = this.#ownWork;
    this.#ownWork = null;
    void this.#work(() => over, null);
  }

  /** Stops the turn that runs, at the agent and in the image at the same time; an agent that goes on all the same is ended. */
  stop(): void {
    if (this.#agent.state().state !== 'working') return;
    const started = this.#startedAt;
    this.#agent.enter('stopping');
    this.#agent.cancel();
    setTimeout(() => {
      if (this.#agent.state().state === 'stopping' && this.#startedAt === started) this.#agent.endStubborn();
    }, STOP_MS).unref();
  }

  /** Ends the turn with its agent. Returns true if one was under way. */
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

  /** A turn: the work on a prompt, or what the agent does without one, where `prompt` is null. */
  async #work(start: () => Promise<StopReason>, prompt: QueuedPrompt | null): Promise<void> {
    const { conversation } = this.#agent;
    this.#startedAt = Date.now();
    this.#agent.enter('working');
    this.#agent.changedTurn();
    try {
      this.#told(await start().catch(cancelledBy));
      this.#over();
    } catch (error) {
      // The end of its process is told by itself.
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

  /** Words on why a turn ended, where it is not for having been done. */
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

  /** However a turn ends, nothing of it is left: the agent is in none, and no request of it waits for the person. */
  #leave(state: 'idle' | 'login', problem: string | null = null): void {
    this.#startedAt = null;
    this.#agent.leaving();
    this.#agent.enter(state, problem);
    this.#agent.changedTurn();
  }
}
