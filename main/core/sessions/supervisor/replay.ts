/** Bringing back into a fresh image what one before it was told: systems in their order, then the person's definitions. */
import { randomUUID } from 'node:crypto';
import { PERSON } from '#contract/clients/known-actors.ts';
import type { Actor } from '#contract/image/session.ts';
import { messageOf } from '#core/base/error.ts';
import { setsPlace, type JournalEntry, type LoadedSystem } from '../checkpoints/journal.ts';
import type { LostWork } from './lost-work.ts';
import type { Evaluation, EvaluationRequest, RunResult, SystemRequest } from '../requests.ts';

export interface ReplayReport {
  readonly replayed: number;
  readonly failed: { what: string; message: string }[];
}

interface Target {
  evaluate(request: EvaluationRequest): Promise<Evaluation>;
  loadSystem(request: SystemRequest): Promise<RunResult<'load-system'>>;
}

/** Loads the lost systems and evaluates the person's lost definitions; tells what failed. */
export async function replayLost(session: Target, lostWork: LostWork, onChange: () => void): Promise<ReplayReport> {
  const lost = lostWork.take();
  onChange();
  const failed = (await loadAgain(session, lost.systems)).map(({ system, message }) => ({
    what: `system ${system}`,
    message,
  }));
  let replayed = lost.systems.length - failed.length;
  const mine = lost.entries.filter(({ actor }) => actor.kind === 'person');
  for (const [index, entry] of mine.entries()) {
    const report = await replayOne(session, entry);
    if (report.status === 'ok') replayed += setsPlace(entry.operator) ? 0 : 1;
    else failed.push({ what: `${entry.operator} ${entry.name}`.trim(), message: report.message });
    if (report.status !== 'lost') continue;
    // The image went down with it: what comes after must not be lost for good.
    lostWork.restore(mine.slice(index + 1), report.message);
    onChange();
    break;
  }
  return { replayed, failed };
}

/**
 * Loads systems in order, before anybody else's turn; gives back those that did not load, with why. Each is loaded as whoever loaded it, or as
 * the client that wants it now: the person's word for a system is theirs to repeat. What was denied before is denied at once, and a client's
 * system that does not load is not loaded as the person because theirs needs it.
 */
export async function loadAgain(
  session: Target,
  systems: readonly LoadedSystem[],
  by: Actor = PERSON,
): Promise<{ system: string; message: string }[]> {
  const failed: { system: string; message: string }[] = [];
  const without: string[] = [];
  for (const { name: system, actor: loader, denied } of systems) {
    const actor = by.kind === 'client' ? by : loader;
    const fail = (message: string): void => {
      failed.push({ system, message });
      if (loader.kind === 'client') without.push(system);
    };
    try {
      const who = { evaluation: randomUUID(), actor, context: 'reset', urgent: true };
      const kept = loader.kind === 'client' ? [] : without;
      const { reply } = await session.loadSystem({ ...who, system, denied, without: kept });
      if (reply.status !== 'ok') fail(reply.condition?.message ?? reply.status);
    } catch (error) {
      fail(messageOf(error));
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
