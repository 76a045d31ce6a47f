/** A simulated person at the approval queue, for tests. It waits until a card exists and could have been read, then decides. */
import type { ApprovalCard, ApprovalDecision, DecisionAnswer } from '#contract/decisions/approval.ts';
import { INERT_MS } from '#contract/decisions/decision.ts';
import type { ApprovalQueue } from './queue/queue.ts';

/** Waits until there is a card, and resolves with the first one. */
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

/** Decides the first card, after the first moments of the card, in which decisions do not count. */
export async function decideNext<Outcome>(
  queue: ApprovalQueue<Outcome>,
  decision: ApprovalDecision | ((card: ApprovalCard) => ApprovalDecision),
): Promise<DecisionAnswer> {
  const { id } = await nextCard(queue);
  await new Promise((resolve) => setTimeout(resolve, INERT_MS + 20)); // waits, because the tested rule depends on real time
  const card = queue.view().waiting.find((each) => each.id === id);
  if (!card) throw new Error('The card is gone.');
  return queue.decide(id, card.fingerprint, typeof decision === 'function' ? decision(card) : decision);
}
