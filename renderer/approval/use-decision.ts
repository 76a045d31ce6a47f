/** Sends decisions about one card and keeps what main answered, in words. */
import { useState } from 'react';
import type { ApprovalCard, ApprovalDecision } from '#contract/approval.ts';
import type { ApprovalBridge } from '#contract/rpc.ts';

export type Answer = 'accepted' | 'stale' | 'too-soon' | 'gone' | 'invalid' | 'failed';

export interface Decision {
  readonly sending: boolean;
  /** What main answered, unless it was accepted; it stands until the next decision or until it is forgotten. */
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
      setMessage(`The decision was not taken: ${error instanceof Error ? error.message : String(error)}`);
      return 'failed';
    } finally {
      setSending(false);
    }
  };
  return { sending, message, send, forget: () => setMessage(null) };
}
