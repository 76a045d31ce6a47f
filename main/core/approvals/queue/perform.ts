/** Runs what was approved, once, with its beginning on record first (K5). */
import { messageOf } from '#core/base/error.ts';
import type { ApprovalRecords } from '../results/records.ts';
import type { ApprovalRequest, Approved, Arguments, Settlement } from '../request.ts';

export interface Recorded {
  /**
   * Returns the reason why the last decision could not be recorded, which keeps the request from running; null when it was
   * recorded.
   */
  readonly unrecorded?: () => string | null;
  /** The store that keeps requests over the end of the program. */
  readonly records?: ApprovalRecords;
}

/** The agreement of the person: what is done, and which rule is given with it. */
interface Agreement {
  readonly args: Arguments;
  readonly approved: Approved;
  readonly modified: boolean;
  /** The rule that further requests are answered by from then on, by the id of its scope; null for none. */
  readonly remember: string | null;
}

/** Runs an approved request and returns its outcome. Nothing is thrown: an error is an outcome too. */
export async function perform<Outcome>(
  { request }: { readonly request: ApprovalRequest<Outcome> },
  { args, approved, modified, remember }: Agreement,
  { records, unrecorded }: Recorded,
): Promise<Settlement<Outcome>> {
  const { id } = approved;
  const problem = unrecorded?.() ?? null; // before anything else is recorded, and perhaps could be
  await records?.advance(id, 'approved').catch(() => {}); // what counts is that its beginning is kept, below
  try {
    if (problem) return { denied: true, reason: `It was approved but did not run. ${problem}`, by: 'the workbench' };
    await records?.advance(id, 'started');
    // A rule of a decision that is not on record would answer for what comes later.
    if (remember !== null) request.requester.remember?.(remember);
    return { denied: false, outcome: await request.requester.perform(args, approved), modified };
  } catch (error) {
    return { denied: true, reason: `It was approved but could not run: ${messageOf(error)}`, by: 'the workbench' };
  } finally {
    await records?.remove(id).catch(() => {}); // it would be told as unknown after the next start, which is true enough
  }
}
