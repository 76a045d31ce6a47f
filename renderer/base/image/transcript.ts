/** The REPL's transcript as data: entries in the order in which they began, bounded. */
import type { EvaluationReport, SourcePlace } from '#contract/image/evaluation.ts';
import type { Actor, Session } from '#contract/image/session.ts';

export interface Entry {
  evaluation: string;
  /** The agent that evaluated, and its tool; null for the person's own. */
  agent: { actor: Actor; tool: string } | null;
  origin: 'repl' | 'editor' | 'agent';
  code: string;
  package: string;
  at: number;
  place: SourcePlace | null;
  /** The report of the evaluation; null while it runs. */
  report: EvaluationReport | null;
  /** True where code was compiled and loaded, which has no values. */
  compiles?: boolean;
  /** True where that code could not be read to its end, and was not loaded. */
  isUnread?: boolean;
  /** True where what was printed is not shown any more, as the person wanted it. */
  isOutputCleared?: boolean;
  /** The answer of a command of the window; such an entry evaluates nothing. */
  note?: string;
}

/** An entry in a word or two, as the path of the inspector and the title of a tab name it. */
export function entryName({ code }: Pick<Entry, 'code'>): string {
  const line = code.trim().replaceAll(/\s+/g, ' ');
  return line.length > 40 ? `${line.slice(0, 39)}…` : line;
}

export type Beginning = Omit<Entry, 'report' | 'agent'>;

/** The most entries that are kept; older ones are dropped. */
const ENTRY_LIMIT = 500;
/** The most characters of code that an entry shows; the rest is counted. */
export const CODE_LIMIT = 8000;

export function beginEntry(entries: readonly Entry[], beginning: Beginning, limit = ENTRY_LIMIT): Entry[] {
  return bounded([...entries, { ...beginning, agent: null, report: null }], limit);
}

/** Adds what a command of the window answered to what was typed. */
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

/** The comment that stands in place of values where an entry has none. */
export function withoutValues({ compiles = false, isUnread = false }: Pick<Entry, 'compiles' | 'isUnread'>): string {
  if (isUnread) return '; Not loaded: could not be read to its end';
  return compiles ? '; Compiled' : '; No values';
}

/**
 * Adds an agent's entry, told once it was answered. On a busy machine that comes late: entries that the person has
 * begun since stay below it, at the visible end.
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

/**
 * The entries, and after them what agents run now or have waiting, but for `elsewhere`: an entry of its own each, until it
 * has ended.
 */
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

/** Empties the transcript but for what still runs. */
export function clearEntries(entries: readonly Entry[]): Entry[] {
  return entries.filter(isRunning);
}

/** The last entry of the person that has ended and shows what it printed; undefined where there is none. */
export function lastWithOutput(entries: readonly Entry[]): Entry | undefined {
  return entries.findLast(
    ({ agent, note, report, isOutputCleared }) =>
      agent === null && note === undefined && report !== null && !isOutputCleared,
  );
}

/** Takes what the last entry of the person printed out of the transcript; its values stay. */
export function clearLastOutput(entries: readonly Entry[]): Entry[] {
  const last = lastWithOutput(entries);
  return entries.map((entry) => (entry === last ? { ...entry, isOutputCleared: true } : entry));
}

function isRunning({ report, note }: Entry): boolean {
  return report === null && note === undefined;
}

/** The oldest finished entries leave first; a running one stays, since its end is still to be shown. */
function bounded(entries: Entry[], limit: number): Entry[] {
  let over = entries.length - limit;
  if (over <= 0) return entries;
  return entries.filter((entry) => over <= 0 || isRunning(entry) || (over -= 1) < 0);
}
