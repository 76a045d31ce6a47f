/** Runs what was approved, once, with its beginning on record first (K5). */
import { messageOf } from '#core/error.ts';
import type { ApprovalRecords } from './records.ts';
import type { ApprovalRequest, Approved, Arguments, Settlement } from './request.ts';

export interface Recorded {
  /** Why the decision just told could not be recorded, which keeps what was approved from running; null when it was. */
  readonly unrecorded?: () => string | null;
  /** Where requests are kept over the end of the program. */
  readonly records?: ApprovalRecords;
}

/** What came of it. Nothing is thrown. */
export async function perform<Outcome>(
  { request }: { readonly request: ApprovalRequest<Outcome> },
  { args, approved, modified }: { args: Arguments; approved: Approved; modified: boolean },
  { records, unrecorded }: Recorded,
): Promise<Settlement<Outcome>> {
  const { id } = approved;
  const problem = unrecorded?.() ?? null; // before anything else is recorded, and perhaps could be
  await records?.advance(id, 'approved').catch(() => {}); // what counts is that its beginning is kept, below
  try {
    if (problem) return { denied: true, reason: `It was approved but did not run. ${problem}` };
    await records?.advance(id, 'started');
    return { denied: false, outcome: await request.perform(args, approved), modified };
  } catch (error) {
    return { denied: true, reason: `It was approved but could not run: ${messageOf(error)}` };
  } finally {
    await records?.remove(id).catch(() => {}); // it would be told as unknown after the next start, which is true enough
  }
}
