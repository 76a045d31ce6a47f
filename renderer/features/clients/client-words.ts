/** The order of clients, and the panel's texts for clients, granted rules and tools. Pure. */
import { counted } from '#contract/text/text.ts';
import type { GrantedRuleRecord } from '#contract/decisions/approval.ts';
import type { ClientMode, ClientRecord } from '#contract/clients/client.ts';
import type { ToolMetricsRecord } from '#contract/clients/tool.ts';
import { ago } from '../../ui/time.ts';

/** The modes, with a sentence that explains each. */
export const MODES: Readonly<Record<ClientMode, { title: string; sentence: string }>> = {
  observe: { title: 'Observe', sentence: 'It can look up and read, but cannot change anything.' },
  propose: { title: 'Propose', sentence: 'Changes of the image also need your approval.' },
  collaborate: {
    title: 'Collaborate',
    sentence: 'It evaluates immediately. Effects outside the image need your approval.',
  },
};

/** Describes the state of a client, such as "connected", "2 connections" or "seen 4 min ago". */
export function stateOf({ connections, lastSeenAt }: ClientRecord, now = Date.now()): string {
  if (connections > 0) return connections === 1 ? 'connected' : `${connections} connections`;
  return lastSeenAt === null ? 'never connected' : `seen ${ago(lastSeenAt, now)}`;
}

/** Describes the number of a client's calls, such as "12 calls, 1 failed"; null before the first call. */
export function countsOf({ calls, failures }: ClientRecord): string | null {
  if (calls === 0) return null;
  const failed = failures === 0 ? '' : `, ${failures.toLocaleString('en')} failed`;
  return `${counted(calls, 'call')}${failed}`;
}

/** Returns the reason for a pause as text for the person, because the stored reason is worded for the client. */
export function pausedWords(reason: string): string {
  const refused = /^The person (refused [^,]+)/.exec(reason)?.[1];
  if (refused) return `Paused, because you ${refused}.`;
  return reason.startsWith('The person has paused') ? 'Paused by you.' : `Paused. ${reason}`;
}

/** Returns the grants that are still valid at `now` (milliseconds of Unix time). */
export function inForce(granted: readonly GrantedRuleRecord[], now: number): GrantedRuleRecord[] {
  return granted.filter(({ endsAt }) => endsAt > now);
}

/** Describes when a rule ends, such as "ends with its evaluation" or "ends in 9 min unless it is used". */
export function endOf({ endsAt, evaluation }: GrantedRuleRecord, now: number): string {
  const minutes = Math.max(1, Math.ceil((endsAt - now) / 60_000));
  return evaluation === null ? `ends in ${minutes} min unless it is used` : 'ends with its evaluation';
}

export type MetricsColumn = 'tool' | 'calls' | 'failures' | 'time' | 'size';

export interface MetricsRow {
  tool: string;
  calls: number;
  failures: number;
  /** The mean time of the tool's calls, in milliseconds. */
  time: number;
  /** The mean size of the tool's answers, in bytes. */
  size: number;
}

/** Returns the rows sorted by a column: names ascending and numbers descending, or the opposite with `reversed`. */
export function metricsRows(metrics: readonly ToolMetricsRecord[], by: MetricsColumn, reversed: boolean): MetricsRow[] {
  const rows = metrics.map(({ tool, calls, failures, totalMs, totalBytes }) => ({
    tool,
    calls,
    failures,
    time: calls === 0 ? 0 : totalMs / calls,
    size: calls === 0 ? 0 : totalBytes / calls,
  }));
  const order = (left: MetricsRow, right: MetricsRow): number =>
    (by === 'tool' ? 0 : right[by] - left[by]) || left.tool.localeCompare(right.tool, 'en');
  rows.sort(order);
  return reversed ? rows.toReversed() : rows;
}
