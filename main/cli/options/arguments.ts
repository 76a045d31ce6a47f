/**
 * The command line of the commands that run without a window (decisions 23 and 37). Pure: takes arguments and environment, returns a plan.
 */
import path from 'node:path';
import { clientName, clientProfile, type ClientProfile } from '../../contract/clients/client.ts';
import { DEFAULT_HTTPS_PORT, DEFAULT_PORT, httpArguments, type HttpArguments } from './http-arguments.ts';
import { DEFAULT_SWANK_PORT, noSwank, swankArguments, type SwankArguments } from './swank-arguments.ts';
import { DEFAULT_TELNET_PORT, noTelnet, telnetArguments, type TelnetArguments } from './telnet-arguments.ts';
import { UsageError } from './usage-error.ts';

type Command = 'mcp' | 'serve' | 'repl' | 'install' | 'search' | 'update' | 'undo' | 'prepare' | 'doctor';

/** How requests are approved without a window. */
type ApproveWay = 'terminal' | 'client' | 'project';

export interface CommandLine extends HttpArguments, SwankArguments, TelnetArguments {
  readonly command: Command | 'help' | 'version';
  /** `--project`, or else LISP_WORKBENCH_PROJECT; null if the folder is the one in which the command was started. */
  readonly project: string | null;
  readonly client: string | null;
  readonly sbcl: string | null;
  /** A Lisp file that the image loads first; null if there is none. */
  readonly init: string | null;
  readonly headless: boolean;
  /** True if only the desktop's image may be used; while no window is open, calls return an error that says so. A token implies this. */
  readonly join: boolean;
  /** True if images must run in the operating system's sandbox; if it is unavailable, they do not start. */
  readonly sandbox: boolean;
  /** True if the person's own effects also wait for approval while there are unaccepted evaluations of agents. */
  readonly strict: boolean;
  /** `--target`, or else LISP_WORKBENCH_TARGET: the target on which images run; null for this machine. */
  readonly target: string | null;
  readonly approve: ApproveWay | null;
  /** The names of libraries to install, the words to search for, or a dist to update and its version. */
  readonly words: readonly string[];
  /** True if `install` and `update` only show what they would do. */
  readonly dryRun: boolean;
  /** The change to undo; null to list all changes. */
  readonly change: string | null;
  /** The answer to all effects of evaluated code; null to ask about each. */
  readonly effects: 'allow' | 'deny' | null;
  /** True if `--effects` is given. The command line then decides about effects. */
  readonly effectsGiven: boolean;
  /** The tool set that is listed for clients; null to choose it for each client. */
  readonly tools: ClientProfile | null;
}

