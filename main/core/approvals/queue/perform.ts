/** Runs an approved request exactly once, after its start has been recorded (K5). */
import { messageOf } from '#core/base/error.ts';
import type { ApprovalRecords } from '../results/records.ts';
import type { ApprovalRequest, Approved, Arguments, Settlement } from '../request.ts';

export interface Recorded {
  /** Returns why the last decision could not be recorded, which prevents the request from running; null if it was recorded. */
  readonly unrecorded?: () => string | null;
  /** The store that preserves requests beyond the end of the program. */
  readonly records?: ApprovalRecords;
}

/** The person's approval: what runs, and which rule is granted with it. */
interface Agreement {
  readonly args: Arguments;
  readonly approved: Approved;
  readonly modified: boolean;
  /** The id of the scope whose rule answers further requests; null for none. */
  readonly remember: string | null;
}

/** Runs an approved request and returns its outcome. Never throws: an error is an outcome too. */
export async function perform<Outcome>(
  { request }: { readonly request: ApprovalRequest<Outcome> },
  { args, approved, modified, remember }: Agreement,
  { records, unrecorded }: Recorded,
): Promise<Settlement<Outcome>> {
  const { id } = approved;
  const problem = unrecorded?.() ?? null; // checked first, because a later recording might succeed
  await records?.advance(id, 'approved').catch(() => {}); // the record that counts is that of the start, below
  try {
    if (problem) return { denied: true, reason: `It was approved but did not run. ${problem}`, by: 'the workbench' };
    await records?.advance(id, 'started');
    // A rule whose decision is not recorded would also answer later requests.
    if (remember !== null) request.requester.remember?.(remember);
    return { denied: false, outcome: await request.requester.perform(args, approved), modified };
  } catch (error) {
    return { denied: true, reason: `It was approved but could not run: ${messageOf(error)}`, by: 'the workbench' };
  } finally {
    await records?.remove(id).catch(() => {}); // the next start would report the outcome as unknown, which is acceptable
  }
}
