/**
 * The turn of one prompt in version 2. The agent answers the prompt when it has put the message into the conversation, and reports separately when it is idle.
 * Only an idle report that follows the message ends the turn: others belong to what the agent did by itself.
 */
import type { StopReason } from '@agentclientprotocol/sdk';

/** How foreground work ended. */
export type End = StopReason | Error;

export class PromptTurn {
  readonly #over = Promise.withResolvers<StopReason>();
  /** Messages in the conversation since the prompt was sent, with the end of the work on them; null while that continues. */
  readonly #messages = new Map<string, End | null>();
  /** The id of the prompt's message; null until the agent has answered. */
  #message: string | null = null;

  constructor() {
    this.#over.promise.catch(() => {}); // the connection may be closed before somebody waits for the end
  }

  /** Resolves with the reason for which the turn is over. Rejects with the error that ended it. */
  get over(): Promise<StopReason> {
    return this.#over.promise;
  }

  /** The agent has put a message into the conversation: this one or another. */
  inserted(message: string): void {
    if (!this.#messages.has(message)) this.#messages.set(message, null);
  }

  /** The agent has answered the prompt, with the id of its message. The report of the message may come before that, and even the end. */
  accepted(message: string): void {
    this.#message = message;
    const end = this.#messages.get(message);
    if (end) this.end(end);
  }

  idle(end: End): void {
    if (this.#message !== null) return this.end(end);
    for (const [message, known] of this.#messages) if (known === null) this.#messages.set(message, end);
  }

  end(end: End): void {
    if (end instanceof Error) this.#over.reject(end);
    else this.#over.resolve(end);
  }
}