export const usage = `Usage: lisp-workbench COMMAND [OPTION ...]

Commands
  mcp      MCP on standard input and output; joins a running desktop of the same home
  serve    MCP and Lisply over HTTP and HTTPS on loopback; prints one JSON line with the addresses and the token when ready
  repl     a REPL with a debugger in its own image: at a terminal you are the person; on a pipe, or with --client or
           --effects, it is a client
  install  installs libraries, and everything that they need, from the dists of your Quicklisp: install NAME …
           Each archive is checked against the dist's index, and no Lisp code runs. Sets up Quicklisp if there is none
  search   lists the systems of these dists whose names or descriptions contain all words: search WORD …
  update   updates the dists and what is installed from them: update [DIST [VERSION]]; VERSION may be an older one
  undo     lists changes of files that were approved without a window, newest first; with --change ID reverts one
  prepare  builds in advance the core that images start from
  doctor   checks SBCL, image, sandbox, ports and certificate, and says how to fix problems; exit code 1 if there are any

Options
  --project DIR        the project folder (default: LISP_WORKBENCH_PROJECT, else the current directory)
  --client NAME        the name of the client (default: client; of repl: stdio)
  --sbcl PATH          the SBCL to run (default: LISP_WORKBENCH_SBCL, else the installed one)
  --init FILE          a Lisp file that each image loads first; SBCL's own init files are never read
  --effects allow|deny effects of evaluated code outside the image, such as writing files (default: deny; with
                       --approve terminal or client it asks)
                       This guard is a seat belt for ordinary Lisp code, not a wall; the wall is:
  --sandbox            runs the image in the system's sandbox (Linux, bubblewrap): no network, and only the project folder
                       can be written, whatever the code does; other files can still be read. Libraries are
                       downloaded outside of it, by the workbench. If the sandbox is unavailable, no image starts. mcp
                       then never joins a desktop
  --target PLACE       runs the image elsewhere: ssh:HOST, docker:CONTAINER, podman:CONTAINER, kubectl:POD, command:WORDS, or
                       the name of a target in the desktop's settings; with ,directory=DIR for the project's folder there,
                       ,sbcl=PATH and ,options=WORDS (default: LISP_WORKBENCH_TARGET, else this machine). mcp then never
                       joins a desktop
  --tools SET          mcp and serve: the tools that are listed for clients (default: all for programs that load a tool's
                       parameters when they need them, standard for others; tools that are not listed work too)
           standard    the most used tools, with find-tools and call-tool for the others
           all         all tools
           repl        the standard ones without tools that read, search and change files, for programs with their own
  --dry-run            install and update only: shows what would be done
  --change ID          undo only: the change to revert, by the first characters of its line in the list
  --headless           mcp only: never joins a desktop
  --join               mcp only: never has its own image; while no window is open every call says so, and it joins a
                       window when one opens (automatic with LISP_WORKBENCH_TOKEN set)
  --port N             serve only: the port of HTTP, 0 for any free one (default: ${DEFAULT_PORT})
  --no-http            serve only: no HTTP; needs another server, such as --https
  --https              serve only: HTTPS too; each of the next three options implies it
  --https-port N       its port, 0 for any free one (default: ${DEFAULT_HTTPS_PORT})
  --https-cert FILE    its certificate and the intermediate ones, as PEM
  --https-key FILE     the private key of the certificate, as PEM without a passphrase. Without these two files the
                       workbench creates a certificate for localhost, 127.0.0.1 and ::1, and renews it
  --http, --no-https   serve only: override START_HTTP and START_HTTPS
  --swank-port N       serve only: Emacs with SLIME may connect to this port, 0 for any free one, and evaluates without the
                       guard; it needs the secret in ~/.slime-secret (or SWANK_SECRET). START_SWANK=true does the same with
                       SWANK_PORT (default: ${DEFAULT_SWANK_PORT})
  --strict             serve only: your own code, through Emacs, also needs approval while a client has evaluated code
                       that you have not accepted (in the desktop this is in Settings)
  --approve WAY        who approves dangerous tools and effects of code; without it they are denied
           terminal    serve, and repl on a pipe: asks on this terminal
           client      serve and mcp: asks in the client program that makes the call, if it can ask its user
                       (MCP's elicitation). The workbench cannot see who answers there
           project     serve and mcp, with --sandbox or in a container: file tools change files of the project without
                       asking, except files that configure programs; everything else is denied. mcp with --approve never
                       joins a desktop
  --help, --version

Variables of serve; a variable with the prefix LISPLY_ overrides the one without, and an option overrides both
  START_HTTP, START_HTTPS            true, 1, yes or on start it, other values do not (default: only HTTP)
  HTTP_PORT, HTTPS_PORT              the ports
  HTTPS_CERT_FILE, HTTPS_KEY_FILE    the certificate and its key
  HTTP_HOST_PORT, HTTPS_HOST_PORT    the ports that a container publishes: requests to loopback with these are accepted too
  START_TELNET, TELNET_PORT          also a REPL by telnet, protected by a secret (default: off, port ${DEFAULT_TELNET_PORT})
  TELNET_SECRET                      its secret; by default a new one, which serve prints in its line
Variables without a prefix
  LISP_WORKBENCH_DISTS               addresses of the dists for a Quicklisp that is set up, separated by commas (default: those
                                     of the settings, which are Quicklisp's own)
  LISP_WORKBENCH_QUICKLISP_CLIENT    the address of the client's description (default: Quicklisp's own)
  LISP_WORKBENCH_ALLOWED_HOSTS       further accepted values of the header Host, as host:port, separated by commas
  LISP_WORKBENCH_BIND                the address to listen on (default: 127.0.0.1); any other than loopback is open to others
  LISPLY_AUTH=none                   accepts Lisply requests without a token
`;

