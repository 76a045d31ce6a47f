/** Texts about servers: their purpose, their state, and how a program connects to them. Pure. */
import type { ServerKind, ServerRecord } from '#contract/clients/server.ts';
import { SERVER_TITLES } from '#contract/clients/server-list.ts';
import { plural } from '#contract/text/text.ts';
import { ago } from '../../ui/time.ts';

/** The purpose of each server, in one sentence. */
export const PURPOSES: Readonly<Record<ServerKind, string>> = {
  http: 'MCP and Lisply for AI clients, each with a token.',
  https: 'The same as HTTP, encrypted.',
  swank: 'Emacs with SLIME. Its evaluations count as yours and run without the guard.',
  telnet: 'A line-based REPL for anyone who knows its secret.',
};

/** Parses a port, 0 to 65535; returns null if the text is not a port. */
export function portOf(text: string): number | null {
  const port = /^\s*\d{1,5}\s*$/.test(text) ? Number(text) : NaN;
  return port <= 65_535 ? port : null;
}

/** Returns the state of a server, without its address: `on, started 2 min ago · 1 connection`. */
export function stateWords({ state, since, connections }: ServerRecord, now: number): string {
  if (state === 'starting') return 'starts';
  if (state === 'failed') return 'failed';
  if (state === 'off' || since === null) return 'off';
  const counted = connections === null ? [] : [plural(connections, 'connection')];
  return [`on, started ${ago(since, now)}`, ...counted].join(' · ');
}

/** Returns the number of refused connections and the reason for the last refusal as text. */
export function refusedWords({ count, why, at }: NonNullable<ServerRecord['refused']>, now: number): string {
  const counted =
    count === 1 ? 'One connection was rejected' : `${count.toLocaleString('en')} connections were rejected, the last`;
  return `${counted} ${ago(at, now)}: ${why}`;
}

/** Returns the kind of certificate and its expiry date as text. */
export function certificateWords({ until, selfSigned }: NonNullable<ServerRecord['certificate']>): string {
  const end = new Date(until).toISOString().slice(0, 10);
  return selfSigned
    ? `Its certificate is the workbench’s own, for localhost, 127.0.0.1 and ::1, and is renewed before it expires on ${end}. To trust it, give clients its file, or compare its SHA-256 fingerprint:`
    : `It uses the given certificate, which expires on ${end}. Its SHA-256 fingerprint:`;
}

/**
 * Returns the running servers for which the window shows a banner. These are all servers except HTTP, because they admit any program that
 * knows one secret (decision 23).
 */
export function openServers(servers: readonly ServerRecord[]): ServerRecord[] {
  return servers.filter(({ kind, state }) => state === 'on' && kind !== 'http');
}

/** Returns the text of the banner about a running server. */
export function bannerWords({ kind, address, connections }: ServerRecord): string {
  const connected = connections === null || connections === 0 ? '' : `, ${plural(connections, 'connection')} open`;
  return `${SERVER_TITLES[kind]} listens on ${address}${connected}.`;
}

/** Returns the label of the status bar: MCP with its address, and the other servers that are on or have failed. */
export function statusLabel(servers: readonly ServerRecord[]): string {
  return servers
    .filter(({ kind, state }) => kind === 'http' || state !== 'off')
    .map((server) => (server.kind === 'http' ? mcpLabel(server) : otherLabel(server)))
    .join(' · ');
}

function mcpLabel({ state, address }: ServerRecord): string {
  if (state === 'starting') return 'MCP is starting';
  if (state === 'failed') return 'MCP failed to start';
  return address === null ? 'MCP is off' : `MCP ${hostOf(address)}`;
}

function otherLabel({ kind, state, port }: ServerRecord): string {
  if (state === 'starting') return `${SERVER_TITLES[kind]} starts`;
  return state === 'failed' ? `${SERVER_TITLES[kind]} failed` : `${SERVER_TITLES[kind]} ${port}`;
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}
