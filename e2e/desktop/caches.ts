/**
 * Caches that the launches of one run of the tests share: cores, and the page's scripts as compiled. Both are made anew for each run,
 * since what lies in a cache from an earlier day must not decide whether its tests pass.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const VARIABLE = 'LISP_WORKBENCH_E2E_CACHES';

/** Launches until the browser has written the compiled scripts: it does so for those that it meets again. */
const LAUNCHES = 2;

/** Called by the test runner once, see `playwright.config.ts`. @returns what removes the caches again. */
export default async function makeCaches(): Promise<() => void> {
  const caches = mkdtempSync(path.join(tmpdir(), 'lisp-workbench-e2e-caches-'));
  process.env[VARIABLE] = caches;
  const [home, project] = [path.join(caches, 'home'), path.join(caches, 'project')];
  for (const folder of [home, project, cacheOfRun()]) mkdirSync(folder);
  // The stage of the unit tests has built the core from the same sources.
  const cores = process.env['LISP_WORKBENCH_RUN_CORES'];
  if (cores !== undefined) cpSync(cores, cacheOfRun(), { recursive: true });
  const { start } = await import('./launch.ts');
  for (let launch = 0; launch < LAUNCHES; launch += 1) {
    const { app, page } = await start({ home, project });
    await page.waitForFunction(async () => {
      const { session } = await window.workbench.call('app.snapshot', {});
      return session.state === 'idle';
    });
    await app.close();
  }
  if (existsSync(compiledScriptsOf(home))) renameSync(compiledScriptsOf(home), compiledScripts());
  return () => rmSync(caches, { recursive: true, force: true });
}

/** The folder of the cores of the run. */
export function cacheOfRun(): string {
  return path.join(cachesOfRun(), 'cores');
}

/** The folder of the compiled scripts of the run. */
export function compiledScripts(): string {
  return path.join(cachesOfRun(), 'scripts');
}

/** The folder in which the browser keeps the compiled scripts of a home. */
export function compiledScriptsOf(home: string): string {
  return path.join(home, 'config', 'window', 'Code Cache');
}

function cachesOfRun(): string {
  const caches = process.env[VARIABLE];
  if (caches === undefined) throw new Error('The tests were not started by their runner.');
  return caches;
}
