/**
 * The wall: the operating system's sandbox around an image (G7). Unlike the guard it holds code that is made to get past it:
 * no network, and of what is outside only the project's folder can be written. On Linux bubblewrap builds it.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { WorkbenchError } from '#core/error.ts';

/** What the wall keeps from the code behind it, and lets it have. */
export interface WallPlaces {
  /** Folders that the code may not even read: settings, tokens, audit, and where the private socket is. */
  readonly hidden: readonly string[];
  /** Folder of the cores. It can be read; below it each project has a cache of compiled files of its own. */
  readonly cache: string;
}

/** A wall for one image. */
export interface Wall {
  /** The program that builds it. */
  readonly builder: string;
  readonly places: WallPlaces;
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
 * left out: bubblewrap ends with the first life of the image, and checkpoints of it go on behind the wall. All of them end
 * when their pipes do, and with their group.
 */
const BARE = [
  ['--ro-bind', '/', '/'],
  ['--dev', '/dev'],
  ['--proc', '/proc'],
  ['--remount-ro', '/proc'],
  ['--unshare-net', '--unshare-ipc', '--unshare-pid', '--cap-drop', 'ALL'],
].flat();

/**
 * Makes sure that a wall can be had on this machine.
 * @throws WorkbenchError `no-image` with why not and what to do: nothing is ever started without the wall that was wanted.
 */
export async function prepareWall(
  places: WallPlaces,
  environment: NodeJS.ProcessEnv,
  directory: string,
  platform: NodeJS.Platform = process.platform,
): Promise<Wall> {
  if (platform !== 'linux') throw noWall(`there is none for this system (${platform}) yet`, null);
  const builder = findBuilder(environment, directory);
  if (builder === null) throw noWall('bubblewrap is not installed', 'Install bubblewrap (apt install bubblewrap)');
  const problem = await tryOut(builder);
  if (problem !== null)
    throw noWall(`this system does not let bubblewrap make one (${problem})`, 'Allow user namespaces');
  return { builder, places };
}

/** The one folder outside that code behind the wall can write; null where the image's directory is none of a project. */
export function writableFolder(directory: string, { hidden }: WallPlaces): string | null {
  return hidden.some((folder) => realOrSame(folder) === realOrSame(directory)) ? null : directory;
}

/**
 * `inner` behind the wall. `readable` are files that must be there whatever is hidden.
 * @throws WorkbenchError `no-image` for a project folder that would leave nothing to protect.
 */
export function behindWall(
  { builder, places }: Wall,
  inner: Launch,
  directory: string,
  readable: readonly string[],
): Launch {
  const folder = writableFolder(directory, places);
  if (folder !== null && realOrSame(folder) === '/')
    throw noWall('the project is the whole file system', 'Open a smaller folder');
  const compiled = compiledFolder(places.cache, directory);
  const mounts = [
    ...['/tmp', '/var/tmp', '/run'].map((name) => mount(name, '--tmpfs')),
    ...hiddenFolders(inner.environment, places).map((name) => mount(name, '--tmpfs')),
    ...[...listeningSockets(), ...(inner.environment['XAUTHORITY'] ? [inner.environment['XAUTHORITY']] : [])].map(
      (name) => mount(name, 'mask'),
    ),
    mount(places.cache, '--ro-bind'),
    ...(folder === null ? [] : [mount(folder, '--bind')]),
    mount(compiled, '--bind'),
    ...[inner.command, ...readable].map((file) => mount(file, '--ro-bind')),
  ].filter((each) => each !== null);
  // The deeper one comes later, so that it is not covered: a hidden folder in the project, a project in /tmp.
  mounts.sort((one, other) => depth(one.name) - depth(other.name));
  const put = mounts.flatMap(({ how, name }) => {
    if (how === '--tmpfs') return [how, name];
    return how === 'mask' ? ['--ro-bind', '/dev/null', name] : [how, name, name];
  });
  const start = folder === null ? '/tmp' : realOrSame(folder);
  return {
    command: builder,
    args: [...BARE, ...put, '--chdir', start, '--', inner.command, ...inner.args],
    environment: { ...withoutSockets(inner.environment), XDG_CACHE_HOME: compiled },
  };
}

function noWall(why: string, mend: string | null): WorkbenchError {
  const off = 'switch the sandbox off (in Settings; without a window leave out --sandbox)';
  return new WorkbenchError(
    'no-image',
    `The image is to run in a sandbox, but ${why}. It was not started without. ${mend === null ? `To start it, ${off}.` : `${mend}, or ${off}.`}`,
  );
}

/** Not one of the project's: code behind the wall could have put it there for the next start. */
function findBuilder(environment: NodeJS.ProcessEnv, directory: string): string | null {
  const project = `${realOrSame(directory)}/`;
  const folders = (environment['PATH'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const builders = folders.map((folder) => path.join(folder, 'bwrap')).filter(existsSync);
  return builders.map((file) => realpathSync(file)).find((file) => !file.startsWith(project)) ?? null;
}

/** What the builder says when it cannot do what every wall needs; null when it can. */
function tryOut(builder: string): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(builder, [...BARE, '--', '/bin/sh', '-c', ':'], { timeout: 10_000 }, (error, _out, said) =>
      resolve(error ? said.trim().split('\n').at(-1) || error.message : null),
    );
  });
}

/**
 * Compiled files that code behind the wall could write must never be loaded outside it, nor for another project: so none of
 * the person's own cache.
 */
function compiledFolder(cache: string, directory: string): string {
  const key = createHash('sha256').update(directory).digest('hex').slice(0, 16);
  const folder = path.join(cache, 'sandbox', key);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Beside what is ours: the person's keys, and where the session's own sockets are. */
function hiddenFolders(environment: NodeJS.ProcessEnv, { hidden }: WallPlaces): string[] {
  const home = environment['HOME'];
  const keys = home ? ['.ssh', '.gnupg'].map((name) => path.join(home, name)) : [];
  return [...hidden, ...keys, ...(environment['XDG_RUNTIME_DIR'] ? [environment['XDG_RUNTIME_DIR']] : [])];
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

const LEADS_OUT =
  /^(DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_RUNTIME_DIR|SSH_AUTH_SOCK|SSH_AGENT_PID|GPG_AGENT_INFO|DBUS_\w+|TMPDIR|TMP|TEMP)$/;

function withoutSockets(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !LEADS_OUT.test(name)));
}

interface Mount {
  readonly name: string;
  /** `mask` is for a file that can be neither read nor connected to. */
  readonly how: '--tmpfs' | '--bind' | '--ro-bind' | 'mask';
}

/** Null for what is not there: nothing can be put onto it in a tree that is read-only. */
function mount(name: string, how: Mount['how']): Mount | null {
  return existsSync(name) ? { name: realpathSync(name), how } : null;
}

function depth(name: string): number {
  return name.split('/').filter(Boolean).length;
}

function realOrSame(name: string): string {
  return existsSync(name) ? realpathSync(name) : path.resolve(name);
}
