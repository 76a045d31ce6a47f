/**
 * The activity events that the page stores. The log's size is limited, it contains each event once, and gaps show where events are missing.
 */
import type { ActivityEvent } from '#contract/decisions/activity.ts';

export interface ActivityLog {
  /** Oldest first. */
  readonly events: readonly ActivityEvent[];
  /** True if older events can be requested. */
  readonly hasOlder: boolean;
  /** The gaps, oldest first: ranges of events that the page missed because it was too slow, and that it can still request. */
  readonly gaps: readonly ActivityGap[];
  /** The number of missed events that only the audit on disk still has. */
  readonly unheld: number;
  /** The number of times that events were inserted between others. */
  readonly filled: number;
}

/** A range of missing events: those after number `after` and before number `before`. */
export interface ActivityGap {
  readonly after: number;
  readonly before: number;
}

const ACTIVITY_LIMIT = 120_000;

/** Returns the log with newer events added. Events that the log already contains are skipped; missing ones become a gap. */
export function addActivity(log: ActivityLog, added: readonly ActivityEvent[], limit = ACTIVITY_LIMIT): ActivityLog {
  const newest = log.events[log.events.length - 1]?.seq ?? 0;
  const fresh = added.filter((event) => event.seq > newest);
  if (fresh.length === 0) return log;
  const gap = { after: newest, before: fresh[0]!.seq };
  if (newest === 0) return { ...log, events: fresh.slice(-limit), hasOlder: gap.before > 1 || fresh.length > limit };
  const gaps = gap.before > gap.after + 1 ? [...log.gaps, gap] : log.gaps;
  const events = [...log.events, ...fresh];
  if (events.length <= limit) return { ...log, events, gaps };
  const kept = events.slice(-limit);
  return { ...log, events: kept, gaps: gaps.filter(({ after }) => after >= kept[0]!.seq), hasOlder: true };
}

/** Returns the log with older events added before its own. `asked` is the number of requested events. */
export function addOlderActivity(log: ActivityLog, older: readonly ActivityEvent[], asked: number): ActivityLog {
  const oldest = log.events[0]?.seq ?? Number.POSITIVE_INFINITY;
  const fresh = older.filter((event) => event.seq < oldest);
  return {
    ...log,
    events: [...fresh, ...log.events],
    hasOlder: fresh.length > 0 && older.length >= asked && (fresh[0]?.seq ?? 1) > 1,
  };
}

/**
 * Returns the log with the newest events of a gap filled in. `asked` is the number of requested events. If fewer were found, the remaining
 * ones are lost; otherwise a smaller gap remains.
 */
export function fillGap(
  log: ActivityLog,
  gap: ActivityGap,
  found: readonly ActivityEvent[],
  asked: number,
): ActivityLog {
  if (!log.gaps.includes(gap)) return log;
  const fresh = found.filter(({ seq }) => seq > gap.after && seq < gap.before);
  const before = fresh[0]?.seq ?? gap.before;
  const missing = before - gap.after - 1;
  const more = missing > 0 && found.length >= asked;
  const at = log.events.findIndex(({ seq }) => seq >= gap.before);
  return {
    ...log,
    events: log.events.toSpliced(at, 0, ...fresh),
    gaps: log.gaps.flatMap((each) => (each !== gap ? [each] : more ? [{ after: gap.after, before }] : [])),
    unheld: log.unheld + (more ? 0 : missing),
    filled: log.filled + 1,
  };
}

/** Returns the number of missing events that can be requested. */
export function missingActivity({ gaps }: ActivityLog): number {
  return gaps.reduce((sum, { after, before }) => sum + before - after - 1, 0);
}