/** @throws UsageError with a one-line explanation. */
export function parseCommandLine(given: readonly string[], environment: NodeJS.ProcessEnv): CommandLine {
  if (given.includes('--help') || given.includes('-h') || given[0] === 'help') return { ...nothing, command: 'help' };
  if (given.includes('--version')) return { ...nothing, command: 'version' };
  const [command, ...rest] = given;
  if (command === undefined) throw new UsageError('choose a command: mcp, serve or repl (--help lists the options).');
  if (!isCommand(command))
    throw new UsageError(
      `there is no command ${JSON.stringify(command)}; there are mcp, serve, repl, install, search, update, undo, prepare and doctor (--help lists the options).`,
    );
  const options = readOptions(command, rest);
  const words = wordsOf(command, rest);
  const approve = approveOf(command, options.get('approve'));
  if (approve !== null && options.has('join'))
    throw new UsageError('--join is for the desktop, where its window approves. Leave --join or --approve out.');
  const servers = hasServers(command) ? httpArguments(options, environment) : noServers;
  const swank = hasServers(command) ? swankArguments(options, environment) : noSwank;
  const telnet = hasServers(command) ? telnetArguments(environment) : noTelnet;
  if (command === 'serve') checkServers({ ...servers, ...swank, ...telnet });
  return {
    command,
    project: options.get('project') ?? (environment['LISP_WORKBENCH_PROJECT'] || null),
    client: clientOf(options.get('client')),
    sbcl: options.get('sbcl') ?? (environment['LISP_WORKBENCH_SBCL'] || null),
    init: options.get('init') ?? null,
    headless: options.has('headless'),
    join: options.has('join'),
    sandbox: options.has('sandbox'),
    strict: options.has('strict'),
    target: targetOption(command, options, environment),
    approve,
    words,
    dryRun: options.has('dry-run'),
    change: options.get('change') ?? null,
    effects: effectsOf(options.get('effects')) ?? (approve === null || approve === 'project' ? 'deny' : null),
    effectsGiven: options.has('effects'),
    tools: toolsOption(options.get('tools')),
    ...servers,
    ...swank,
    ...telnet,
  };
}

const noServers: HttpArguments = { http: true, port: DEFAULT_PORT, hosts: [], https: null };

const nothing = {
  project: null,
  client: null,
  sbcl: null,
  init: null,
  headless: false,
  join: false,
  sandbox: false,
  strict: false,
  target: null,
  approve: null,
  words: [],
  dryRun: false,
  change: null,
  effects: null,
  effectsGiven: false,
  tools: null,
  ...noServers,
  ...noSwank,
  ...noTelnet,
} as const;

const PLACES = ['port', 'https-port', 'https-cert', 'https-key'];

const WITH_VALUE: Record<Command, readonly string[]> = {
  mcp: ['project', 'client', 'sbcl', 'init', 'effects', 'target', 'approve', 'tools'],
  serve: ['project', 'client', 'sbcl', 'init', 'effects', 'target', 'swank-port', 'approve', 'tools', ...PLACES],
  repl: ['project', 'client', 'sbcl', 'init', 'effects', 'target', 'approve'],
  install: [],
  search: [],
  update: [],
  undo: ['change'],
  prepare: ['sbcl'],
  doctor: ['sbcl', 'init', ...PLACES],
};

function isCommand(word: string): word is Command {
  return Object.hasOwn(WITH_VALUE, word);
}

const SWITCHES = ['headless', 'sandbox', 'join'];
const WITH_DRY_RUN: readonly Command[] = ['install', 'update'];
const SERVERS = ['http', 'no-http', 'https', 'no-https', 'strict'];

/** Returns true for commands that start servers or check whether servers can start. */
function hasServers(command: Command): boolean {
  return WITH_VALUE[command].includes('port');
}

function isSwitch(flag: string, command: Command): boolean {
  if (flag === 'dry-run') return WITH_DRY_RUN.includes(command);
  return SWITCHES.includes(flag) || (SERVERS.includes(flag) && hasServers(command));
}

