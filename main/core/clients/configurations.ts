/** The configuration of each client: the shape that it reads, with the token where it keeps secrets, never on a command line. */
import type { ClientKind, Configuration, ConnectionWay } from '#contract/connection.ts';
import { jsonText } from './json-text.ts';
import { tomlText } from './toml-text.ts';
import { yamlText } from './yaml-text.ts';
import { configurationFile, type UserPlaces } from './configuration-places.ts';

export interface ConnectionFacts {
  readonly name: string;
  readonly token: string;
  /** URL of the MCP endpoint; null while the server is down. */
  readonly url: string | null;
  /** The stdio command: program and arguments. */
  readonly command: readonly string[];
  /** Variables that the command needs besides the token. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The name of the server in every configuration. */
const SERVER = 'lisp-workbench';
const TOKEN_VARIABLE = 'LISP_WORKBENCH_TOKEN';
const SECRET = 'It holds the token: keep the file to yourself.';

/** A member of a client's file: under `group`, by the name of the server. */
export interface ConfigurationEntry {
  readonly syntax: 'json' | 'toml' | 'yaml';
  readonly path: readonly [group: string, name: string];
  readonly entry: object;
  /** What the file does not say, and the person has to do. */
  readonly note: string | null;
}

/** What is copied or written for a client, stdio first. */
export function configurationsFor(kind: ClientKind, facts: ConnectionFacts, places: UserPlaces): Configuration[] {
  if (kind === 'lisply') return facts.url === null ? [] : [lisply(facts.url, facts.token)];
  const file = configurationFile(kind, places);
  const ways = (['stdio', 'http'] as const).flatMap((way) => configurationOf(kind, way, facts, file) ?? []);
  return kind === 'claude-code' ? [...ways, withoutToken(facts)] : ways;
}

/** The member that a client's file gets; null where it cannot connect that way. */
export function configurationEntry(
  kind: ClientKind,
  way: ConnectionWay,
  facts: ConnectionFacts,
): ConfigurationEntry | null {
  const { url } = facts;
  const headers = { Authorization: `Bearer ${facts.token}` };
  if (kind === 'codex') return codex(way, facts);
  if (kind === 'goose') return goose(way, facts, headers);
  const shapes = JSON_SHAPES[kind];
  if (!shapes) return null;
  const of = { syntax: 'json', path: [shapes.group, SERVER], note: null } as const;
  if (way === 'stdio') return { ...of, entry: { ...shapes.stdio, ...stdioOf(facts) } };
  return shapes.http && url !== null ? { ...of, entry: shapes.http(url, headers) } : null;
}

interface JsonShapes {
  readonly group: string;
  /** What stands before command, args and env. */
  readonly stdio: object;
  readonly http: ((url: string, headers: Record<string, string>) => object) | null;
}

const SERVERS = { group: 'mcpServers', stdio: {} };

const JSON_SHAPES: Partial<Record<ClientKind, JsonShapes>> = {
  'claude-code': { ...SERVERS, stdio: { type: 'stdio' }, http: (url, headers) => ({ type: 'http', url, headers }) },
  // It refuses addresses of this machine.
  'claude-desktop': { ...SERVERS, http: null },
  cursor: { ...SERVERS, http: (url, headers) => ({ url, headers }) },
  vscode: { group: 'servers', stdio: { type: 'stdio' }, http: (url, headers) => ({ type: 'http', url, headers }) },
  zed: { group: 'context_servers', stdio: {}, http: (url, headers) => ({ url, headers }) },
  // `url` would mean the older SSE transport to it; its timeout is in milliseconds.
  'gemini-cli': { ...SERVERS, http: (httpUrl, headers) => ({ httpUrl, headers, timeout: 600_000 }) },
  windsurf: { ...SERVERS, http: (serverUrl, headers) => ({ serverUrl, headers }) },
  // Its timeout is in seconds.
  cline: { ...SERVERS, http: (url, headers) => ({ type: 'streamableHttp', url, headers, timeout: 60 }) },
  other: { ...SERVERS, stdio: { type: 'stdio' }, http: (url, headers) => ({ type: 'http', url, headers }) },
};

function configurationOf(
  kind: ClientKind,
  way: ConnectionWay,
  facts: ConnectionFacts,
  file: string | null,
): Configuration | null {
  const found = configurationEntry(kind, way, facts);
  if (!found) return null;
  const text = textOf(found);
  const note = found.note ?? (kind === 'claude-code' ? `${SECRET} Leave it out of version control.` : SECRET);
  if (file !== null) return { way, title: 'Put into', text, file, writable: true, note };
  const title = kind === 'claude-code' ? 'Put into .mcp.json of the project' : 'Put into its configuration';
  return { way, title, text, file: null, writable: false, note };
}

/** As it is copied. */
function textOf({ syntax, path, entry }: ConfigurationEntry): string {
  if (syntax === 'toml') return tomlText(path, entry);
  return syntax === 'yaml' ? yamlText(path, entry) : jsonText({ [path[0]]: { [path[1]]: entry } });
}

function codex(way: ConnectionWay, facts: ConnectionFacts): ConfigurationEntry | null {
  const of = { syntax: 'toml', path: ['mcp_servers', SERVER] } as const;
  const { env, ...program } = stdioOf(facts);
  if (way === 'stdio') return { ...of, entry: { ...program, tool_timeout_sec: 120, env }, note: null };
  if (facts.url === null) return null;
  const entry = { url: facts.url, bearer_token_env_var: TOKEN_VARIABLE, tool_timeout_sec: 120 };
  const note = `Codex takes the token from its environment: set ${TOKEN_VARIABLE} to ${facts.token} where you start it.`;
  return { ...of, entry, note };
}

function goose(way: ConnectionWay, facts: ConnectionFacts, headers: object): ConfigurationEntry | null {
  const of = { syntax: 'yaml', path: ['extensions', SERVER], note: null } as const;
  const head = { name: SERVER, enabled: true, timeout: 300 };
  const { command: cmd, args, env: envs } = stdioOf(facts);
  if (way === 'stdio') return { ...of, entry: { ...head, type: 'stdio', cmd, args, envs } };
  return facts.url === null ? null : { ...of, entry: { ...head, type: 'streamable_http', uri: facts.url, headers } };
}

/** A command line can be seen by every program of the person, so this one bears no token. */
function withoutToken({ name, command }: ConnectionFacts): Configuration {
  const words = [...command, '--client', name].map(shellWord).join(' ');
  return {
    way: 'stdio',
    title: 'Or run once in a terminal',
    text: `claude mcp add ${SERVER} -- ${words}`,
    file: null,
    writable: false,
    note: 'A command line is no place for a token, so the window asks you each time the client starts.',
  };
}

function lisply(url: string, token: string): Configuration {
  const { href, host, pathname } = new URL('/lisply/lisp-eval', url);
  const lines = [
    `POST ${pathname} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    '',
    '{"code": "(+ 1 2 3)"}',
  ];
  const note = `Its address is ${href}; ping-lisp and tools/list lie beside it.`;
  return { way: 'http', title: 'A request', text: lines.join('\n'), file: null, writable: false, note };
}

/** How the command is started: the same for a client and for the test of the connection. */
export function stdioOf({ name, token, command, environment }: ConnectionFacts): {
  command: string;
  args: string[];
  env: Record<string, string>;
} {
  const [program, ...args] = [...command, '--client', name];
  return { command: program, args, env: { ...environment, [TOKEN_VARIABLE]: token } };
}

function shellWord(word: string): string {
  return /^[A-Za-z0-9_./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
