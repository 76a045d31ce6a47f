/** A person at the queue, for tests: waits until a card is there and could be read, then decides. */
import type { ApprovalCard, ApprovalDecision, DecisionAnswer } from '#contract/decisions/approval.ts';
import { INERT_MS } from '#contract/decisions/decision.ts';
import type { ApprovalQueue } from './queue/queue.ts';

/** The first card, once there is one. */
export async function nextCard<Outcome>(queue: ApprovalQueue<Outcome>): Promise<ApprovalCard> {
  const [waiting] = queue.view().waiting;
  if (waiting) return waiting;
  return new Promise((resolve) => {
    const stop = queue.events.on('changed', ({ waiting: [card] }) => {
      if (!card) return;
      stop();
      resolve(card);
    });
  });
}

/** Decides the first card, after the time in which nothing counts. */
export async function decideNext<Outcome>(
  queue: ApprovalQueue<Outcome>,
  decision: ApprovalDecision | ((card: ApprovalCard) => ApprovalDecision),
): Promise<DecisionAnswer> {
  const { id } = await nextCard(queue);
  await new Promise((resolve) => setTimeout(resolve, INERT_MS + 20)); // the rule itself is about time
  const card = queue.view().waiting.find((each) => each.id === id);
  if (!card) throw new Error('The card is gone.');
  return queue.decide(id, card.fingerprint, typeof decision === 'function' ? decision(card) : decision);
}
