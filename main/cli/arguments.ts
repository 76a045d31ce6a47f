/** The command line of the commands without a window (DESIGN sections 8 and 11). Pure: arguments and environment in, a plan out. */
import path from 'node:path';
import { clientName } from '../contract/client.ts';

export interface CommandLine {
  readonly command: 'mcp' | 'serve' | 'help' | 'version';
  /** `--project`, else LISP_WORKBENCH_PROJECT; null means the directory it was started in. */
  readonly project: string | null;
  readonly client: string | null;
  readonly sbcl: string | null;
  /** A Lisp file that the image loads before anything else; no init file is read unless it is named here. */
  readonly init: string | null;
  readonly headless: boolean;
  /** Images run in the operating system's sandbox, or not at all. */
  readonly sandbox: boolean;
  readonly approve: 'terminal' | null;
  /** What takes the place of asking about effects of evaluated code; null asks. */
  readonly effects: 'allow' | 'deny' | null;
  readonly port: number;
  /** Hosts beside the own ones: LISP_WORKBENCH_ALLOWED_HOSTS, and loopback with HTTP_HOST_PORT, a container's published port. */
  readonly hosts: readonly string[];
}

/** Something on the command line or in the environment cannot be meant so. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const DEFAULT_PORT = 9081;
const LATER = new Map([
  ['repl', 'The REPL on the terminal (repl) is not here yet. Use the window, or serve and mcp.'],
  ['doctor', 'The check of this machine (doctor) is not here yet. mcp and serve say what is missing.'],
]);
const LATER_SERVERS = ['HTTPS', 'SWANK', 'TELNET'];

export const usage = `Usage: lisp-workbench COMMAND [OPTION ...]

Commands
  mcp      MCP on standard input and output; joins the desktop of the same home when one runs
  serve    MCP and Lisply over HTTP on loopback; prints one JSON line with the addresses and the token when ready

Options
  --project DIR        the project folder (default: LISP_WORKBENCH_PROJECT, else the current directory)
  --client NAME        the name under which the client is known (default: client)
  --sbcl PATH          the SBCL to run (default: LISP_WORKBENCH_SBCL, else the one found)
  --init FILE          a Lisp file that each image loads first; SBCL's own init files are never read
  --effects allow|deny what evaluated code does outside the image, such as writing files (default: deny, and with
                       --approve terminal it asks)
                       This guard is a seat belt for ordinary Lisp code, not a wall; the wall is:
  --sandbox            runs the image in the system's sandbox (Linux, bubblewrap): no network, and only the project folder
                       can be written, whatever the code does; files elsewhere can still be read. Without the sandbox
                       no image starts. mcp then never joins a desktop
  --headless           mcp only: never joins a desktop
  --port N             serve only: the port, 0 for any free one (default: ${DEFAULT_PORT})
  --approve terminal   serve only: asks on this terminal before dangerous tools run and before effects happen
  --help, --version
`;

/** @throws UsageError with one line that says what is wrong. */
export function parseCommandLine(given: readonly string[], environment: NodeJS.ProcessEnv): CommandLine {
  if (given.includes('--help') || given.includes('-h') || given[0] === 'help') return { ...nothing, command: 'help' };
  if (given.includes('--version')) return { ...nothing, command: 'version' };
  const [command, ...rest] = given;
  if (command === undefined) throw new UsageError('say which command: mcp or serve (--help lists the options).');
  const later = LATER.get(command);
  if (later) throw new UsageError(later);
  if (command !== 'mcp' && command !== 'serve')
    throw new UsageError(
      `there is no command ${JSON.stringify(command)}; there are mcp and serve (--help lists the options).`,
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
    sandbox: options.has('sandbox'),
    approve,
    effects: effectsOf(options.get('effects')) ?? (approve === null ? 'deny' : null),
    port: portOf(options.get('port'), environment),
    hosts: hostsOf(environment),
  };
}

const nothing = {
  project: null,
  client: null,
  sbcl: null,
  init: null,
  headless: false,
  sandbox: false,
  approve: null,
  effects: null,
  port: DEFAULT_PORT,
  hosts: [],
} as const;

const WITH_VALUE: Record<'mcp' | 'serve', readonly string[]> = {
  mcp: ['project', 'client', 'sbcl', 'init', 'effects'],
  serve: ['project', 'client', 'sbcl', 'init', 'effects', 'port', 'approve'],
};

function readOptions(command: 'mcp' | 'serve', given: readonly string[]): Map<string, string> {
  const options = new Map<string, string>();
  for (let index = 0; index < given.length; index += 1) {
    const word = given[index]!;
    const [flag, inline] = word.startsWith('--') ? splitAtEqual(word.slice(2)) : [null, null];
    if ((flag === 'headless' || flag === 'sandbox') && inline === null) options.set(flag, '');
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
