/** What the REPL shows, as data: entries in the order in which they began, bounded. */
import type { EvaluationReport, SourcePlace } from '#contract/evaluation.ts';
import type { Actor, Session } from '#contract/session.ts';

export interface Entry {
  evaluation: string;
  /** Null: the person's own. */
  agent: { actor: Actor; tool: string } | null;
  origin: 'repl' | 'editor' | 'agent';
  code: string;
  package: string;
  at: number;
  place: SourcePlace | null;
  /** Null while it runs. */
  report: EvaluationReport | null;
}

export type Beginning = Omit<Entry, 'report' | 'agent'>;

/** Entries kept; older ones leave. */
const ENTRY_LIMIT = 500;
/** Characters of code that an entry shows; the rest is counted. */
export const CODE_LIMIT = 8000;

export function beginEntry(entries: readonly Entry[], beginning: Beginning, limit = ENTRY_LIMIT): Entry[] {
  return bounded([...entries, { ...beginning, agent: null, report: null }], limit);
}

export function finishEntry(entries: readonly Entry[], evaluation: string, report: EvaluationReport): Entry[] {
  return entries.map((entry) =>
    entry.evaluation === evaluation && entry.report === null ? { ...entry, report } : entry,
  );
}

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
  return bounded([...entries, entry], limit);
}

/** The entries, and after them what agents run now or have waiting, but for `elsewhere`: an entry of its own each, until it has ended. */
export function withAgentsAtWork(
  entries: readonly Entry[],
  { parked, running, waiting, package: current }: Pick<Session, 'parked' | 'running' | 'waiting' | 'package'>,
  elsewhere: readonly { evaluation: string }[],
): readonly Entry[] {
  const known = new Set([...entries, ...elsewhere].map(({ evaluation }) => evaluation));
  const atWork = [
    ...parked,
    ...(running ? [running] : []),
    ...waiting.map((each) => ({ ...each, startedAt: 0 })),
  ].filter(({ actor, evaluation }) => actor.kind === 'client' && !known.has(evaluation));
  if (atWork.length === 0) return entries;
  return [
    ...entries,
    ...atWork.map((each): Entry => ({
      evaluation: each.evaluation,
      agent: { actor: each.actor, tool: '' },
      origin: 'agent',
      code: each.summary,
      package: current,
      at: each.startedAt,
      place: null,
      report: null,
    })),
  ];
}

/** Empties the transcript but for what still runs. */
export function clearEntries(entries: readonly Entry[]): Entry[] {
  return entries.filter((entry) => entry.report === null);
}

/** The oldest finished entries leave first; a running one stays, since its end is still to be shown. */
function bounded(entries: Entry[], limit: number): Entry[] {
  let over = entries.length - limit;
  if (over <= 0) return entries;
  return entries.filter((entry) => over <= 0 || entry.report === null || (over -= 1) < 0);
}
