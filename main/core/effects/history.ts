/** Effects as activity and audit have them, and what an earlier run did outside its image, read from its audit. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Effect } from '#contract/decisions/effect.ts';
import type { Actor } from '#contract/image/session.ts';
import { auditNames, linesOf } from '#core/activity/audit/files.ts';
import type { SessionId } from './grouping.ts';

/** An effect as activity and audit have it once it is over. `rule`: what decided about it, in words. */
export function factOf(effect: Effect<'settled' | 'recorded'>, session: SessionId, actor: Actor, rule: string) {
  return { ...called(effect, session, actor), outcome: effect.outcome, rule };
}

/** An effect as the audit has it before it goes on without anybody being asked. */
export function announcementOf(effect: Effect<'waiting'>, session: SessionId, actor: Actor, rule: string) {
  return { ...called(effect, session, actor), rule };
}

function called({ kind, evaluation, operator, target }: Effect, { id }: SessionId, actor: Actor) {
  return { effect: kind, evaluation, parent: evaluation, actor, session: id, operator, target };
}

/** The newest files are looked at: a run that ended suddenly left the last one. */
const FILES = 3;
const LISTED = 20;

/**
 * The effects of a call, as `write /p/a.txt: proceeded`, oldest first, at most 20 and how many there were. None where the
 * audit cannot be read.
 */
export async function pastEffects(folder: string, call: string): Promise<{ effects: string[]; total: number }> {
  const effects: string[] = [];
  const names = existsSync(folder) ? auditNames(folder) : [];
  for (const name of names.slice(-FILES)) {
    try {
      for await (const line of linesOf(path.join(folder, name), yieldToEventLoop)) {
        // Most lines are about something else, and to parse them all takes long.
        if (line.includes('"kind":"effect"') && line.includes(JSON.stringify(call)))
          effects.push(...effectOf(line, call));
      }
    } catch {
      // one that cannot be read tells nothing
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
    return []; // a torn line
  }
}

/** Yields to other work of the event loop. */
function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
