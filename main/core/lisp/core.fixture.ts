/**
 * The core that the images of all tests start from. It is built before the first test, because timeouts of tests do not allow for a build.
 * Each test run builds a new one, so that old caches do not affect the results.
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

/**
 * A folder of cores that the stages of one run of all tests share, see `resources/gate/test.mjs`. It is empty at the beginning of a run.
 */
const SHARED = process.env['LISP_WORKBENCH_RUN_CORES'];

/** The folder of the test run, shared by its processes. */
export const TEST_CACHE = process.env[VARIABLE] ?? path.join(tmpdir(), 'lisp-workbench-no-test-runs');

/** Builds the core. The test runner calls this once, see `vitest.config.ts`. @returns a function that removes the core. */
export default async function buildCore(): Promise<() => void> {
  const cache = mkdtempSync(path.join(tmpdir(), 'lisp-workbench-test-cache-'));
  process.env[VARIABLE] = cache;
  // Tests start the commands several hundred times from their sources; with this cache they are compiled once. The folder is never deleted,
  // because processes write into it as they exit, the runner last of all. Its entries depend on the content of the sources.
  process.env['NODE_COMPILE_CACHE'] = path.resolve(import.meta.dirname, '../../../out/compile-cache');
  const { core } = await ensureRuntime(await findSbcl(null, process.env), findSources(import.meta.dirname), cache);
  if (SHARED !== undefined) await copyFile(core, path.join(SHARED, path.basename(core)));
  removeLeftCores(); // cores of a killed run
  return () => {
    // A process that a test left running may still write there.
    rmSync(cache, { recursive: true, force: true, maxRetries: 5 });
    removeLeftCores(); // workers end without running their exit handlers
  };
}

/** Makes a folder of cores for an SBCL that lacks `without`, see `ensureRuntime`. The caller removes the folder. */
export async function cacheWithout(without: readonly string[]): Promise<string> {
  const cache = await mkdtemp(path.join(tmpdir(), 'lisp-workbench-test-cache-'));
  const [sbcl, sources] = [await findSbcl(null, process.env), findSources(import.meta.dirname)];
  const { core } = await ensureRuntime(sbcl, sources, cache, without);
  await rename(core, path.join(cache, await coreName(sbcl, sources)));
  return cache;
}
