/** The time since a working agent last sent data. Pure, except for the stored times. */
import type { AgentItem, HostedAgent } from '#contract/clients/hosted-agent.ts';

/**
 * The number of milliseconds after which the panel reports an agent's silence. A silent agent may spend minutes retrying a failing model
 * service.
 */
const SILENT_MS = 20_000;

/**
 * The time at which each agent last sent data, in milliseconds of Unix time. The times are not in a store, because they change with each
 * word that arrives.
 */
const heard = new Map<string, number>();

export function hear(agent: string, at = Date.now()): void {
  heard.set(agent, at);
}

export function forgetHeard(agent: string): void {
  heard.delete(agent);
}

/**
 * Returns how many milliseconds the agent has been silent, or null if that is at most `SILENT_MS`. Also returns null while the agent is not
 * working, is waiting for the person, or has a running call.
 */
export function silenceOf(
  { id, state, turnStartedAt, asks }: Pick<HostedAgent, 'id' | 'state' | 'turnStartedAt' | 'asks'>,
  last: AgentItem | undefined,
  now: number,
): number | null {
  if (state !== 'working' || turnStartedAt === null || asks) return null;
  if (last?.kind === 'call' && (last.status === 'pending' || last.status === 'running')) return null;
  const silent = now - Math.max(turnStartedAt, heard.get(id) ?? 0);
  return silent > SILENT_MS ? silent : null;
}
