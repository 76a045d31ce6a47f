/**
 * Answers that are waiting for a person or for running code. An answer waits only as long as the client can wait. After that, the client
 * gets a handle (decision 26).
 */
import type { ApprovalQueue } from '#core/approvals/queue/queue.ts';
import type { ClientApproval } from '#core/approvals/client-approval.ts';
import type { Settlement, Ticket } from '#core/approvals/request.ts';
import type { ToolOutcome } from '../tool.ts';
import type { BackgroundCalls, DetachedCall } from './background-calls.ts';
import type { Caller } from './caller.ts';
import { answerOf, effectWaits, NOT_DECIDED, pending, running, type Answer } from './results.ts';

export class PendingAnswers {
  readonly #approvals: ApprovalQueue<ToolOutcome>;
  readonly #background: BackgroundCalls;
  readonly #clientApproval: ClientApproval<ToolOutcome>;

  constructor(
    approvals: ApprovalQueue<ToolOutcome>,
    background: BackgroundCalls,
    clientApproval: ClientApproval<ToolOutcome>,
  ) {
    this.#approvals = approvals;
    this.#background = background;
    this.#clientApproval = clientApproval;
  }

  /**
   * Asks the caller's own person about the request with this handle. Returns a function that withdraws the question; null if the caller is
   * not asked.
   */
  openChannel(handle: string, { channel }: Caller): ReturnType<ClientApproval<ToolOutcome>['open']> | null {
    return channel === undefined ? null : this.#clientApproval.open(handle, channel);
  }

  /** Returns the answer to `await_approval`: the outcome of the call that was answered with this handle. */
  async fetch(id: string, caller: Caller): Promise<Answer> {
    const ticket = this.#approvals.ticket(id, caller.actor);
    if (!ticket) return { outcome: { success: false, text: `You have no request with the handle ${id}.` } };
    const answer = await this.hold(ticket, caller);
    if (!answer.outcome) return answer;
    const { evaluation: _told, ...outcome } = answer.outcome; // The evaluation is left out, because it belongs to the call that started it.
    return { ...answer, outcome };
  }

  /** Waits for the end of a request or a call. If this takes longer than the caller can wait, answers with the handle. */
  async hold({ id, settled }: Ticket<ToolOutcome>, caller: Caller): Promise<Answer> {
    const { approvalTimeoutMs, signal, disconnected, channel } = caller;
    const { promise: cut, resolve } = Promise.withResolvers<'late' | 'gone'>();
    const leaveCard = this.#approvals.attend(id);
    const late = (): void => resolve('late');
    const timer = setTimeout(late, approvalTimeoutMs);
    const leave = (): void => resolve('gone');
    channel?.answerNow?.addEventListener('abort', late, { once: true });
    const closeChannel = this.openChannel(id, caller);
    const ends = [signal, disconnected].filter((end) => end !== undefined);
    for (const end of ends) end.addEventListener('abort', leave, { once: true });
    if (ends.some(({ aborted }) => aborted)) leave();
    const first: Settlement<ToolOutcome> | 'late' | 'gone' = await Promise.race([settled, cut]);
    clearTimeout(timer);
    for (const end of ends) end.removeEventListener('abort', leave);
    channel?.answerNow?.removeEventListener('abort', late);
    closeChannel?.(first === 'gone');
    leaveCard(first === 'gone');
    if (first === 'gone' || first === 'late') return this.#stillWaits(id);
    if (!ends.some(({ aborted }) => aborted)) this.#approvals.told(id);
    return answerOf(first);
  }

  /**
   * Answers a call with its handle, because the call takes longer than its client can wait. The call continues. The answer's `settled`
   * resolves when the call has ended.
   */
  leave(call: DetachedCall, { actor, disconnected }: Caller): Answer {
    this.#approvals.follow(call, actor);
    if (disconnected?.aborted) this.#approvals.attend(call.id)(true);
    const answer = call.effect === null ? this.#stillWaits(call.id) : pending(call.id, effectWaits(call.effect));
    return { ...answer, settled: call.settled };
  }

  /** Returns the answer for a request that a person has not decided yet, or for a call that is still running. */
  #stillWaits(id: string): Answer {
    const state = this.#background.stateOf(id);
    if (state) return running(id, state);
    const effect = this.#background.effectOf(id);
    return pending(id, effect ? effectWaits(effect) : NOT_DECIDED);
  }
}
