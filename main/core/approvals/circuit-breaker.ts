/** Pauses a client that repeatedly requests what the person refuses, because the client is stuck or misled. */
import type { ApprovalQueue } from './queue/queue.ts';

const IN_A_ROW = 3;
const IN_ALL = 20;

/** Watches the person's decisions and calls `pause` with the client and the reason in words. */
export function installCircuitBreaker<Outcome>(
  queue: ApprovalQueue<Outcome>,
  pause: (client: string, why: string) => void,
): void {
  const refusals = new Map<string, { row: number; all: number }>();
  queue.events.on('decided', ({ decision: { actor, by, decision } }) => {
    if (by !== 'you') return; // only a person's decision shows a problem with the client
    const { row, all } = refusals.get(actor.id) ?? { row: 0, all: 0 };
    const refused = decision === 'denied';
    const now = refused ? { row: row + 1, all: all + 1 } : { row: 0, all };
    refusals.set(actor.id, now);
    if (!refused || (now.row < IN_A_ROW && now.all < IN_ALL)) return;
    refusals.delete(actor.id);
    const times = now.row >= IN_A_ROW ? `${IN_A_ROW} times in a row` : `${IN_ALL} times`;
    pause(
      actor.id,
      `The person refused ${times}, so this client is paused until the person resumes it. Ask the person what they want.`,
    );
  });
}
