/** How long an agent that works has told nothing. Pure, but for the times at which something was heard. */
import type { AgentItem, HostedAgent } from '#contract/clients/hosted-agent.ts';

/** Milliseconds without a word after which the panel says so: a service of models that fails is tried again for minutes, in silence. */
const SILENT_MS = 20_000;

/** Milliseconds since the epoch at which each agent told something last. Not a part of any store: it changes with each word. */
const heard = new Map<string, number>();

export function hear(agent: string, at = Date.now()): void {
  heard.set(agent, at);
}

export function forgetHeard(agent: string): void {
  heard.delete(agent);
}

/**
 * Milliseconds for which the agent has told nothing, where that is long; null while it does not work, waits for the person, or has a call that
 * goes on.
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
