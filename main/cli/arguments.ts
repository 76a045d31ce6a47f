/** The command line of the commands without a window (decisions 23 and 37). Pure: arguments and environment in, a plan out. */
import path from 'node:path';
import { clientName } from '../contract/client.ts';

type Command = 'mcp' | 'serve' | 'repl' | 'prepare' | 'doctor';

export interface CommandLine {
  readonly command: Command | 'help' | 'version';
  /** `--project`, else LISP_WORKBENCH_PROJECT; null means the directory it was started in. */
  readonly project: string | null;
  readonly client: string | null;
  readonly sbcl: string | null;
  /** A Lisp file that the image loads before anything else; no init file is read unless it is named here. */
  readonly init: string | null;
  readonly headless: boolean;
  /** True for the desktop's image alone: while no window is open its calls say so. With a token this is so by itself. */
  readonly join: boolean;
  /** Images run in the operating system's sandbox, or not at all. */
  readonly sandbox: boolean;
  readonly approve: 'terminal' | null;
  /** The answer to effects of evaluated code in place of asking; null asks. */
  readonly effects: 'allow' | 'deny' | null;
  /** True when the command line itself says what effects may do. */
  readonly effectsGiven: boolean;
  readonly port: number;
  /** Hosts beside the own ones: LISP_WORKBENCH_ALLOWED_HOSTS, and loopback with HTTP_HOST_PORT, a container's published port. */
  readonly hosts: readonly string[];
  /** The telnet server of `serve`, null where none was asked for; a secret that is null is made. */
  readonly telnet: { readonly port: number; readonly secret: string | null } | null;
}

/** An error of usage: something on the command line or in the environment cannot be meant so. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const DEFAULT_PORT = 9081;
const DEFAULT_TELNET_PORT = 4024;
const LATER_SERVERS = ['HTTPS', 'SWANK'];

export const usage = `Usage: lisp-workbench COMMAND [OPTION ...]

Commands
  mcp      MCP on standard input and output; joins the desktop of the same home when one runs
  serve    MCP and Lisply over HTTP on loopback; prints one JSON line with the addresses and the token when ready
  repl     a REPL with its debugger in an image of its own: at a terminal you are the person; on a pipe, or with --client
           or --effects, it is a client
  prepare  builds ahead what the first start would wait for, the core that images start from, and ends
  doctor   looks at SBCL, image, sandbox and port, and says what to do about what is missing; exit code 1 for that

Options
  --project DIR        the project folder (default: LISP_WORKBENCH_PROJECT, else the current directory)
  --client NAME        the name under which the client is known (default: client; of repl: stdio)
  --sbcl PATH          the SBCL to run (default: LISP_WORKBENCH_SBCL, else the one found)
  --init FILE          a Lisp file that each image loads first; SBCL's own init files are never read
  --effects allow|deny what evaluated code does outside the image, such as writing files (default: deny, and with
                       --approve terminal it asks)
                       This guard is a seat belt for ordinary Lisp code, not a wall; the wall is:
  --sandbox            runs the image in the system's sandbox (Linux, bubblewrap): no network, and only the project folder
                       can be written, whatever the code does; files elsewhere can still be read. Without the sandbox
                       no image starts. mcp then never joins a desktop
  --headless           mcp only: never joins a desktop
  --join               mcp only: never has an image of its own; while no window is open every call says so, and it
                       joins as soon as there is one (with LISP_WORKBENCH_TOKEN set this is so by itself)
  --port N             serve only: the port, 0 for any free one (default: ${DEFAULT_PORT})
  --approve terminal   serve, and repl on a pipe: asks on this terminal before dangerous tools run and before effects happen
  --help, --version

Environment of serve
  START_TELNET=true    also a REPL by telnet, on loopback, behind a secret; off by default
  TELNET_PORT          its port, 0 for any free one (default: ${DEFAULT_TELNET_PORT})
  TELNET_SECRET        its secret; without one it is made, and stands in the line that serve prints
                       Each also with LISPLY_ before it, which comes first.
`;

/** @throws UsageError with one line that says what is wrong. */
export function parseCommandLine(given: readonly string[], environment: NodeJS.ProcessEnv): CommandLine {
  if (given.includes('--help') || given.includes('-h') || given[0] === 'help') return { ...nothing, command: 'help' };
  if (given.includes('--version')) return { ...nothing, command: 'version' };
  const [command, ...rest] = given;
  if (command === undefined) throw new UsageError('say which command: mcp, serve or repl (--help lists the options).');
  if (!isCommand(command))
    throw new UsageError(
      `there is no command ${JSON.stringify(command)}; there are mcp, serve, repl, prepare and doctor (--help lists the options).`,
    );
  const options = readOptions(command, rest);
  const approve = approveOf(options.get('approve'));
  if (command === 'serve') checkServers(environment);
  return {
    command,
    project: options.get('project') ?? (environment['LISP_WORKBENCH_PROJECT'] || null),
    client: clientOf(options.get('client')),
    sbcl: options.get('sbcl') ?? (environment['LISP_WORKBENCH_SBCL'] || null),
    init: options.get('init') ?? null,
    headless: options.has('headless'),
    join: options.has('join'),
    sandbox: options.has('sandbox'),
    approve,
    effects: effectsOf(options.get('effects')) ?? (approve === null ? 'deny' : null),
    effectsGiven: options.has('effects'),
    port: portOf(options.get('port'), environment),
    hosts: hostsOf(environment),
    telnet: command === 'serve' ? telnetOf(environment) : null,
  };
}

const nothing = {
  project: null,
  client: null,
  sbcl: null,
  init: null,
  headless: false,
  join: false,
  sandbox: false,
  approve: null,
  effects: null,
  effectsGiven: false,
  port: DEFAULT_PORT,
  hosts: [],
  telnet: null,
} as const;

