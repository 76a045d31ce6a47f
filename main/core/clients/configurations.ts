/** The configuration of each client: the shape that it reads, with the token where it keeps secrets, never on a command line. */
import type { ClientKind, Configuration, ConnectionWay } from '#contract/connection.ts';
import { jsonText } from './json-text.ts';
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

/** A member of a JSON file: under `group`, by the name of the server. */
export interface JsonEntry {
  readonly group: string;
  readonly entry: object;
}

/** What is copied or written for a client, stdio first. */
export function configurationsFor(kind: ClientKind, facts: ConnectionFacts, places: UserPlaces): Configuration[] {
  if (kind === 'lisply') return facts.url === null ? [] : [lisply(facts.url, facts.token)];
  const file = configurationFile(kind, places);
  const ways = (['stdio', 'http'] as const).flatMap((way) => configurationOf(kind, way, facts, file) ?? []);
  return kind === 'claude-code' ? [...ways, withoutToken(facts)] : ways;
}

/** The member that a client's JSON file gets; null where its file is of another kind, or it cannot connect that way. */
export function jsonEntry(kind: ClientKind, way: ConnectionWay, facts: ConnectionFacts): JsonEntry | null {
  const shapes = JSON_SHAPES[kind];
  if (!shapes) return null;
  if (way === 'stdio') return { group: shapes.group, entry: { ...shapes.stdio, ...stdioOf(facts) } };
  if (!shapes.http || facts.url === null) return null;
  return { group: shapes.group, entry: shapes.http(facts.url, { Authorization: `Bearer ${facts.token}` }) };
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
  if (kind === 'codex') return codex(way, facts, file);
  if (kind === 'goose') return goose(way, facts, file);
  const json = jsonEntry(kind, way, facts);
  if (!json) return null;
  const text = jsonText({ [json.group]: { [SERVER]: json.entry } });
  const note = kind === 'claude-code' ? `${SECRET} Leave it out of version control.` : SECRET;
  if (file !== null) return { way, title: 'Put into', text, file, writable: true, note };
  const title = kind === 'claude-code' ? 'Put into .mcp.json of the project' : 'Put into its configuration';
  return { way, title, text, file: null, writable: false, note };
}

function codex(way: ConnectionWay, facts: ConnectionFacts, file: string | null): Configuration | null {
  const table = `[mcp_servers.${SERVER}]`;
  // A basic string of TOML has the escapes of JSON.
  const { command, args, env } = stdioOf(facts);
  const stdio = [
    table,
    `command = ${JSON.stringify(command)}`,
    `args = [${args.map((arg) => JSON.stringify(arg)).join(', ')}]`,
    'tool_timeout_sec = 120',
    '',
    `[mcp_servers.${SERVER}.env]`,
    ...Object.entries(env).map(([name, value]) => `${name} = ${JSON.stringify(value)}`),
  ];
  const of = { way, title: 'Put at the end of', file, writable: false };
  if (way === 'stdio') return { ...of, text: stdio.join('\n'), note: SECRET };
  if (facts.url === null) return null;
  const http = [
    table,
    `url = ${JSON.stringify(facts.url)}`,
    `bearer_token_env_var = ${JSON.stringify(TOKEN_VARIABLE)}`,
    'tool_timeout_sec = 120',
  ];
  const note = `Codex takes the token from its environment: set ${TOKEN_VARIABLE} to the token where you start it.`;
  return { ...of, text: http.join('\n'), note };
}

function goose(way: ConnectionWay, facts: ConnectionFacts, file: string | null): Configuration | null {
  // Scalars of JSON are scalars of YAML.
  const quoted = (value: string): string => JSON.stringify(value);
  const { command, args, env } = stdioOf(facts);
  const head = ['extensions:', `  ${SERVER}:`, `    name: ${SERVER}`, '    enabled: true', '    timeout: 300'];
  const of = { way, title: 'Put under extensions of', file, writable: false, note: SECRET };
  if (way === 'stdio') {
    const lines = [
      '    type: stdio',
      `    cmd: ${quoted(command)}`,
      `    args: [${args.map(quoted).join(', ')}]`,
      '    envs:',
      ...Object.entries(env).map(([name, value]) => `      ${name}: ${quoted(value)}`),
    ];
    return { ...of, text: [...head, ...lines].join('\n') };
  }
  if (facts.url === null) return null;
  const lines = [
    '    type: streamable_http',
    `    uri: ${quoted(facts.url)}`,
    '    headers:',
    `      Authorization: ${quoted(`Bearer ${facts.token}`)}`,
  ];
  return { ...of, text: [...head, ...lines].join('\n') };
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
