/** Finds an SBCL, or reports clearly why there is no usable one. */
import { execFile } from 'node:child_process';
import { access, constants, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { messageOf, WorkbenchError } from '#core/base/error.ts';
import { shippedBeside, type Shipped } from './shipped.ts';

const run = promisify(execFile);

/** The oldest SBCL that the engine supports. */
export const OLDEST_SBCL = [2, 2, 9] as const;

export interface Sbcl {
  readonly path: string;
  /** The version as printed by `sbcl --version`, without the name: `2.2.9.debian`. */
  readonly version: string;
  /** A value that changes when the file at `path`, or the core that it starts from, is replaced. */
  readonly identity: string;
  /** The package that contains the SBCL; null for an SBCL that is installed on the machine. */
  readonly shipped: Shipped | null;
}

/**
 * Returns the SBCL to run: `wanted` (from a flag, setting or LISP_WORKBENCH_SBCL), otherwise the packaged one, otherwise the first on the
 * PATH or in the usual places. `sources` is the engine's folder; a packaged SBCL is beside it. With null, a packaged SBCL is ignored.
 * @throws WorkbenchError `no-sbcl` with advice.
 */
export async function findSbcl(
  wanted: string | null,
  environment: NodeJS.ProcessEnv = process.env,
  sources: string | null = null,
): Promise<Sbcl> {
  const shipped = wanted || sources === null ? null : shippedBeside(sources);
  const own = shipped && (await executable(shipped.program));
  const found =
    own ?? (wanted ? await executable(path.resolve(wanted)) : await firstExecutable(candidates(environment)));
  if (!found)
    throw new WorkbenchError(
      'no-sbcl',
      wanted ? `There is no program at ${wanted}. ${mend()}` : `SBCL is not installed. ${mend()}`,
    );
  const version = await versionOf(found);
  if (!isRecent(version)) {
    throw new WorkbenchError(
      'no-sbcl',
      `${found} is SBCL ${version}, but Lisp Workbench needs ${OLDEST_SBCL.join('.')} or newer. ${mend()}`,
    );
  }
  // The identity has no path, because a package such as an AppImage can have another path at each run.
  if (own) return { path: own, version, identity: `shipped:${version}:${(await stat(own)).size}`, shipped };
  const files = [await stampOf(found), await coreStamp(found, environment)];
  return { path: found, version, identity: [found, version, ...files].join(':'), shipped: null };
}

async function stampOf(file: string): Promise<string | null> {
  const known = await stat(file).catch(() => null);
  return known && `${known.size}:${known.mtimeMs}`;
}

/** Returns a stamp of SBCL's default core. Looks for the core in the same places as SBCL itself. */
async function coreStamp(program: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const homes = [environment['SBCL_HOME'], path.join(path.dirname(program), '..', 'lib', 'sbcl')];
  for (const home of [...homes, '/usr/local/lib/sbcl', '/usr/lib/sbcl']) {
    const stamp = home ? await stampOf(path.join(home, 'sbcl.core')) : null;
    if (stamp !== null) return stamp;
  }
  return '';
}

/** Returns true if a version such as `2.2.9.debian` is recent enough. */
export function isRecent(version: string): boolean {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10));
  for (const [index, least] of OLDEST_SBCL.entries()) {
    const part = parts[index];
    if (part === undefined || Number.isNaN(part)) return false;
    if (part !== least) return part > least;
  }
  return true;
}

/** Returns a sentence about how to install SBCL on this system. @internal Exported for its test. */
export function mend(platform: NodeJS.Platform = process.platform): string {
  const install = {
    linux: 'sudo apt-get install sbcl',
    darwin: 'brew install sbcl',
    win32: 'winget install SBCL.SBCL',
  }[platform as string];
  return `Install it${install ? ` (${install})` : ' from sbcl.org'}, or choose another SBCL in Settings, with LISP_WORKBENCH_SBCL or with --sbcl.`;
}

function candidates(environment: NodeJS.ProcessEnv): string[] {
  const name = process.platform === 'win32' ? 'sbcl.exe' : 'sbcl';
  const folders = (environment['PATH'] ?? '').split(path.delimiter).filter(Boolean);
  const usual =
    process.platform === 'win32'
      ? ['C:\\Program Files\\Steel Bank Common Lisp']
      : ['/usr/local/bin', '/usr/bin', '/opt/homebrew/bin', '/opt/local/bin'];
  return [...folders, ...usual].map((folder) => path.join(folder, name));
}

async function firstExecutable(paths: string[]): Promise<string | null> {
  for (const candidate of paths) {
    const found = await executable(candidate);
    if (found) return found;
  }
  return null;
}

async function executable(candidate: string): Promise<string | null> {
  try {
    await access(candidate, constants.X_OK);
    return (await stat(candidate)).isFile() ? await realpath(candidate) : null;
  } catch {
    return null;
  }
}

/**
 * The time limit for `--version`, in milliseconds. It is long because a busy machine may delay the output, and output that comes later is
 * lost.
 */
const MOST_FOR_VERSION = 60_000;

async function versionOf(program: string): Promise<string> {
  let said: string;
  try {
    said = (await run(program, ['--version'], { timeout: MOST_FOR_VERSION })).stdout.trim();
  } catch (error) {
    throw new WorkbenchError('no-sbcl', `${program} cannot be run: ${messageOf(error).split('\n')[0]}. ${mend()}`, {
      cause: error,
    });
  }
  const version = /^SBCL (\S+)$/.exec(said)?.[1];
  if (!version)
    throw new WorkbenchError(
      'no-sbcl',
      `${program} is not SBCL: it answered ${JSON.stringify(said.slice(0, 60))} to --version. ${mend()}`,
    );
  return version;
}
