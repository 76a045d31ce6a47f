/** The REPL's transcript as data: a list of limited length, with the entries in the order in which they began. */
import type { EvaluationReport, SourcePlace } from '#contract/image/evaluation.ts';
import type { Actor, Session } from '#contract/image/session.ts';

export interface Entry {
  evaluation: string;
  /** The agent that evaluated the code, and its tool; null for the person's own evaluations. */
  agent: { actor: Actor; tool: string } | null;
  origin: 'repl' | 'editor' | 'agent';
  code: string;
  package: string;
  at: number;
  place: SourcePlace | null;
  /** The report of the evaluation; null while it is running. */
  report: EvaluationReport | null;
  /** True if the code was compiled and loaded, so that there are no values. */
  compiles?: boolean;
  /** True if the code to compile could not be read completely and was therefore not loaded. */
  isUnread?: boolean;
  /** True if the person cleared the output of this entry. */
  isOutputCleared?: boolean;
  /** The response to a window command, for an entry that evaluates nothing. */
  note?: string;
}

/** Returns a short name for an entry, used in the inspector's path and in tab titles. */
export function entryName({ code }: Pick<Entry, 'code'>): string {
  const line = code.trim().replaceAll(/\s+/g, ' ');
  return line.length > 40 ? `${line.slice(0, 39)}…` : line;
}

export type Beginning = Omit<Entry, 'report' | 'agent'>;

/** The maximum number of stored entries; the oldest ones are dropped. */
const ENTRY_LIMIT = 500;
/** The maximum number of characters of code that an entry shows; the rest is only counted. */
export const CODE_LIMIT = 8000;

export function beginEntry(entries: readonly Entry[], beginning: Beginning, limit = ENTRY_LIMIT): Entry[] {
  return bounded([...entries, { ...beginning, agent: null, report: null }], limit);
}

/** Adds the response to a window command, together with its typed text. */
export function addNote(
  entries: readonly Entry[],
  beginning: Omit<Beginning, 'origin' | 'place'>,
  note: string,
  limit = ENTRY_LIMIT,
): Entry[] {
  return bounded([...entries, { ...beginning, origin: 'repl', place: null, agent: null, report: null, note }], limit);
}

export function finishEntry(
  entries: readonly Entry[],
  evaluation: string,
  report: EvaluationReport,
  isUnread = false,
): Entry[] {
  return entries.map((entry) =>
    entry.evaluation === evaluation && entry.report === null
      ? { ...entry, report, ...(isUnread ? { isUnread } : {}) }
      : entry,
  );
}

/** Returns the comment that an entry shows if it has no values. */
export function withoutValues({ compiles = false, isUnread = false }: Pick<Entry, 'compiles' | 'isUnread'>): string {
  if (isUnread) return '; Not loaded: the text could not be read to its end';
  return compiles ? '; Compiled' : '; No values';
}

/**
 * Adds an agent's entry, which is reported only after its evaluation has ended, possibly late on a busy machine. Entries that the person
 * has started in the meantime stay below the agent's entry, at the visible end.
 */
export function addAgentEntry(
  entries: readonly Entry[],
  { actor, tool, code, at, report }: { actor: Actor; tool: string; code: string; at: number; report: EvaluationReport },
  limit = ENTRY_LIMIT,
): Entry[] {
  if (entries.some((entry) => entry.evaluation === report.evaluation)) return [...entries];
  const entry: Entry = {
    evaluation: report.evaluation,
    agent: { actor, tool },
    origin: 'agent',
    code,
    package: report.package,
    at,
    place: null,
    report,
  };
  const since = entries.findLastIndex((each) => each.agent !== null || each.at <= at) + 1;
  return bounded([...entries.slice(0, since), entry, ...entries.slice(since)], limit);
}

/** Returns the entries, followed by one entry for each running or waiting evaluation of an agent, except those in `elsewhere`. */
export function withAgentsAtWork(
  entries: readonly Entry[],
  session: Pick<Session, 'suspended' | 'running' | 'overtaken' | 'waiting' | 'package'>,
  elsewhere: readonly { evaluation: string }[],
): readonly Entry[] {
  const known = new Set([...entries, ...elsewhere].map(({ evaluation }) => evaluation));
  const atWork = [
    ...session.suspended,
    ...(session.overtaken ? [session.overtaken] : []),
    ...(session.running ? [session.running] : []),
    ...session.waiting.map((each) => ({ ...each, startedAt: 0 })),
  ].filter(({ actor, evaluation }) => actor.kind === 'client' && !known.has(evaluation));
  if (atWork.length === 0) return entries;
  return [
    ...entries,
    ...atWork.map((each): Entry => ({
      evaluation: each.evaluation,
      agent: { actor: each.actor, tool: '' },
      origin: 'agent',
      code: each.summary,
      package: session.package,
      at: each.startedAt,
      place: null,
      report: null,
    })),
  ];
}

/** Removes all entries except the running ones. */
export function clearEntries(entries: readonly Entry[]): Entry[] {
  return entries.filter(isRunning);
}

/** Returns the person's last ended entry that shows output; undefined if there is none. */
export function lastWithOutput(entries: readonly Entry[]): Entry | undefined {
  return entries.findLast(
    ({ agent, note, report, isOutputCleared }) =>
      agent === null && note === undefined && report !== null && !isOutputCleared,
  );
}

/** Removes the output of the person's last entry from the transcript; its values stay. */
export function clearLastOutput(entries: readonly Entry[]): Entry[] {
  const last = lastWithOutput(entries);
  return entries.map((entry) => (entry === last ? { ...entry, isOutputCleared: true } : entry));
}

function isRunning({ report, note }: Entry): boolean {
  return report === null && note === undefined;
}

/** Drops the oldest finished entries if there are more than `limit`. A running entry stays, because its result is still to be shown. */
function bounded(entries: Entry[], limit: number): Entry[] {
  let over = entries.length - limit;
  if (over <= 0) return entries;
  return entries.filter((entry) => over <= 0 || isRunning(entry) || (over -= 1) < 0);
}
