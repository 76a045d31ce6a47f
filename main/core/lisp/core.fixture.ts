/**
 * The core that the images of all tests start from. It is built before the first test, whose guards know nothing of a build,
 * and for each run of the tests anew: what lies in a cache from an earlier day must not decide whether they pass.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { copyFile, mkdtemp, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { removeLeftCores } from './start/own-core-folder.ts';
import { coreName, ensureRuntime } from './start/runtime.ts';
import { findSbcl } from './start/sbcl.ts';
import { findSources } from './start/sources.ts';

const VARIABLE = 'LISP_WORKBENCH_TEST_CACHE';

/** A folder of cores that the stages of one run of all tests share, see `resources/gate/test.mjs`. Each run begins with an empty one. */
const SHARED = process.env['LISP_WORKBENCH_RUN_CORES'];

/** The folder of the run, shared by its processes. */
export const TEST_CACHE = process.env[VARIABLE] ?? path.join(tmpdir(), 'lisp-workbench-no-test-runs');

/** Called by the test runner once, see `vitest.config.ts`. @returns what removes the core again. */
export default async function buildCore(): Promise<() => void> {
  const cache = mkdtempSync(path.join(tmpdir(), 'lisp-workbench-test-cache-'));
  process.env[VARIABLE] = cache;
  // Tests start the commands several hundred times from their sources, which are compiled once so. The folder stays: processes write
  // into it as they exit, the runner itself last of all, and what is found there goes by the content of the source.
  process.env['NODE_COMPILE_CACHE'] = path.resolve(import.meta.dirname, '../../../out/compile-cache');
  const { core } = await ensureRuntime(await findSbcl(null, process.env), findSources(import.meta.dirname), cache);
  if (SHARED !== undefined) await copyFile(core, path.join(SHARED, path.basename(core)));
  removeLeftCores(); // of a run that was killed
  return () => {
    // A process that a test left to end by itself may still write there.
    rmSync(cache, { recursive: true, force: true, maxRetries: 5 });
    removeLeftCores(); // workers are ended without their exit handlers
  };
}

/** A folder of cores as of an SBCL that lacks `without`, see `ensureRuntime`. Whoever asks for it removes it. */
export async function cacheWithout(without: readonly string[]): Promise<string> {
  const cache = await mkdtemp(path.join(tmpdir(), 'lisp-workbench-test-cache-'));
  const [sbcl, sources] = [await findSbcl(null, process.env), findSources(import.meta.dirname)];
  const { core } = await ensureRuntime(sbcl, sources, cache, without);
  await rename(core, path.join(cache, await coreName(sbcl, sources)));
  return cache;
}
