/** Sends the decisions about one card, and stores the main process's replies as text. */
import { messageOf } from '#contract/text/text.ts';
import { useState } from 'react';
import type { ApprovalCard, ApprovalDecision, DecisionAnswer } from '#contract/decisions/approval.ts';
import type { ApprovalBridge } from '#contract/rpc.ts';

type Answer = DecisionAnswer['reason'] | 'failed';

export interface Decision {
  readonly sending: boolean;
  /** The main process's reply to a rejected decision; shown until the next decision or until `forget`. */
  readonly message: string | null;
  readonly send: (decision: ApprovalDecision) => Promise<Answer>;
  readonly forget: () => void;
}

export function useDecision(service: ApprovalBridge, { id, fingerprint }: ApprovalCard): Decision {
  const [sending, setSending] = useState(false);
  const [message, setMessage] = useState<string | null>(null);

  const send = async (decision: ApprovalDecision): Promise<Answer> => {
    setSending(true);
    setMessage(null);
    try {
      const answer = await service.call('approval.decide', { id, fingerprint, decision });
      setMessage(answer.accepted ? null : answer.message);
      return answer.reason;
    } catch (error) {
      setMessage(`The decision was not accepted: ${messageOf(error)}`);
      return 'failed';
    } finally {
      setSending(false);
    }
  };
  return { sending, message, send, forget: () => setMessage(null) };
}
