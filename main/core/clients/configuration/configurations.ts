/**
 * Each client's configuration, in the client's own format. The token is only written to files in the person's home, never to a project's
 * file or a command line.
 */
import type { ClientKind, Configuration, ConnectionWay } from '#contract/clients/connection.ts';
import { jsonText } from './json-text.ts';
import { tomlText } from './toml-text.ts';
import { yamlItemText } from './yaml-list.ts';
import { yamlText } from './yaml-text.ts';
import { configurationFile, type UserPlaces } from './locations.ts';
import { shellWord } from './shell-word.ts';

export interface ConnectionFacts {
  readonly name: string;
  readonly token: string;
  /** The URL of the MCP endpoint; null while the server is off. */
  readonly url: string | null;
  /** The stdio command: program and arguments. */
  readonly command: readonly string[];
  /** The variables that the command needs in addition to the token. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The name of the server in every configuration. */
const SERVER = 'lisp-workbench';
const TOKEN_VARIABLE = 'LISP_WORKBENCH_TOKEN';
const NO_TOKEN = 'This file has no token, so the window asks you each time Claude Code starts.';
const SECRET = 'This file contains the token. Keep it private.';
/** The placeholder that Claude Code replaces with the value of an environment variable. */
const CLAUDE_TOKEN = `\${${TOKEN_VARIABLE}}`;
const PENDING =
  'Claude Code lists a server of a project as "Pending approval" until you have run claude there once and approved it.';

/** An entry in a client's file: it is in the section `group`, and its key is the name of the server. */
export interface ConfigurationEntry {
  readonly syntax: 'json' | 'toml' | 'yaml' | 'yaml-list';
  readonly path: readonly [group: string, name: string];
  readonly entry: object;
  /** True if the file must already exist, because a new file would hide settings that the program stores elsewhere. */
  readonly needsFile?: boolean;
  /** An instruction for the person that the file cannot contain; null if there is none. */
  readonly note: string | null;
}

/** Returns the configurations for a client, which are copied or written; stdio comes first. */
export function configurationsFor(kind: ClientKind, facts: ConnectionFacts, places: UserPlaces): Configuration[] {
  if (kind === 'lisply') return facts.url === null ? [] : [lisply(facts.url, facts.token)];
  const file = configurationFile(kind, places);
  const ways = (['stdio', 'http'] as const).flatMap((way) => configurationOf(kind, way, facts, file) ?? []);
  return kind === 'claude-code' ? [...ways, withoutToken(facts)] : ways;
}

/** Returns the entry for a client's file; null if the client cannot connect that way. */
export function configurationEntry(
  kind: ClientKind,
  way: ConnectionWay,
  facts: ConnectionFacts,
): ConfigurationEntry | null {
  const { url } = facts;
  const headers = { Authorization: `Bearer ${facts.token}` };
  if (kind === 'codex') return codex(way, facts);
  if (kind === 'goose') return goose(way, facts, headers);
  if (kind === 'claude-code') return claudeCode(way, facts);
  if (kind === 'opencode') return opencode(way, facts, headers);
  if (kind === 'continue') return continueEntry(way, facts, headers);
  const shapes = JSON_SHAPES[kind];
  if (!shapes) return null;
  const of = { syntax: 'json', path: [shapes.group, SERVER], note: null } as const;
  if (way === 'stdio') return { ...of, entry: { ...shapes.stdio, ...stdioOf(facts) } };
  return shapes.http && url !== null ? { ...of, entry: shapes.http(url, headers) } : null;
}

interface JsonShapes {
  readonly group: string;
  /** The fields before command, args and env. */
  readonly stdio: object;
  readonly http: ((url: string, headers: Record<string, string>) => object) | null;
}

const SERVERS = { group: 'mcpServers', stdio: {} };

/** The formats for Cline. Its timeout is in seconds and includes the time that the server takes to start. */
const CLINE: JsonShapes = {
  group: 'mcpServers',
  stdio: { type: 'stdio', timeout: 60 },
  http: (url, headers) => ({ type: 'streamableHttp', url, headers, timeout: 60 }),
};

const JSON_SHAPES: Partial<Record<ClientKind, JsonShapes>> = {
  // Claude Desktop refuses addresses of this machine.
  'claude-desktop': { ...SERVERS, http: null },
  // Copilot starts a server only if the server's tools are listed, or all tools are allowed.
  'copilot-cli': {
    group: 'mcpServers',
    stdio: { type: 'local', tools: ['*'] },
    http: (url, headers) => ({ type: 'http', url, headers, tools: ['*'] }),
  },
  cursor: { ...SERVERS, http: (url, headers) => ({ url, headers }) },
  vscode: { group: 'servers', stdio: { type: 'stdio' }, http: (url, headers) => ({ type: 'http', url, headers }) },
  zed: { group: 'context_servers', stdio: {}, http: (url, headers) => ({ url, headers }) },
  // In Gemini's format, `url` would mean the older SSE transport, and the timeout is in milliseconds.
  'gemini-cli': {
    group: 'mcpServers',
    stdio: { timeout: 600_000 },
    http: (httpUrl, headers) => ({ httpUrl, headers, timeout: 600_000 }),
  },
  'qwen-code': {
    group: 'mcpServers',
    stdio: { timeout: 600_000 },
    http: (httpUrl, headers) => ({ httpUrl, headers, timeout: 600_000 }),
  },
  'kimi-code': {
    group: 'mcpServers',
    stdio: { transport: 'stdio', toolTimeoutMs: 600_000 },
    http: (url, headers) => ({ transport: 'http', url, headers, toolTimeoutMs: 600_000 }),
  },
  windsurf: { ...SERVERS, http: (serverUrl, headers) => ({ serverUrl, headers }) },
  cline: CLINE,
  'cline-cli': CLINE,
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
  const note = found.note ?? SECRET;
  if (file !== null) return { way, title: 'Add to', text, file, writable: true, note };
  const title = kind === 'claude-code' ? 'Add to .mcp.json of the project' : 'Add to its configuration';
  return { way, title, text, file: null, writable: false, note };
}

/** Returns the text of an entry for copying. */
function textOf({ syntax, path, entry }: ConfigurationEntry): string {
  if (syntax === 'toml') return tomlText(path, entry);
  if (syntax === 'yaml-list') return yamlItemText(path, entry);
  return syntax === 'yaml' ? yamlText(path, entry) : jsonText({ [path[0]]: { [path[1]]: entry } });
}

/**
 * Returns the entry for Claude Code. Its file is in the project, where others can read it, so the entry contains no token. Over HTTP, it
 * refers to an environment variable instead.
 */
function claudeCode(way: ConnectionWay, facts: ConnectionFacts): ConfigurationEntry | null {
  const of = { syntax: 'json', path: ['mcpServers', SERVER] } as const;
  if (way === 'stdio') {
    const [command, ...args] = joining(facts);
    const { environment } = facts;
    const env = Object.keys(environment).length > 0 ? { env: environment } : {};
    return { ...of, entry: { type: 'stdio', command, args, ...env }, note: `${NO_TOKEN} ${PENDING}` };
  }
  if (facts.url === null) return null;
  const entry = { type: 'http', url: facts.url, headers: { Authorization: `Bearer ${CLAUDE_TOKEN}` } };
  const note = `The file contains only the variable’s name. Set ${TOKEN_VARIABLE} to ${facts.token} where you start Claude Code. ${PENDING}`;
  return { ...of, entry, note };
}

function opencode(way: ConnectionWay, facts: ConnectionFacts, headers: object): ConfigurationEntry | null {
  const of = { syntax: 'json', path: ['mcp', SERVER], note: null } as const;
  const { command, args, env: environment } = stdioOf(facts);
  if (way === 'stdio')
    return { ...of, entry: { type: 'local', command: [command, ...args], environment, enabled: true } };
  // Without `oauth: false`, OpenCode tries to log in to the server.
  return facts.url === null
    ? null
    : { ...of, entry: { type: 'remote', url: facts.url, headers, oauth: false, enabled: true } };
}

function continueEntry(way: ConnectionWay, facts: ConnectionFacts, headers: object): ConfigurationEntry | null {
  const of = { syntax: 'yaml-list', path: ['mcpServers', SERVER], note: null, needsFile: true } as const;
  if (way === 'stdio') return { ...of, entry: { type: 'stdio', ...stdioOf(facts) } };
  return facts.url === null
    ? null
    : { ...of, entry: { type: 'streamable-http', url: facts.url, requestOptions: { headers } } };
}

function codex(way: ConnectionWay, facts: ConnectionFacts): ConfigurationEntry | null {
  const of = { syntax: 'toml', path: ['mcp_servers', SERVER] } as const;
  const { env, ...program } = stdioOf(facts);
  // Without `required`, Codex does not wait for the tools in its first turn.
  const timeouts = { startup_timeout_sec: 60, tool_timeout_sec: 120 };
  if (way === 'stdio') return { ...of, entry: { ...program, required: true, ...timeouts, env }, note: null };
  if (facts.url === null) return null;
  const entry = { url: facts.url, bearer_token_env_var: TOKEN_VARIABLE, ...timeouts };
  const note = `Codex reads the token from its environment. Set ${TOKEN_VARIABLE} to ${facts.token} where you start it.`;
  return { ...of, entry, note };
}

function goose(way: ConnectionWay, facts: ConnectionFacts, headers: object): ConfigurationEntry | null {
  const of = { syntax: 'yaml', path: ['extensions', SERVER], note: null } as const;
  const head = { name: SERVER, enabled: true, timeout: 300 };
  const { command: cmd, args, env: envs } = stdioOf(facts);
  if (way === 'stdio') return { ...of, entry: { ...head, type: 'stdio', cmd, args, envs } };
  return facts.url === null ? null : { ...of, entry: { ...head, type: 'streamable_http', uri: facts.url, headers } };
}

/** Returns a command without a token, because every program of the person can see a command line. */
function withoutToken(facts: ConnectionFacts): Configuration {
  const words = joining(facts).map(shellWord).join(' ');
  const variables = Object.entries(facts.environment).map(
    ([variable, value]) => `-e ${shellWord(`${variable}=${value}`)} `,
  );
  return {
    way: 'stdio',
    title: 'Or run this once in a terminal',
    text: `claude mcp add ${SERVER} ${variables.join('')}-- ${words}`,
    file: null,
    writable: false,
    note: NO_TOKEN,
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
  const note = `Its address is ${href}; ping-lisp and tools/list have addresses next to it.`;
  return { way: 'http', title: 'A request', text: lines.join('\n'), file: null, writable: false, note };
}

/** Returns the command without a token. The person must admit the client in the window. */
function joining({ command, name }: ConnectionFacts): string[] {
  return [...command, '--client', name, '--join'];
}

/** Returns the command line for a client. The connection test uses the same command line. */
export function stdioOf({ name, token, command, environment }: ConnectionFacts): {
  command: string;
  args: string[];
  env: Record<string, string>;
} {
  const [program, ...args] = [...command, '--client', name];
  return { command: program, args, env: { ...environment, [TOKEN_VARIABLE]: token } };
}
