/**
 * The core from which the images of all tests start. It is built before the first test, because the timeouts of tests are too short for a
 * build. Each test run builds a new core, because old caches could affect the results.
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

/** A folder of cores that all stages of a complete test run share; see `resources/gate/test.mjs`. It is empty when the run begins. */
const SHARED = process.env['LISP_WORKBENCH_RUN_CORES'];

/** The folder of the test run, shared by its processes. */
export const TEST_CACHE = process.env[VARIABLE] ?? path.join(tmpdir(), 'lisp-workbench-no-test-runs');

/** Builds the core. The test runner calls this once; see `vitest.config.ts`. @returns a function that removes the core. */
export default async function buildCore(): Promise<() => void> {
  const cache = mkdtempSync(path.join(tmpdir(), 'lisp-workbench-test-cache-'));
  process.env[VARIABLE] = cache;
  // Tests start the commands several hundred times from their sources. With this cache the sources are compiled only once. The folder is
  // never deleted, because processes write into it when they exit, and the test runner exits last. The names of its entries depend on the
  // content of the sources.
  process.env['NODE_COMPILE_CACHE'] = path.resolve(import.meta.dirname, '../../../out/compile-cache');
  const { core } = await ensureRuntime(await findSbcl(null, process.env), findSources(import.meta.dirname), cache);
  if (SHARED !== undefined) await copyFile(core, path.join(SHARED, path.basename(core)));
  removeLeftCores(); // removes the cores of a run that was killed
  return () => {
    // Retries, because a process that a test left running may still write into the folder.
    rmSync(cache, { recursive: true, force: true, maxRetries: 5 });
    removeLeftCores(); // removes the cores of workers, which end without running their exit handlers
  };
}

/** Makes a folder of cores for an SBCL that lacks the names in `without`; see `ensureRuntime`. The caller removes the folder. */
export async function cacheWithout(without: readonly string[]): Promise<string> {
  const cache = await mkdtemp(path.join(tmpdir(), 'lisp-workbench-test-cache-'));
  const [sbcl, sources] = [await findSbcl(null, process.env), findSources(import.meta.dirname)];
  const { core } = await ensureRuntime(sbcl, sources, cache, without);
  await rename(core, path.join(cache, await coreName(sbcl, sources)));
  return cache;
}
