/**
 * The operating system's sandbox around an image (G7). Unlike the guard it holds code that is made to get past it:
 * no network, and of what is outside only the project's folder can be written. On Linux bubblewrap builds it.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { WorkbenchError } from '#core/base/error.ts';

/** The paths that the sandbox keeps from the code in it, and those that it lets the code have. */
export interface SandboxPaths {
  /** Folders that the code may not even read: settings, tokens, audit, and where the private socket is. */
  readonly hidden: readonly string[];
  /** Folder of the cores. It can be read; below it each project has a cache of compiled files of its own. */
  readonly cache: string;
}

/** A sandbox for one image. */
export interface Sandbox {
  /** The program that builds it. */
  readonly builder: string;
  readonly paths: SandboxPaths;
}

/** A program and what it is started with. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * A system that can be read, with devices, processes, sockets and a network of its own, which is none.
 *
 * Root may write what stands in /proc/sys even without capabilities, so the whole of /proc is read-only. --die-with-parent is
 * left out: bubblewrap ends with the first process of the image, and checkpoints of it go on in the sandbox. All of them end
 * when their pipes do, and with their group; the image that sees the end of its pipe ends everything in the sandbox, which
 * LISP_WORKBENCH_SANDBOX tells it that it may.
 */
const BARE = [
  ['--ro-bind', '/', '/'],
  ['--dev', '/dev'],
  ['--proc', '/proc'],
  ['--remount-ro', '/proc'],
  ['--unshare-ipc', '--unshare-pid', '--cap-drop', 'ALL'],
].flat();
const NO_NETWORK = '--unshare-net';

/**
 * Makes sure that a sandbox can be had on this machine.
 * @throws WorkbenchError `no-image` with why not and what to do: nothing is ever started without the sandbox that was wanted.
 */
export async function prepareSandbox(
  paths: SandboxPaths,
  environment: NodeJS.ProcessEnv,
  directory: string,
  platform: NodeJS.Platform = process.platform,
): Promise<Sandbox> {
  const looked = await lookForSandbox(environment, directory, platform);
  if (looked.builder === null) throw noSandbox(looked.why, looked.mend);
  return { builder: looked.builder, paths };
}

/** The program that builds sandboxes here; or why there can be none, and the advice that would change that. */
type SandboxLook =
  | { readonly builder: string }
  | { readonly builder: null; readonly why: string; readonly mend: string | null };

/** Looks whether a sandbox can be had on this machine. */
export async function lookForSandbox(
  environment: NodeJS.ProcessEnv,
  directory: string,
  platform: NodeJS.Platform = process.platform,
): Promise<SandboxLook> {
  const none = (why: string, mend: string | null): SandboxLook => ({ builder: null, why, mend });
  if (platform !== 'linux') return none(`there is none for this system (${platform}) yet`, null);
  const builder = findBuilder(environment, directory);
  if (builder === null) return none('bubblewrap is not installed', 'Install bubblewrap (apt install bubblewrap)');
  const problem = await tryOut(builder);
  return problem === null
    ? { builder }
    : none(`this system does not let bubblewrap make one (${problem})`, 'Allow user namespaces');
}

/** The one folder outside that code in the sandbox can write; null where the image's directory is none of a project. */
export function writableFolder(directory: string, { hidden }: SandboxPaths): string | null {
  return hidden.some((folder) => realOrSame(folder) === realOrSame(directory)) ? null : directory;
}

/**
 * `inner` in the sandbox. `readable` are files that must be there whatever is hidden.
 * @throws WorkbenchError `no-image` for a project folder that would leave nothing to protect.
 */
export function insideSandbox(
  { builder, paths }: Sandbox,
  inner: Launch,
  directory: string,
  readable: readonly string[],
): Launch {
  const folder = writableFolder(directory, paths);
  if (folder !== null && realOrSame(folder) === '/')
    throw noSandbox('the project is the whole file system', 'Open a smaller folder');
  const compiled = compiledFolder(paths.cache, directory);
  const { command, args } = confine(builder, inner, {
    network: false,
    hidden: paths.hidden,
    readable: [paths.cache, inner.command, ...readable],
    writable: [...(folder === null ? [] : [folder]), compiled],
    start: folder === null ? '/tmp' : realOrSame(folder),
  });
  return {
    command,
    args,
    environment: { ...known(inner.environment), XDG_CACHE_HOME: compiled, LISP_WORKBENCH_SANDBOX: '1' },
  };
}

/** Everything that a sandbox lets its program have, and keeps from it. */
export interface Confinement {
  /** True where the network of the machine is there; a program with it ends with whoever started it. */
  readonly network: boolean;
  /** Folders and files that cannot even be read, beside the person's keys and the sockets at which somebody listens. */
  readonly hidden: readonly string[];
  /** Files and folders that are there whatever is hidden. */
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** The folder in which the program starts. */
  readonly start: string;
}

/** The command that builds a sandbox and starts a program in it. Paths that are not there are left out. */
export function confine(
  builder: string,
  { command, args, environment }: Launch,
  { network, hidden, readable, writable, start }: Confinement,
): Pick<Launch, 'command' | 'args'> {
  const mounts = [
    ...['/tmp', '/var/tmp', '/run'].map((name) => mount(name, '--tmpfs')),
    ...hiddenFolders(environment, hidden).map((name) => mount(name, isFile(name) ? 'mask' : '--tmpfs')),
    ...[...listeningSockets(), ...secretFiles(environment)].map((name) => mount(name, 'mask')),
    ...readable.map((name) => mount(name, '--ro-bind')),
    ...writable.map((name) => mount(name, '--bind')),
  ].filter((each) => each !== null);
  // The deeper one comes later, so that it is not covered: a hidden folder in the project, a project in /tmp.
  mounts.sort((one, other) => depth(one.name) - depth(other.name));
  const put = mounts.flatMap(({ how, name }) => {
    if (how === '--tmpfs') return [how, name];
    return how === 'mask' ? ['--ro-bind', '/dev/null', name] : [how, name, name];
  });
  const rest = network ? ['--die-with-parent'] : [NO_NETWORK];
  return { command: builder, args: [...BARE, ...rest, ...put, '--chdir', start, '--', command, ...args] };
}

