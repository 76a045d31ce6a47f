/** A folder of cores for each run of the tests: what lies in a cache from an earlier day must not decide whether they pass. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const VARIABLE = 'LISP_WORKBENCH_E2E_CACHE';

/** Called by the test runner once, see `playwright.config.ts`. @returns what removes the cores again. */
export default function makeCache(): () => void {
  const cache = mkdtempSync(path.join(tmpdir(), 'lisp-workbench-e2e-cache-'));
  process.env[VARIABLE] = cache;
  return () => rmSync(cache, { recursive: true, force: true });
}

export function cacheOfRun(): string {
  const cache = process.env[VARIABLE];
  if (cache === undefined) throw new Error('The tests were not started by their runner.');
  return cache;
}
