/**
 * Caches that the launches of a test run share: cores, and the page's compiled scripts. They are made again for each run, because an older
 * cache could influence the tests.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const VARIABLE = 'LISP_WORKBENCH_E2E_CACHES';

/**
 * The number of launches after which the browser has written the compiled scripts. It writes only scripts that it has loaded before, so one
 * launch is not enough.
 */
const LAUNCHES = 2;

/** Makes the caches. The test runner calls this once, see `playwright.config.ts`. @returns a function that removes the caches. */
export default async function makeCaches(): Promise<() => void> {
  const caches = mkdtempSync(path.join(tmpdir(), 'lisp-workbench-e2e-caches-'));
  process.env[VARIABLE] = caches;
  const [home, project] = [path.join(caches, 'home'), path.join(caches, 'project')];
  for (const folder of [home, project, cacheOfRun()]) mkdirSync(folder);
  // The stage with the unit tests has already built the core from the same sources.
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

/** Returns the folder of the run's cores. */
export function cacheOfRun(): string {
  return path.join(cachesOfRun(), 'cores');
}

/** Returns the folder of the run's compiled scripts. */
export function compiledScripts(): string {
  return path.join(cachesOfRun(), 'scripts');
}

/** Returns the folder in which the browser stores the compiled scripts of a home. */
export function compiledScriptsOf(home: string): string {
  return path.join(home, 'config', 'window', 'Code Cache');
}

function cachesOfRun(): string {
  const caches = process.env[VARIABLE];
  if (caches === undefined) throw new Error('The tests were not started by their runner.');
  return caches;
}