function noSandbox(why: string, mend: string | null): WorkbenchError {
  const off = 'switch the sandbox off (in Settings; without a window leave out --sandbox)';
  return new WorkbenchError(
    'no-image',
    `The image is to run in a sandbox, but ${why}. It was not started without. ${mend === null ? `To start it, ${off}.` : `${mend}, or ${off}.`}`,
  );
}

/** Not one of the project's: code in the sandbox could have put it there for the next start. */
function findBuilder(environment: NodeJS.ProcessEnv, directory: string): string | null {
  const project = `${realOrSame(directory)}/`;
  const folders = (environment['PATH'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const builders = folders.map((folder) => path.join(folder, 'bwrap')).filter(existsSync);
  return builders.map((file) => realpathSync(file)).find((file) => !file.startsWith(project)) ?? null;
}

/** Resolves with the builder's complaint when it cannot do what every sandbox needs; with null when it can. */
function tryOut(builder: string): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(builder, [...BARE, NO_NETWORK, '--', '/bin/sh', '-c', ':'], { timeout: 10_000 }, (error, _out, said) =>
      resolve(error ? said.trim().split('\n').at(-1) || error.message : null),
    );
  });
}

/**
 * Compiled files that code in the sandbox could write must never be loaded outside it, nor for another project: so none of
 * the person's own cache.
 */
function compiledFolder(cache: string, directory: string): string {
  const key = createHash('sha256').update(directory).digest('hex').slice(0, 16);
  const folder = path.join(cache, 'sandbox', key);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Returns the folders to hide beside the program's own: the person's keys, and where the session's own sockets are. */
function hiddenFolders(environment: NodeJS.ProcessEnv, hidden: readonly string[]): string[] {
  const home = environment['HOME'];
  const keys = home ? ['.ssh', '.gnupg'].map((name) => path.join(home, name)) : [];
  return [...hidden, ...keys, ...(environment['XDG_RUNTIME_DIR'] ? [environment['XDG_RUNTIME_DIR']] : [])];
}

/** Returns the files with which a program comes to the display, or to SWANK as the person. */
function secretFiles({ XAUTHORITY, HOME }: NodeJS.ProcessEnv): string[] {
  return [...(XAUTHORITY ? [XAUTHORITY] : []), ...(HOME ? [path.join(HOME, '.slime-secret')] : [])];
}

/**
 * Sockets in the file system at which somebody listens now: that they cannot be written to would keep nobody from connecting.
 * Those without a name there belong to the network.
 */
function listeningSockets(): string[] {
  const list = existsSync('/proc/net/unix') ? readFileSync('/proc/net/unix', 'utf8') : '';
  // Num RefCount Protocol Flags Type St Inode Path; the flag says that it listens.
  return list.split('\n').flatMap((line) => /^\S+ \S+ \S+ 00010000 \S+ \S+ +\d+ (\/.*)$/.exec(line)?.[1] ?? []);
}

/**
 * The variables that Lisp, ASDF and compilers go by, and those from which a program knows of the person's language and folders.
 * Whatever else is set may be a key or lead to a socket: nobody can list all names that secrets have.
 */
const KNOWN =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|PWD|LANG|LANGUAGE|LC_[A-Z]+|TZ|TZDIR|TERM|COLORTERM|NO_COLOR|COLUMNS|LINES|HOSTNAME|SBCL_[A-Z_]+|CL_SOURCE_REGISTRY|ASDF_[A-Z_]+|ASDF_OUTPUT_TRANSLATIONS|QUICKLISP_[A-Z_]+|ROSWELL_[A-Z_]+|XDG_(?:CONFIG|DATA)_(?:HOME|DIRS)|LD_LIBRARY_PATH|LIBRARY_PATH|CPATH|C_INCLUDE_PATH|PKG_CONFIG_PATH|CC|CXX|CFLAGS|CPPFLAGS|LDFLAGS|MAKEFLAGS|NIX_[A-Z_]*(?:PATH|PROFILES|CFLAGS_COMPILE|LDFLAGS|STORE|LD|SSL_CERT_FILE)|GUIX_[A-Z_]+|LOCALE_ARCHIVE|SOURCE_DATE_EPOCH)$/;

function known(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => KNOWN.test(name)));
}

interface Mount {
  readonly name: string;
  /** `mask` is for a file that can be neither read nor connected to. */
  readonly how: '--tmpfs' | '--bind' | '--ro-bind' | 'mask';
}

/** Returns a mount; null for a path that is not there: nothing can be put onto it in a tree that is read-only. */
function mount(name: string, how: Mount['how']): Mount | null {
  return existsSync(name) ? { name: realpathSync(name), how } : null;
}

function isFile(name: string): boolean {
  return existsSync(name) && !statSync(name).isDirectory();
}

function depth(name: string): number {
  return name.split('/').filter(Boolean).length;
}

function realOrSame(name: string): string {
  return existsSync(name) ? realpathSync(name) : path.resolve(name);
}
