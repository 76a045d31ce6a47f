/** Lists of servers, and the servers' titles on every surface. Contains no schemas, so that pages can import this file. */
import type { ServerKind, ServerRecord } from './server.ts';

export const SERVER_TITLES = {
  http: 'HTTP',
  https: 'HTTPS',
  swank: 'SWANK',
  telnet: 'Telnet',
} as const satisfies Record<ServerKind, string>;

/** The server kinds in display order. */
export const SERVER_KINDS = Object.keys(SERVER_TITLES) as readonly ServerKind[];

/** Returns the server of this kind; null if the list has none. */
export function serverOf(servers: readonly ServerRecord[], kind: ServerKind): ServerRecord | null {
  return servers.find((server) => server.kind === kind) ?? null;
}

/** Returns the number of requests that these servers rejected, with the reason and time of the latest; null if there are none. */
export function refusedOf(servers: readonly ServerRecord[]): ServerRecord['refused'] {
  const all = servers.flatMap(({ refused }) => refused ?? []).toSorted((one, other) => other.at - one.at);
  const [latest] = all;
  return latest ? { ...latest, count: all.reduce((sum, { count }) => sum + count, 0) } : null;
}