function readOptions(command: Command, given: readonly string[]): Map<string, string> {
  const options = new Map<string, string>();
  for (let index = 0; index < given.length; index += 1) {
    const word = given[index]!;
    if (takesWords(command) && !word.startsWith('--')) continue;
    const [flag, inline] = word.startsWith('--') ? splitAtEqual(word.slice(2)) : [null, null];
    if (flag !== null && isSwitch(flag, command) && inline === null) options.set(flag, '');
    else if (flag !== null && WITH_VALUE[command].includes(flag)) {
      const value = inline ?? given[++index];
      if (value === undefined || value === '' || (inline === null && value.startsWith('--')))
        throw new UsageError(`--${flag} needs a value (--help lists the options).`);
      options.set(flag, value);
    } else throw new UsageError(`${command} has no option ${JSON.stringify(word)} (--help lists the options).`);
  }
  return options;
}

/** Returns true for commands that take words as well as options. */
function takesWords(command: Command): boolean {
  return ['install', 'search', 'update'].includes(command);
}

function wordsOf(command: Command, given: readonly string[]): string[] {
  if (!takesWords(command)) return [];
  const words = given.filter((word) => !word.startsWith('--'));
  if (command === 'update' && words.length > 2) throw new UsageError('update takes a dist and a version of it.');
  if (words.length > 0 || command === 'update') return words;
  const what = command === 'install' ? 'the name of a library' : 'a word';
  throw new UsageError(`${command} needs ${what}, such as: lisp-workbench ${command} alexandria`);
}

function splitAtEqual(text: string): [string, string | null] {
  const at = text.indexOf('=');
  return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}

function toolsOption(given: string | undefined): ClientProfile | null {
  if (given === undefined) return null;
  const { success, data } = clientProfile.safeParse(given);
  if (success) return data;
  throw new UsageError(`--tools is ${clientProfile.options.join(', ')}, not ${JSON.stringify(given)}.`);
}

function effectsOf(effects: string | undefined): 'allow' | 'deny' | null {
  if (effects === undefined || effects === 'allow' || effects === 'deny') return effects ?? null;
  throw new UsageError(`--effects is allow or deny, not ${JSON.stringify(effects)}.`);
}

function targetOption(
  command: Command,
  options: ReadonlyMap<string, string>,
  environment: NodeJS.ProcessEnv,
): string | null {
  if (!WITH_VALUE[command].includes('target')) return null;
  const target = options.get('target') ?? (environment['LISP_WORKBENCH_TARGET'] || null);
  if (target === null) return null;
  if (options.has('sandbox'))
    throw new UsageError(
      '--sandbox is of this machine: with --target its host, or the container, is the wall. Leave one of them out.',
    );
  if (options.has('join'))
    throw new UsageError(
      '--join is for the image of the desktop, and --target for another one. Leave one of them out.',
    );
  if (options.has('swank-port'))
    throw new UsageError(
      '--swank-port is for an image on this machine: Emacs cannot join one on a target. Leave one of them out.',
    );
  return target;
}

function clientOf(name: string | undefined): string | null {
  if (name === undefined) return null;
  const parsed = clientName.safeParse(name);
  if (!parsed.success) throw new UsageError(`--client ${JSON.stringify(name)}: ${parsed.error.issues[0]!.message}`);
  return parsed.data;
}

/** The `--approve` values that each command supports; a command that is not listed supports none. */
const APPROVE_WAYS: Partial<Record<Command, readonly ApproveWay[]>> = {
  serve: ['terminal', 'client', 'project'],
  mcp: ['client', 'project'],
  repl: ['terminal'],
};

function approveOf(command: Command, approve: string | undefined): ApproveWay | null {
  if (approve === undefined) return null;
  const ways = APPROVE_WAYS[command] ?? [];
  const way = ways.find((each) => each === approve);
  if (way === undefined)
    throw new UsageError(`--approve of ${command} is ${listed(ways)}, not ${JSON.stringify(approve)}.`);
  return way;
}

function listed(ways: readonly string[]): string {
  return ways.length < 2 ? ways.join('') : `${ways.slice(0, -1).join(', ')} or ${ways.at(-1)}`;
}

function checkServers({ http, https, swankPort, telnet }: HttpArguments & SwankArguments & TelnetArguments): void {
  if (!http && https === null && swankPort === null && telnet === null)
    throw new UsageError(
      'there is nothing to serve: HTTP is off, and no other server was requested (--https or START_HTTPS, --swank-port or START_SWANK, START_TELNET).',
    );
}

/**
 * Returns the project folder: the requested one, or otherwise the start directory. Returns null if that directory cannot be a project, such
 * as the home directory.
 */
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
