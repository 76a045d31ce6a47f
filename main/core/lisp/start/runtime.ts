/** The core file that images start from. It is built once from the engine's sources and this SBCL, and then cached. */
import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import path from 'node:path';
import { messageOf, WorkbenchError } from '#core/base/error.ts';
import { digestOf } from './engine-files.ts';
import { ownCoreFolder } from './own-core-folder.ts';
import type { Sbcl } from './sbcl.ts';

export interface Runtime {
  readonly sbcl: Sbcl;
  readonly core: string;
}

/** Cores that have not been used for this long are removed when a new core is built. */
const KEEP_UNUSED_MS = 30 * 24 * 3600 * 1000;
/** The time, in milliseconds, after which a core build counts as hung. A slow and busy machine needs minutes. */
const BUILD_LIMIT_MS = 600_000;

/**
 * Returns the core for `sbcl` and the engine in `sources`: the packaged one, or one from the cache. A missing core is built. Two processes
 * may build at the same time: each writes its own file, and the last rename wins. If the cache is not writable, the core exists only as
 * long as this process.
 *
 * `missing` lists internals of SBCL, such as `SB-DI:EVAL-IN-FRAME`, or packages with a colon, that are treated as missing, for tests of
 * that case. If it contains `FOLLOWING`, the guard of the core does not track authors, see `lisp/authorship`; the environment variable
 * `LISP_WORKBENCH_FOLLOWING` has the same effect. `onBuild` is called when the core must be built, which takes some seconds.
 * @throws WorkbenchError `no-sbcl` with the last lines of the build.
 */
export async function ensureRuntime(
  sbcl: Sbcl,
  sources: string,
  cache: string,
  missing: readonly string[] = [],
  onBuild: () => void = () => {},
): Promise<Runtime> {
  const without = withSwitches(missing);
  const shipped = sbcl.shipped?.core;
  if (shipped !== undefined && without.length === 0 && !damaged.has(shipped) && existsSync(shipped))
    return { sbcl, core: shipped };
  const name = await coreName(sbcl, sources, without);
  const kept = path.join(cache, name);
  const stuck = damaged.has(kept);
  if (existsSync(kept) && !stuck) return { sbcl, core: kept };
  const core = !stuck && (await canWrite(cache)) ? kept : path.join(ownCoreFolder(), name);
  if (core === kept || !existsSync(core)) {
    onBuild();
    const underway = building.get(core) ?? buildInto(sbcl, sources, core, { without });
    building.set(core, underway);
    await underway.finally(() => building.delete(core));
  }
  return { sbcl, core };
}

/** Returns the file name of the core for `sbcl` and the engine in `sources`. @internal Exported for its test. */
export async function coreName(sbcl: Sbcl, sources: string, missing: readonly string[] = []): Promise<string> {
  const without = withSwitches(missing);
  const key = createHash('sha256')
    .update(sbcl.identity)
    .update(digestOf(sources))
    .update(without.join(' '))
    .digest('hex')
    .slice(0, 24);
  return `engine-${key}.core`;
}

/** Returns the internals to treat as missing, including the parts of the engine that the environment turns off. */
function withSwitches(missing: readonly string[]): readonly string[] {
  const off = process.env['LISP_WORKBENCH_FOLLOWING'] === 'off' && !missing.includes('FOLLOWING');
  return off ? [...missing, 'FOLLOWING'] : missing;
}

/** The running builds of this process. Images that start at the same time wait for the same build. */
const building = new Map<string, Promise<void>>();

/** Cores that failed and cannot be replaced, because they could not be removed or belong to the package. */
const damaged = new Set<string>();

async function canWrite(cache: string): Promise<boolean> {
  const probe = path.join(cache, `engine-${randomUUID()}.part`);
  try {
    await mkdir(cache, { recursive: true, mode: 0o700 });
    await writeFile(probe, '', { flag: 'wx' });
    await rm(probe);
    return true;
  } catch {
    return false;
  }
}

/** The contents of a core: `without` lists internals that are treated as missing, and `client` is the setup file of a Quicklisp client. */
interface CoreParts {
  readonly without?: readonly string[];
  readonly client?: string;
}

/** Builds a core and stores it in the file `core`. @throws WorkbenchError `no-sbcl` with the last lines of the build. */
export async function buildInto(sbcl: Sbcl, sources: string, core: string, parts: CoreParts): Promise<void> {
  const cache = path.dirname(core);
  await mkdir(cache, { recursive: true, mode: 0o700 });
  const unfinished = path.join(cache, `${path.basename(core, '.core')}.${process.pid}-${randomUUID()}.part`);
  try {
    await build(sbcl, sources, unfinished, parts);
    await rename(unfinished, core);
  } finally {
    await rm(unfinished, { force: true });
  }
  await removeUnused(cache, core);
}

/** Discards a core that failed before its image was ready. The next start then builds the core again. */
export async function discardRuntime(runtime: Runtime): Promise<void> {
  // The packaged core cannot be replaced by a new build.
  if (runtime.core === runtime.sbcl.shipped?.core) damaged.add(runtime.core);
  // A saved image belongs to the person and is never deleted.
  if (!path.basename(runtime.core).startsWith('engine-')) return;
  await rm(runtime.core, { force: true }).catch(() => damaged.add(runtime.core));
}

function build(sbcl: Sbcl, sources: string, target: string, { without = [], client = '' }: CoreParts): Promise<void> {
  const child = spawn(
    sbcl.path,
    ['--noinform', '--non-interactive', '--no-sysinit', '--no-userinit', '--load', path.join(sources, 'build.lisp')],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        LISP_WORKBENCH_CORE: target,
        LISP_WORKBENCH_WITHOUT: without.join(' '),
        LISP_WORKBENCH_CLIENT: client,
      },
      timeout: BUILD_LIMIT_MS,
    },
  );
  // Nobody waits for a core with a client: images start from the engine's core until it exists.
  if (client !== '') lowerPriority(child.pid);
  let said = '';
  const keep = (chunk: Buffer): void => {
    said = (said + chunk.toString()).slice(-8000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  return new Promise((resolve, reject) => {
    child.on('error', (error) =>
      reject(new WorkbenchError('no-sbcl', `${sbcl.path} could not be started: ${messageOf(error)}.`)),
    );
    child.on('close', (code) => {
      if (code === 0 && existsSync(target)) resolve();
      else
        reject(
          new WorkbenchError(
            'no-sbcl',
            `SBCL ${sbcl.version} could not build the engine's core (exit code ${code}): ${lastLines(said)}`,
          ),
        );
    });
  });
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The process has ended, or this system does not allow it.
  }
}

function lastLines(said: string): string {
  const lacks = /^SBCL \S+ lacks .*$/m.exec(said)?.[0];
  return lacks ?? said.trim().split('\n').slice(-6).join('\n');
}

async function removeUnused(cache: string, keep: string): Promise<void> {
  for (const name of await readdir(cache)) {
    const file = path.join(cache, name);
    if (file === keep || !/^engine-.*\.(core|part)$/.test(name)) continue;
    const { atimeMs, mtimeMs } = await stat(file).catch(() => ({ atimeMs: Infinity, mtimeMs: Infinity }));
    if (Date.now() - Math.max(atimeMs, mtimeMs) > KEEP_UNUSED_MS) await rm(file, { force: true });
  }
}
