/**
 * The operating system's sandbox around an image (G7). Unlike the guard, it also stops code that tries to bypass it. In the sandbox there
 * is no network, and only the files in the project's folder are writable. On Linux, bubblewrap creates the sandbox.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { WorkbenchError } from '#core/base/error.ts';

/** The paths that the sandbox hides from the code in it, and the paths that it makes accessible. */
export interface SandboxPaths {
  /** Folders that the code cannot even read: settings, tokens, audit, and the folder of the private socket. */
  readonly hidden: readonly string[];
  /** The folder of the cores. It is readable, and contains a separate cache of compiled files for each project. */
  readonly cache: string;
}

/** A sandbox for one image. */
export interface Sandbox {
  /** The program that creates the sandbox. */
  readonly builder: string;
  readonly paths: SandboxPaths;
}

/** A program with its arguments and environment. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * Arguments for a read-only system with its own devices, processes and sockets, and without a network.
 *
 * All of /proc is read-only, because root could write to /proc/sys even without capabilities. --die-with-parent is not used, because
 * bubblewrap ends with the image's first process, but checkpoints must continue in the sandbox. All processes end when their pipes are
 * closed, or with their group. If the pipe of an image is closed, the image ends everything in the sandbox; the variable
 * LISP_WORKBENCH_SANDBOX permits that.
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
 * Verifies that this machine can create a sandbox.
 * @throws WorkbenchError `no-image` with the reason and advice. If a sandbox is requested but not possible, no program starts.
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

/** The program that creates sandboxes on this machine, or the reason why there is none, with advice. */
type SandboxLook =
  | { readonly builder: string }
  | { readonly builder: null; readonly why: string; readonly mend: string | null };

/** Checks whether this machine can create a sandbox. */
export async function lookForSandbox(
  environment: NodeJS.ProcessEnv,
  directory: string,
  platform: NodeJS.Platform = process.platform,
): Promise<SandboxLook> {
  const none = (why: string, mend: string | null): SandboxLook => ({ builder: null, why, mend });
  if (platform !== 'linux') return none(`sandboxes are not supported on this system (${platform}) yet`, null);
  const builder = findBuilder(environment, directory);
  if (builder === null) return none('bubblewrap is not installed', 'Install bubblewrap (apt install bubblewrap)');
  const problem = await tryOut(builder);
  return problem === null
    ? { builder }
    : none(`this system does not allow bubblewrap to create a sandbox (${problem})`, 'Allow user namespaces');
}

/** Returns the only folder outside the sandbox that code in the sandbox can write; null if the image's directory is not a project. */
export function writableFolder(directory: string, { hidden }: SandboxPaths): string | null {
  return hidden.some((folder) => realOrSame(folder) === realOrSame(directory)) ? null : directory;
}

/**
 * Returns the launch of `inner` in the sandbox. `readable` are files that must be visible even if their folders are hidden.
 * @throws WorkbenchError `no-image` if the project folder is so large that there would be nothing left to protect.
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

/** The files that a sandbox makes available to its program or hides from it, and whether the network is available. */
export interface Confinement {
  /**
   * True if the machine's network is available to the program. A program with network access ends together with the process that started
   * it.
   */
  readonly network: boolean;
  /** Folders and files that the program cannot even read, in addition to the person's keys and listening sockets. */
  readonly hidden: readonly string[];
  /** Files and folders that are visible even if their parents are hidden. */
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** The folder in which the program starts. */
  readonly start: string;
}

/** Returns the command that creates a sandbox and starts a program in it. Missing paths are left out. */
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
  // Deeper paths are mounted later, so that shallower ones do not cover them: a hidden folder in the project, a project in /tmp.
  mounts.sort((one, other) => depth(one.name) - depth(other.name));
  const put = mounts.flatMap(({ how, name }) => {
    if (how === '--tmpfs') return [how, name];
    return how === 'mask' ? ['--ro-bind', '/dev/null', name] : [how, name, name];
  });
  const rest = network ? ['--die-with-parent'] : [NO_NETWORK];
  return { command: builder, args: [...BARE, ...rest, ...put, '--chdir', start, '--', command, ...args] };
}

function noSandbox(why: string, mend: string | null): WorkbenchError {
  const off = 'turn the sandbox off (in Settings; without a window, omit --sandbox)';
  return new WorkbenchError(
    'no-image',
    `The image is to run in a sandbox, but ${why}. It was not started without. ${mend === null ? `To start it, ${off}.` : `${mend}, or ${off}.`}`,
  );
}

