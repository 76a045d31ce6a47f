/**
 * `--approve client`: asks for approval in the client program whose call needs it. Each waiting call provides a channel to its client. A
 * card's question is sent to the newest channel that waits for the card's handle, and never to another client.
 */
import type { ApprovalCard, ApprovalDecision, DecisionAnswer } from '#contract/decisions/approval.ts';
import { messageOf } from '#core/base/error.ts';
import type { ApprovalQueue } from './queue/queue.ts';
import { type AtOnce, CLIENT_ITSELF, NOBODY_APPROVES } from './without-window.ts';

/** The connection to the person who uses a client, available while one of the client's calls is waiting. */
export interface ClientChannel {
  /**
   * Sends a card's question to the client; `over` fires when the question becomes obsolete. Resolves with the answer, or with null if this
   * channel will not deliver one, because the answer will arrive as another call or the client has disconnected.
   * @throws if the client refuses to ask.
   */
  ask(card: ApprovalCard, over: AbortSignal): Promise<ApprovalDecision | null>;
  /** Fires when the call must be answered immediately, because the question is sent in the call's answer. */
  readonly answerNow?: AbortSignal;
}

/** A question that was sent to a client. */
interface Question {
  /** The fingerprint of the card when the question was sent. */
  readonly drawn: string;
  readonly channel: ClientChannel;
  readonly over: AbortController;
}

const NOT_ASKABLE = `The client cannot ask its user (it does not support elicitation), and no one else can approve here. ${NOBODY_APPROVES}`;

export class ClientApproval<Outcome> {
  readonly #queue: ApprovalQueue<Outcome>;
  /** The channels of waiting calls, by the handle that they wait for, oldest first. */
  readonly #channels = new Map<string, readonly ClientChannel[]>();
  /** The unanswered questions, by card. */
  readonly #questions = new Map<string, Question>();

  constructor(queue: ApprovalQueue<Outcome>) {
    this.#queue = queue;
    queue.events.on('changed', () => this.#look());
  }

  /** Starts asking clients. */
  start(): void {
    const unlessAskable: AtOnce = ({ askable }) => (askable ? null : { approved: false, reason: NOT_ASKABLE });
    this.#queue.setApprover(CLIENT_ITSELF, undefined, unlessAskable);
  }

  /** True while the approver is this object, which means that clients are asked. */
  get active(): boolean {
    return this.#queue.approver === CLIENT_ITSELF;
  }

  /**
   * Asks about the cards of a handle through `channel` until the returned function is called. Pass true to that function if the client gave
   * up the call; the question is then withdrawn. If the call was answered with a handle, pass false; the question then stays open, because
   * an answer still counts. The question is sent again when another call waits for the handle.
   */
  open(handle: string, channel: ClientChannel): (givenUp: boolean) => void {
    this.#channels.set(handle, [...(this.#channels.get(handle) ?? []), channel]);
    this.#look();
    return (givenUp) => {
      const others = (this.#channels.get(handle) ?? []).filter((each) => each !== channel);
      if (others.length > 0) this.#channels.set(handle, others);
      else this.#channels.delete(handle);
      if (!givenUp) return;
      for (const [card, question] of this.#questions) if (question.channel === channel) this.#withdraw(card, question);
      this.#look();
    };
  }

  /** Applies the decision of the person who uses the client. The returned answer reports the result. */
  decide({ id, fingerprint, actor }: ApprovalCard, decision: ApprovalDecision): Promise<DecisionAnswer> {
    return this.#queue.decide(id, fingerprint, decision, `answered in ${actor.name}`);
  }

  /** Withdraws questions whose card was decided or has changed, and asks about cards that have no question. */
  #look(): void {
    if (this.#channels.size === 0 && this.#questions.size === 0) return;
    const waiting = new Map(this.#queue.view().waiting.map(({ id, fingerprint }) => [id, fingerprint]));
    for (const [card, question] of this.#questions)
      if (waiting.get(card) !== question.drawn) this.#withdraw(card, question);
    for (const [handle, channels] of this.#channels) {
      for (const card of this.#queue.waitingFor(handle)) {
        const asked = this.#questions.get(card.id);
        if (asked && channels.includes(asked.channel)) continue;
        if (asked) this.#withdraw(card.id, asked);
        void this.#ask(card, channels.at(-1)!);
      }
    }
  }

  async #ask(card: ApprovalCard, channel: ClientChannel): Promise<void> {
    const over = new AbortController();
    const question = { drawn: card.fingerprint, channel, over };
    this.#questions.set(card.id, question);
    let decision: ApprovalDecision | null;
    try {
      decision = await channel.ask(card, over.signal);
    } catch (error) {
      if (!over.signal.aborted) this.#queue.withdraw(card.id, `${card.actor.name} did not ask: ${messageOf(error)}`);
      return;
    }
    if (decision === null || over.signal.aborted) return;
    this.#questions.delete(card.id);
    await this.decide(card, decision);
    this.#look();
  }

  #withdraw(card: string, { over }: Question): void {
    this.#questions.delete(card);
    over.abort('The question is no longer needed.');
  }
}
