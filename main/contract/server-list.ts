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