const WITH_VALUE: Record<Command, readonly string[]> = {
  mcp: ['project', 'client', 'sbcl', 'init', 'effects'],
  serve: ['project', 'client', 'sbcl', 'init', 'effects', 'port', 'approve'],
  repl: ['project', 'client', 'sbcl', 'init', 'effects', 'approve'],
  prepare: ['sbcl'],
  doctor: ['sbcl', 'init', 'port'],
};

function isCommand(word: string): word is Command {
  return Object.hasOwn(WITH_VALUE, word);
}

const SWITCHES: ReadonlySet<string> = new Set(['headless', 'sandbox', 'join']);

function readOptions(command: Command, given: readonly string[]): Map<string, string> {
  const options = new Map<string, string>();
  for (let index = 0; index < given.length; index += 1) {
    const word = given[index]!;
    const [flag, inline] = word.startsWith('--') ? splitAtEqual(word.slice(2)) : [null, null];
    if (flag !== null && SWITCHES.has(flag) && inline === null) options.set(flag, '');
    else if (flag !== null && WITH_VALUE[command].includes(flag)) {
      const value = inline ?? given[++index];
      if (value === undefined || value === '' || (inline === null && value.startsWith('--')))
        throw new UsageError(`--${flag} needs a value (--help lists the options).`);
      options.set(flag, value);
    } else throw new UsageError(`${command} has no option ${JSON.stringify(word)} (--help lists the options).`);
  }
  return options;
}

function splitAtEqual(text: string): [string, string | null] {
  const at = text.indexOf('=');
  return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}

function effectsOf(effects: string | undefined): 'allow' | 'deny' | null {
  if (effects === undefined || effects === 'allow' || effects === 'deny') return effects ?? null;
  throw new UsageError(`--effects is allow or deny, not ${JSON.stringify(effects)}.`);
}

function clientOf(name: string | undefined): string | null {
  if (name === undefined) return null;
  const parsed = clientName.safeParse(name);
  if (!parsed.success) throw new UsageError(`--client ${JSON.stringify(name)}: ${parsed.error.issues[0]!.message}`);
  return parsed.data;
}

function approveOf(approve: string | undefined): 'terminal' | null {
  if (approve === undefined) return null;
  if (approve !== 'terminal') throw new UsageError(`--approve is terminal, not ${JSON.stringify(approve)}.`);
  return 'terminal';
}

/** A flag beats LISPLY_HTTP_PORT beats HTTP_PORT. */
function portOf(flag: string | undefined, environment: NodeJS.ProcessEnv): number {
  const [from, text] = flag !== undefined ? ['--port', flag] : variable(environment, 'HTTP_PORT');
  return text === null ? DEFAULT_PORT : portNumber(from, text);
}

function hostsOf(environment: NodeJS.ProcessEnv): string[] {
  const [name, published] = variable(environment, 'HTTP_HOST_PORT');
  const loopback = published === null ? [] : [`127.0.0.1:${portNumber(name, published)}`, `localhost:${published}`];
  const listed = (environment['LISP_WORKBENCH_ALLOWED_HOSTS'] ?? '').split(',').map((host) => host.trim());
  return [...loopback, ...listed.filter(Boolean)];
}

/** START_TELNET, TELNET_PORT and TELNET_SECRET, each also with LISPLY_ before it. @throws UsageError */
function telnetOf(environment: NodeJS.ProcessEnv): CommandLine['telnet'] {
  const [, start] = variable(environment, 'START_TELNET');
  if (start === null || !isTrue(start)) return null;
  const [portName, port] = variable(environment, 'TELNET_PORT');
  const [secretName, secret] = variable(environment, 'TELNET_SECRET');
  if (secret !== null && !/^\P{Cc}{1,200}$/u.test(secret))
    throw new UsageError(`${secretName} is one line of at most 200 characters: it is typed before anything else.`);
  return { port: port === null ? DEFAULT_TELNET_PORT : portNumber(portName, port), secret };
}

/** @throws UsageError */
function portNumber(from: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (!(port <= 65_535)) throw new UsageError(`${from} is a number from 0 to 65535, not ${JSON.stringify(text)}.`);
  return port;
}

function checkServers(environment: NodeJS.ProcessEnv): void {
  for (const server of LATER_SERVERS) {
    const [name, value] = variable(environment, `START_${server}`);
    if (value !== null && isTrue(value))
      throw new UsageError(`${name}: ${server} is not here yet. Unset it; HTTP serves MCP and Lisply.`);
  }
  const [name, http] = variable(environment, 'START_HTTP');
  if (http !== null && !isTrue(http))
    throw new UsageError(`${name}=${http} leaves nothing to serve: HTTP is the only server that is here yet.`);
}

/** LISPLY_X beats X. Empty is unset. */
function variable(environment: NodeJS.ProcessEnv, name: string): [name: string, value: string | null] {
  const prefixed = `LISPLY_${name}`;
  return environment[prefixed] ? [prefixed, environment[prefixed]] : [name, environment[name] || null];
}

function isTrue(value: string): boolean {
  return ['true', '1', 'yes', 'on'].includes(value.trim().toLowerCase());
}

/** The folder to work in: what was asked for, else where the command was started, unless that is nobody's project. */
export function projectFolder(
  asked: string | null,
  environment: NodeJS.ProcessEnv,
  home: string,
  ownFolder: string,
): string | null {
  if (asked !== null) return path.resolve(environment['INIT_CWD'] ?? process.cwd(), asked);
  const started = path.resolve(environment['INIT_CWD'] ?? process.cwd());
  const nobodys = [path.parse(started).root, path.resolve(home), path.resolve(ownFolder)];
  return nobodys.includes(started) ? null : started;
}
