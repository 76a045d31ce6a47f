/** Restores an earlier image's contents in a fresh image: systems in their order, then the person's definitions. */
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

/** Loads the lost systems and evaluates the person's lost definitions. Reports failures. */
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
    // The image ended during the replay: the remaining entries must not be lost for good.
    lostWork.restore(mine.slice(index + 1), report.message);
    onChange();
    break;
  }
  return { replayed, failed };
}

/**
 * Loads systems in order, before all other turns. Returns the systems that did not load, with the reason. Each is loaded for the actor that
 * loaded it before, or for the client that requests it now, because only the person can repeat the person's decisions. Effects that were
 * denied before are denied at once. If a system of a client does not load, it is not loaded for the person when one of the person's systems
 * needs it.
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
