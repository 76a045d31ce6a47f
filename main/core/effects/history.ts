/** Effects in the format of the activity and the audit. Also reads the effects of an earlier run from that run's audit. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Effect } from '#contract/decisions/effect.ts';
import type { Actor } from '#contract/image/session.ts';
import { auditNames, linesOf } from '#core/activity/audit/files.ts';
import type { SessionId } from './grouping.ts';

/** Returns a settled or recorded effect as a fact for the activity and the audit. `rule` describes the rule that decided. */
export function factOf(effect: Effect<'settled' | 'recorded'>, session: SessionId, actor: Actor, rule: string) {
  return { ...called(effect, session, actor), outcome: effect.outcome, rule };
}

/** Returns the audit entry for an effect that is about to proceed without asking. */
export function announcementOf(effect: Effect<'waiting'>, session: SessionId, actor: Actor, rule: string) {
  return { ...called(effect, session, actor), rule };
}

function called({ kind, evaluation, operator, target }: Effect, { id }: SessionId, actor: Actor) {
  return { effect: kind, evaluation, parent: evaluation, actor, session: id, operator, target };
}

/**
 * The maximum number of audit files to read. The newest files are sufficient, because they include those of the run that ended suddenly.
 */
const FILES = 3;
const LISTED = 20;

/**
 * Returns up to 20 effects of a call, oldest first, in the form `write /p/a.txt: proceeded`, and their total number. Unreadable files are
 * skipped.
 */
export async function pastEffects(folder: string, call: string): Promise<{ effects: string[]; total: number }> {
  const effects: string[] = [];
  const names = existsSync(folder) ? auditNames(folder) : [];
  for (const name of names.slice(-FILES)) {
    try {
      for await (const line of linesOf(path.join(folder, name), yieldToEventLoop)) {
        // Most lines are about something else, and parsing all of them would take long.
        if (line.includes('"kind":"effect"') && line.includes(JSON.stringify(call)))
          effects.push(...effectOf(line, call));
      }
    } catch {
      // an unreadable file contributes nothing
    }
  }
  return { effects: effects.slice(0, LISTED), total: effects.length };
}

function effectOf(line: string, call: string): string[] {
  try {
    const { event } = JSON.parse(line) as { event: Record<string, unknown> };
    if (event['kind'] !== 'effect' || event['parent'] !== call) return [];
    return [`${String(event['effect'])} ${String(event['target'])}: ${String(event['outcome'])}`];
  } catch {
    return []; // a partially written line
  }
}

/** Lets the event loop process other work. */
function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
