/** Servers in a list, and their titles as all surfaces have them; without schemas, so that pages can use it. */
import type { ServerKind, ServerRecord } from './server.ts';

export const SERVER_TITLES = {
  http: 'HTTP',
  https: 'HTTPS',
  swank: 'SWANK',
  telnet: 'Telnet',
} as const satisfies Record<ServerKind, string>;

/** The kinds in the order in which they are listed. */
export const SERVER_KINDS = Object.keys(SERVER_TITLES) as readonly ServerKind[];

/** The server of this kind in a list; null where the program has none. */
export function serverOf(servers: readonly ServerRecord[], kind: ServerKind): ServerRecord | null {
  return servers.find((server) => server.kind === kind) ?? null;
}

/** The requests that these servers together turned away, with the reason of the latest; null for none. */
export function refusedOf(servers: readonly ServerRecord[]): ServerRecord['refused'] {
  const all = servers.flatMap(({ refused }) => refused ?? []).toSorted((one, other) => other.at - one.at);
  const [latest] = all;
  return latest ? { ...latest, count: all.reduce((sum, { count }) => sum + count, 0) } : null;
}
