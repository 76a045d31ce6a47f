/**
 * The two channels for asking a client's own person: a request to the client while its call waits (2025), or the answer to the call
 * (2026-07-28).
 */
import {
  SdkError,
  SdkErrorCode,
  type ElicitRequestFormParams,
  type RequestOptions,
} from '@modelcontextprotocol/server';
import type { ApprovalCard } from '#contract/decisions/approval.ts';
import type { ClientChannel } from '#core/approvals/client-approval.ts';
import { decisionOf, elicitationOf } from './elicitation.ts';

/** Sends `elicitation/create` to the client and resolves with its result. */
export type Elicit = (params: ElicitRequestFormParams, options: RequestOptions) => Promise<unknown>;

/** The longest possible timer. The question needs no timeout of its own, because the deadline of the approval request ends it. */
const NO_TIMEOUT = 2 ** 31 - 1;

const GONE: ReadonlySet<SdkErrorCode> = new Set([SdkErrorCode.ConnectionClosed, SdkErrorCode.NotConnected]);

/** Returns a channel that asks through a request to the client. The client answers the request while its call waits. */
export function requestChannel(elicit: Elicit): ClientChannel {
  return {
    async ask(card, over) {
      try {
        return decisionOf(await elicit(elicitationOf(card), { signal: over, timeout: NO_TIMEOUT }));
      } catch (error) {
        if (error instanceof SdkError && GONE.has(error.code)) return null;
        throw error;
      }
    },
  };
}

/** A channel that answers the call early. The answer contains the question. */
export class AnswerChannel implements ClientChannel {
  readonly #answerNow = new AbortController();
  readonly answerNow = this.#answerNow.signal;
  /** The card that the answer's question is about; null if there is none. */
  card: ApprovalCard | null = null;

  ask(card: ApprovalCard): Promise<null> {
    this.card ??= card;
    this.#answerNow.abort();
    return Promise.resolve(null);
  }
}
