/**
 * The core that the images of all tests start from. It is built before the first test, whose guards know nothing of a build,
 * and for each run of the tests anew: what lies in a cache from an earlier day must not decide whether they pass.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdtemp, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { coreName, ensureRuntime } from './runtime.ts';
import { findSbcl } from './sbcl.ts';
import { findSources } from './sources.ts';

const VARIABLE = 'LISP_WORKBENCH_TEST_CACHE';

/** The folder of the run, shared by its processes. */
export const TEST_CACHE = process.env[VARIABLE] ?? path.join(tmpdir(), 'lisp-workbench-no-test-runs');

/** Called by the test runner once, see `vitest.config.ts`. @returns what removes the core again. */
export default async function buildCore(): Promise<() => void> {
  const cache = mkdtempSync(path.join(tmpdir(), 'lisp-workbench-test-cache-'));
  process.env[VARIABLE] = cache;
  await ensureRuntime(await findSbcl(null, process.env), findSources(import.meta.dirname), cache);
  return () => rmSync(cache, { recursive: true, force: true });
}

/** A folder of cores as of an SBCL that lacks `without`, see `ensureRuntime`. Whoever asks for it removes it. */
export async function cacheWithout(without: readonly string[]): Promise<string> {
  const cache = await mkdtemp(path.join(tmpdir(), 'lisp-workbench-test-cache-'));
  const [sbcl, sources] = [await findSbcl(null, process.env), findSources(import.meta.dirname)];
  const { core } = await ensureRuntime(sbcl, sources, cache, without);
  await rename(core, path.join(cache, await coreName(sbcl, sources)));
  return cache;
}
