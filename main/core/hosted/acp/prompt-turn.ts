/**
 * The turn of one prompt in version 2. The agent answers the prompt once the message has been added to the conversation, and later reports
 * that it is idle. Only an idle report after the message ends the turn; other idle reports belong to the agent's own work.
 */
import type { StopReason } from '@agentclientprotocol/sdk';

/** How the agent's work on a message ended: with a stop reason or an error. */
export type End = StopReason | Error;

export class PromptTurn {
  readonly #over = Promise.withResolvers<StopReason>();
  /**
   * The messages that were added to the conversation since the prompt was sent, and how the agent's work on each ended; null while that
   * work continues.
   */
  readonly #messages = new Map<string, End | null>();
  /** The id of the prompt's message; null until the agent answers. */
  #message: string | null = null;

  constructor() {
    this.#over.promise.catch(() => {}); // the connection may close before any code awaits the end
  }

  /** Resolves with the reason why the turn ended. Rejects with the error that ended it. */
  get over(): Promise<StopReason> {
    return this.#over.promise;
  }

  /** Records that the agent has added a message to the conversation: the prompt's message or another one. */
  inserted(message: string): void {
    if (!this.#messages.has(message)) this.#messages.set(message, null);
  }

  /**
   * Records the agent's answer to the prompt, which contains the message's id. The report that the message was added, and even the end of
   * the work on it, may arrive earlier.
   */
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
