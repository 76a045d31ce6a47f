/** Runs an approved request exactly once, after its start has been recorded (K5). */
import { messageOf } from '#core/base/error.ts';
import type { ApprovalRecords } from '../results/records.ts';
import type { ApprovalRequest, Approved, Arguments, Settlement } from '../request.ts';

export interface Recorded {
  /** Returns the reason why the last decision could not be recorded, which prevents the request from running; null if it was recorded. */
  readonly unrecorded?: () => string | null;
  /** The store in which requests survive the end of the program. */
  readonly records?: ApprovalRecords;
}

/** The person's approval: the arguments to run with, and the rule that is granted at the same time. */
interface Agreement {
  readonly args: Arguments;
  readonly approved: Approved;
  readonly modified: boolean;
  /** The id of the scope whose rule answers later requests; null if the person chose none. */
  readonly remember: string | null;
}

/** Runs an approved request and returns its outcome. Never throws, because an error is an outcome too. */
export async function perform<Outcome>(
  { request }: { readonly request: ApprovalRequest<Outcome> },
  { args, approved, modified, remember }: Agreement,
  { records, unrecorded }: Recorded,
): Promise<Settlement<Outcome>> {
  const { id } = approved;
  const problem = unrecorded?.() ?? null; // checked now, because a later successful recording would hide the problem
  await records?.advance(id, 'approved').catch(() => {}); // a failure here is harmless, because the start is recorded below
  try {
    if (problem) return { denied: true, reason: `It was approved but did not run. ${problem}`, by: 'the workbench' };
    await records?.advance(id, 'started');
    // Grants the rule only now: if the decision could not be recorded, the rule must not answer later requests.
    if (remember !== null) request.requester.remember?.(remember);
    return { denied: false, outcome: await request.requester.perform(args, approved), modified };
  } catch (error) {
    return { denied: true, reason: `It was approved but could not run: ${messageOf(error)}`, by: 'the workbench' };
  } finally {
    await records?.remove(id).catch(() => {}); // if that fails, the next start reports an unknown outcome, which is acceptable
  }
}
