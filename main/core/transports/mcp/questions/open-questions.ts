/**
 * Questions to a client's own person that were sent as the answer to a call (MCP 2026-07-28). The client then sends the call again with the
 * person's answer. An answer is accepted only once, and only for the same call and connection.
 */
import { randomBytes } from 'node:crypto';
import type { ApprovalCard } from '#contract/decisions/approval.ts';

/** The call that was answered with a question. */
export interface AskedCall {
  readonly actor: string;
  readonly connectionId: string;
  /** Digest of the tool and its arguments. */
  readonly digest: string;
}

/** A question: the card that it shows, and the handle of the approval request. */
export interface OpenQuestion {
  readonly card: ApprovalCard;
  readonly handle: string;
  /**
   * The section about the image that belongs to the call's outcome. It is stored because the question was sent instead of the answer that
   * contained this section.
   */
  readonly image: string;
}

interface Kept extends OpenQuestion {
  readonly call: AskedCall;
  answered: boolean;
}

/** The maximum number of stored questions of one client; the oldest are dropped first. */
const MOST = 100;
const KEY_OCTETS = 32;

const UNKNOWN =
  'Nothing was run, because this answer does not belong to an open question of yours. Send the call again without the answer.';
const CHANGED =
  'Nothing was run, because the question was about another call. Send the changed call again without the answer.';

export class OpenQuestions {
  readonly #kept = new Map<string, Kept>();

  /** Stores a question. Returns its key, which is random and secret; the answer must contain this key. */
  keep(question: OpenQuestion, call: AskedCall): string {
    const key = randomBytes(KEY_OCTETS).toString('base64url');
    this.#kept.set(key, { ...question, call, answered: false });
    const own = [...this.#kept].filter(([, kept]) => kept.call.actor === call.actor);
    if (own.length > MOST) this.#kept.delete(own[0]![0]);
    return key;
  }

  /** Returns and removes the question that a call answers. If the answer is not accepted, returns a sentence with the reason. */
  take(key: unknown, call: AskedCall): OpenQuestion | string {
    const kept = typeof key === 'string' ? this.#kept.get(key) : undefined;
    // The question of another client is treated like an unknown question.
    if (!kept || kept.call.actor !== call.actor || kept.call.connectionId !== call.connectionId) return UNKNOWN;
    if (kept.call.digest !== call.digest) return CHANGED;
    if (kept.answered)
      return `Nothing was run, because this question was already answered: call await-approval with {"approval_id": "${kept.handle}"} for the outcome.`;
    kept.answered = true;
    return kept;
  }
}
