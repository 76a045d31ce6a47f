/**
 * `--approve client`: what needs a person is asked in the client program whose call needs it. Each call that waits brings a
 * channel to its client, and a card is asked about through the newest channel that waits for its handle. No other client is asked.
 */
import type { ApprovalCard, ApprovalDecision, DecisionAnswer } from '#contract/decisions/approval.ts';
import { messageOf } from '#core/base/error.ts';
import type { ApprovalQueue } from './queue/queue.ts';
import { type AtOnce, CLIENT_ITSELF, NOBODY_APPROVES } from './without-window.ts';

/** The way to the person of a client, as long as one call of it waits. */
export interface ClientChannel {
  /**
   * Puts a card's question to the client; `over` fires when the question is not wanted any more. Resolves with the answer, or with
   * null if none comes through this channel: the answer is a further call, or the client has gone.
   * @throws when the client refuses to ask.
   */
  ask(card: ApprovalCard, over: AbortSignal): Promise<ApprovalDecision | null>;
  /** Fires when the call has to be answered at once, since its answer carries the question. */
  readonly answerNow?: AbortSignal;
}

/** A question that was put to a client. */
interface Question {
  /** The fingerprint of the card as it was asked about. */
  readonly drawn: string;
  readonly channel: ClientChannel;
  readonly over: AbortController;
}

const NOT_ASKABLE = `The client cannot ask its person (it does not offer elicitation), and only clients are asked here. ${NOBODY_APPROVES}`;

export class ClientApproval<Outcome> {
  readonly #queue: ApprovalQueue<Outcome>;
  /** Channels of calls that wait, by the handle that they wait for, oldest first. */
  readonly #channels = new Map<string, readonly ClientChannel[]>();
  /** Questions that have no answer yet, by card. */
  readonly #questions = new Map<string, Question>();

  constructor(queue: ApprovalQueue<Outcome>) {
    this.#queue = queue;
    queue.events.on('changed', () => this.#look());
  }

  /** Has clients asked from now on. */
  start(): void {
    const unlessAskable: AtOnce = ({ askable }) => (askable ? null : { approved: false, reason: NOT_ASKABLE });
    this.#queue.setApprover(CLIENT_ITSELF, undefined, unlessAskable);
  }

  /** True when clients are asked. */
  get active(): boolean {
    return this.#queue.approver === CLIENT_ITSELF;
  }

  /**
   * Asks about the cards of a handle through `channel` until the returned function is called. Its argument says that the call was
   * given up: then its question is withdrawn. A question of a call that was answered with a handle stays, since an answer still
   * counts; it is put again when another call waits for the handle.
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

  /** Decides as the client's person answered. The answer says what became of it. */
  decide({ id, fingerprint, actor }: ApprovalCard, decision: ApprovalDecision): Promise<DecisionAnswer> {
    return this.#queue.decide(id, fingerprint, decision, `answered in ${actor.name}`);
  }

  /** Withdraws questions whose card is decided or has changed, and asks about cards that nobody was asked about. */
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
