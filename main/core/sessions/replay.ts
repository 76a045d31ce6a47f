/** Bringing back into a fresh image what one before it was told: systems in their order, then the person's definitions. */
import { randomUUID } from 'node:crypto';
import { PERSON, type Actor } from '#contract/session.ts';
import { messageOf } from '#core/error.ts';
import type { JournalEntry } from './journal.ts';
import type { Losses } from './losses.ts';
import type { Evaluation, EvaluationRequest, RunRequest, RunResult } from './requests.ts';

export interface ReplayReport {
  readonly replayed: number;
  readonly failed: { what: string; message: string }[];
}

interface Target {
  evaluate(request: EvaluationRequest): Promise<Evaluation>;
  loadSystem(request: RunRequest & { system: string }): Promise<RunResult<'load-system'>>;
}

/** Loads the lost systems and evaluates the person's lost definitions; tells what failed. */
export async function replayLost(session: Target, losses: Losses, onChange: () => void): Promise<ReplayReport> {
  const lost = losses.take();
  onChange();
  const failed = (await loadAgain(session, lost.systems, PERSON)).map(({ system, message }) => ({
    what: `system ${system}`,
    message,
  }));
  let replayed = lost.systems.length - failed.length;
  const mine = lost.entries.filter(({ actor }) => actor.kind === 'person');
  for (const [index, entry] of mine.entries()) {
    const report = await replayOne(session, entry);
    if (report.status === 'ok') replayed += 1;
    else failed.push({ what: `${entry.operator} ${entry.name}`.trim(), message: report.message });
    if (report.status !== 'lost') continue;
    // The image went down with it: what comes after must not be lost for good.
    losses.giveBack(mine.slice(index + 1), report.message);
    onChange();
    break;
  }
  return { replayed, failed };
}

/** Loads systems in order, before anybody else's turn; gives back those that did not load, with why. */
export async function loadAgain(
  session: Target,
  systems: readonly string[],
  actor: Actor,
): Promise<{ system: string; message: string }[]> {
  const failed: { system: string; message: string }[] = [];
  for (const system of systems) {
    try {
      const who = { evaluation: randomUUID(), actor, context: 'reset', urgent: true };
      const { reply } = await session.loadSystem({ ...who, system });
      if (reply.status !== 'ok') failed.push({ system, message: reply.condition?.message ?? reply.status });
    } catch (error) {
      failed.push({ system, message: messageOf(error) });
    }
  }
  return failed;
}

async function replayOne(
  session: Target,
  { text: code, package: pkg, source }: JournalEntry,
): Promise<{ status: string; message: string }> {
  const request = { evaluation: randomUUID(), actor: PERSON, context: 'replay', interactive: false };
  try {
    const { report } = await session.evaluate({ ...request, code, package: pkg, source });
    return { status: report.status, message: report.condition?.message ?? report.status };
  } catch (error) {
    return { status: 'lost', message: messageOf(error) };
  }
}
