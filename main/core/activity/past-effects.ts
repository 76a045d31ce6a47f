/** What a call of an earlier run did outside the image before that run ended, from its audit. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { auditNames, linesOf } from './audit-files.ts';

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
      for await (const line of linesOf(path.join(folder, name), breath)) {
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

/** Others have their turn. */
function breath(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
