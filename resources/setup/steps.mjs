/**
 * The steps of a setup, in order. Each step first checks whether a part is missing, and does something only in that case, so a second run
 * does nothing. The caller (npm start, npm test, npm run cli) specifies the purpose.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { buildCore, findCore } from './core.mjs';
import { debianPackages } from './debian.mjs';
import { electronRuntime, installElectron } from './electron-runtime.mjs';
import { withLock } from './lock.mjs';
import { newestSbclStep } from './newest-sbcl.mjs';
import { installNodeModules, nodeModulesAreCurrent } from './node-modules.mjs';
import { cacheFolder, root } from './places.mjs';
import { SetupProblem } from './report.mjs';
import { findSbcl, installSbcl } from './sbcl.mjs';

/**
 * @typedef {object} Step
 * @property {string} name of its lock
 * @property {() => string | undefined} check what is there, in a few words; undefined when something is missing
 * @property {(report: ReturnType<import('./report.mjs').createReport>) => Promise<void>} mend gets it, or throws a SetupProblem
 */

const nodeVersion = {
  name: 'node',
  check: () => (Number(process.versions.node.split('.')[0]) >= 20 ? `Node ${process.versions.node}` : undefined),
  mend: () => {
    throw new SetupProblem(
      `Node ${process.versions.node} is too old: Node 20 or newer is needed. See https://nodejs.org/.`,
    );
  },
};

const nodeModules = {
  name: `packages-${createHash('sha256').update(root).digest('hex').slice(0, 12)}`,
  check: () => (nodeModulesAreCurrent() ? 'npm packages' : undefined),
  mend: installNodeModules,
};

const libraries = (purpose) => ({ name: 'apt', ...debianPackages(purpose) });

const sbcl = { name: 'apt', check: () => findSbcl()?.title, mend: installSbcl };

const newest = { name: 'newest-sbcl', ...newestSbclStep };

const electron = { name: 'electron', check: () => electronRuntime()?.title, mend: installElectron };

/** The core that images start from. Without it, the first evaluation takes several seconds. */
const core = { name: 'core', check: findCore, mend: buildCore };

const STEPS = {
  desktop: [nodeVersion, nodeModules, libraries('desktop'), sbcl, core, electron],
  tests: [nodeVersion, nodeModules, libraries('tests'), sbcl, newest, electron],
  commands: [nodeVersion, nodeModules, sbcl, core],
  packages: [nodeVersion, nodeModules, libraries('packages'), sbcl, electron],
  indentation: [nodeVersion, nodeModules, libraries('indentation'), sbcl],
};

/** Prepares everything for `purpose`. @throws SetupProblem if this is impossible. */
export async function setUp(purpose, report) {
  for (const step of STEPS[purpose]) {
    const started = Date.now();
    const found = step.check();
    if (found !== undefined) {
      report.ready(found);
      continue;
    }
    const mended = await withLock(
      join(cacheFolder(), `${step.name}.lock`),
      async () => {
        // Another setup may have completed this step while this one was waiting.
        if (step.check() === undefined) await step.mend(report);
        return step.check();
      },
      (pid) => report.line(`… waiting for another setup (process ${pid})`),
    );
    if (mended === undefined)
      throw new SetupProblem('The step above ended without an error, but what it should bring is still missing.');
    report.done(mended, started);
  }
}