/** Finds the program that creates sandboxes. Ignores programs in the project, because code in the sandbox could have planted one there. */
function findBuilder(environment: NodeJS.ProcessEnv, directory: string): string | null {
  const project = `${realOrSame(directory)}/`;
  const folders = (environment['PATH'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const builders = folders.map((folder) => path.join(folder, 'bwrap')).filter(existsSync);
  return builders.map((file) => realpathSync(file)).find((file) => !file.startsWith(project)) ?? null;
}

/** Resolves with the builder's error message if it cannot do what every sandbox needs; otherwise with null. */
function tryOut(builder: string): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(builder, [...BARE, NO_NETWORK, '--', '/bin/sh', '-c', ':'], { timeout: 10_000 }, (error, _out, said) =>
      resolve(error ? said.trim().split('\n').at(-1) || error.message : null),
    );
  });
}

/**
 * Returns a private folder for compiled files. Files that sandboxed code can write must never be loaded outside the sandbox or for another
 * project, so the person's own cache is not used.
 */
function compiledFolder(cache: string, directory: string): string {
  const key = createHash('sha256').update(directory).digest('hex').slice(0, 16);
  const folder = path.join(cache, 'sandbox', key);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Returns the folders to hide in addition to the workbench's own: the person's keys, and the folders of the session's sockets. */
function hiddenFolders(environment: NodeJS.ProcessEnv, hidden: readonly string[]): string[] {
  const home = environment['HOME'];
  const keys = home ? ['.ssh', '.gnupg'].map((name) => path.join(home, name)) : [];
  return [...hidden, ...keys, ...(environment['XDG_RUNTIME_DIR'] ? [environment['XDG_RUNTIME_DIR']] : [])];
}

/** Returns the files that give a program access to the display, or to SWANK as the person. */
function secretFiles({ XAUTHORITY, HOME }: NodeJS.ProcessEnv): string[] {
  return [...(XAUTHORITY ? [XAUTHORITY] : []), ...(HOME ? [path.join(HOME, '.slime-secret')] : [])];
}

/**
 * Returns the listening sockets in the file system. They must be hidden, because read-only access would not prevent connections. Sockets
 * without a path in the file system belong to the network namespace.
 */
function listeningSockets(): string[] {
  const list = existsSync('/proc/net/unix') ? readFileSync('/proc/net/unix', 'utf8') : '';
  // The fields of a line are: Num RefCount Protocol Flags Type St Inode Path. The matched flag marks a listening socket.
  return list.split('\n').flatMap((line) => /^\S+ \S+ \S+ 00010000 \S+ \S+ +\d+ (\/.*)$/.exec(line)?.[1] ?? []);
}

/**
 * The variables that Lisp, ASDF and compilers use, and those with the person's language and folders. Any other variable may be a key or
 * lead to a socket, because no list can contain the names of all secrets.
 */
const KNOWN =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|PWD|LANG|LANGUAGE|LC_[A-Z]+|TZ|TZDIR|TERM|COLORTERM|NO_COLOR|COLUMNS|LINES|HOSTNAME|SBCL_[A-Z_]+|CL_SOURCE_REGISTRY|ASDF_[A-Z_]+|ASDF_OUTPUT_TRANSLATIONS|QUICKLISP_[A-Z_]+|ROSWELL_[A-Z_]+|XDG_(?:CONFIG|DATA)_(?:HOME|DIRS)|LD_LIBRARY_PATH|LIBRARY_PATH|CPATH|C_INCLUDE_PATH|PKG_CONFIG_PATH|CC|CXX|CFLAGS|CPPFLAGS|LDFLAGS|MAKEFLAGS|NIX_[A-Z_]*(?:PATH|PROFILES|CFLAGS_COMPILE|LDFLAGS|STORE|LD|SSL_CERT_FILE)|GUIX_[A-Z_]+|LOCALE_ARCHIVE|SOURCE_DATE_EPOCH)$/;

function known(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => KNOWN.test(name)));
}

interface Mount {
  readonly name: string;
  /** `mask` makes a file unreadable, and a socket unusable. */
  readonly how: '--tmpfs' | '--bind' | '--ro-bind' | 'mask';
}

/** Returns a mount; null if the path does not exist, because no mount point can be created in a read-only tree. */
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
