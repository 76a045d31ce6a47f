/**
 * The folders in which the workbench stores its files. LISP_WORKBENCH_HOME moves all of them; otherwise they are in the system's usual
 * places.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { systemCode, WorkbenchError } from '#core/base/error.ts';

export interface Paths {
  /** Settings, clients, window state. */
  readonly config: string;
  /** Cores; may be deleted at any time. */
  readonly cache: string;
  /** Audit. */
  readonly state: string;
  /** Address of the private socket on which the desktop accepts connections from the stdio command: a path, or a named pipe on Windows. */
  readonly socket: string;
}

const APP = 'lisp-workbench';

/** Returns the paths for this environment, without creating anything. */
export function findPaths(
  environment: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): Paths {
  const home = environment['LISP_WORKBENCH_HOME'] || null;
  const folders = home ? within(path.resolve(home)) : usual(environment, platform);
  return { ...folders, socket: socketOf(folders.config, environment, platform) };
}

/**
 * Creates the folders, readable only by their owner. Resolves links in their names once, because effects of code are reported with real
 * paths and are compared with these.
 * @throws WorkbenchError `system` with advice if a folder cannot be created.
 */
export function createPaths(paths: Paths): Paths {
  for (const folder of [paths.config, paths.cache, paths.state]) create(folder);
  if (process.platform !== 'win32') create(path.dirname(paths.socket));
  const { config, cache, state, socket } = paths;
  return { config: realpathSync(config), cache: realpathSync(cache), state: realpathSync(state), socket };
}

function create(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new WorkbenchError(
      'system',
      `The folder ${folder} cannot be created (${systemCode(error) ?? String(error)}). Set LISP_WORKBENCH_HOME to store everything in another folder.`,
      { cause: error },
    );
  }
}

function within(home: string): Omit<Paths, 'socket'> {
  return { config: path.join(home, 'config'), cache: path.join(home, 'cache'), state: path.join(home, 'state') };
}

function usual(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): Omit<Paths, 'socket'> {
  const user = environment['HOME'] || homedir();
  if (platform === 'darwin') {
    const support = path.join(user, 'Library', 'Application Support', APP);
    return { config: support, cache: path.join(user, 'Library', 'Caches', APP), state: path.join(support, 'state') };
  }
  if (platform === 'win32') {
    const roaming = environment['APPDATA'] ?? path.join(user, 'AppData', 'Roaming');
    const local = environment['LOCALAPPDATA'] ?? path.join(user, 'AppData', 'Local');
    return {
      config: path.join(roaming, APP),
      cache: path.join(local, APP, 'cache'),
      state: path.join(local, APP, 'state'),
    };
  }
  const xdg = (name: string, fallback: string): string =>
    path.join(environment[name] || path.join(user, fallback), APP);
  return {
    config: xdg('XDG_CONFIG_HOME', '.config'),
    cache: xdg('XDG_CACHE_HOME', '.cache'),
    state: xdg('XDG_STATE_HOME', '.local/state'),
  };
}

/**
 * Returns the socket's address. Socket paths are limited to 108 bytes, so the name contains a digest of the home folder instead of its
 * path.
 */
function socketOf(config: string, environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  const name = `${APP}-${createHash('sha256').update(config).digest('hex').slice(0, 12)}`;
  if (platform === 'win32') return `\\\\.\\pipe\\${name}`;
  const folder =
    environment['XDG_RUNTIME_DIR'] || usualRuntime() || path.join(tmpdir(), `${APP}-${process.getuid?.() ?? 0}`);
  return path.join(folder, `${name}.sock`);
}

/**
 * Returns the usual runtime folder. Clients often start the stdio command without XDG_RUNTIME_DIR, and it must still find the desktop's
 * socket.
 */
function usualRuntime(): string | null {
  const folder = `/run/user/${process.getuid?.() ?? ''}`;
  return process.platform === 'linux' && existsSync(folder) ? folder : null;
}

/** Returns the variables that another process needs to find the same paths if it is started with an almost empty environment. */
export function leadingEnvironment(environment: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const named = ['LISP_WORKBENCH_HOME', 'XDG_CONFIG_HOME', 'XDG_RUNTIME_DIR'];
  const set = named.flatMap((name) => (environment[name] ? [[name, environment[name]] as const] : []));
  return Object.fromEntries(set.filter(([name, value]) => name !== 'XDG_RUNTIME_DIR' || value !== usualRuntime()));
}
