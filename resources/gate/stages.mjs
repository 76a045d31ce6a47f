/** The stages of `npm test`, in the order in which a mistake is cheapest to find. Each returns `{ title, passed }` a test. */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { build } from '../setup/build.mjs';
import { affectedBy, changedFiles } from './changed.mjs';
import { run } from '../setup/children.mjs';
import { canInstall } from '../setup/debian.mjs';
import { checkLayers } from '../checks/layers.mjs';
import { inRoot, node, tools } from '../setup/places.mjs';
import { OTHER_DISPLAYS, playwright } from './playwright.mjs';
import { newestSbcl, newestSbclProblem, withoutHome } from '../setup/newest-sbcl.mjs';
import { findSbcl } from '../setup/sbcl.mjs';
import { fromLines, fromPlaywright, fromVitest, rawReport } from './test-results.mjs';
import { UNHANDLED_ERRORS_FILE } from './unhandled-errors.mjs';

const MINUTE = 60_000;

/** Stages that leave a core idle most of their time: those of a row run at once. They must not write what another one reads. */
export const AT_ONCE = [
  ['unused', 'types'],
  ['unit', 'packages', 'lisp', 'newest'],
];

export const STAGES = {
  format: { title: 'every file as oxfmt writes it', run: () => check('format', [tools.oxfmt, '--check']) },
  lint: { title: 'rules, layers and import cycles', run: () => check('lint', [tools.oxlint]) },
  unused: { title: 'no file, no export and no dependency that nobody uses, or tests alone', run: unused },
  layers: { title: 'planted faults are found', run: checkLayers },
  documents: { title: 'what is cited and named is there', run: documents },
  types: { title: 'types', run: () => check('types', [tools.tsc, '-b']) },
  build: { title: 'bundles', run: bundles },
  unit: { title: 'unit tests', run: unit },
  packages: { title: 'what a person installs, on a machine where nothing else is', run: packages },
  lisp: { title: 'tests in Lisp', run: () => lisp(findSbcl().command) },
  newest: { title: 'what is close to SBCL, on the newest SBCL', run: onNewestSbcl },
  components: { title: 'panels and dialogs in a browser', run: components },
  e2e: { title: 'the whole program in real parts', run: e2e },
  changed: { title: 'what the last changes can affect', run: changed, onlyNamed: true },
};

/** A tool that is one test: it passes when it exits with 0. */
async function check(title, args) {
  const { code } = await run(node(), args, { echo: true, timeout: 3 * MINUTE });
  return [{ title, passed: code === 0 }];
}

/** Runs knip once with the tests, and once without: what only tests use is not what the program needs. */
async function unused() {
  return [
    ...(await check('unused', [tools.knip])),
    ...(await check('used by tests alone', [tools.knip, '--production'])),
  ];
}

async function documents() {
  const ended = await run(node(), [inRoot('resources', 'checks', 'documents.mjs'), '--check'], {
    echo: true,
    timeout: MINUTE,
  });
  return checked(fromLines(ended.out), 'documents.mjs', ended);
}

/** Arguments by which vitest runs the tests that import one of the files, themselves or through others; there may be none. */
const RELATED = ['related', '--run', '--passWithNoTests'];

/** Runs what changed files can affect: quick checks of all, and the tests of these. */
async function changed(progress) {
  const { sources, tests, lisp: isInLisp, stories } = affectedBy(changedFiles());
  const results = [];
  for (const name of ['format', 'lint', 'types']) results.push(...(await STAGES[name].run()));
  if (isInLisp) results.push(...(await lisp(findSbcl().command)));
  if (sources.length > 0) results.push(...(await vitest('changed', sources, { command: RELATED })));
  const wire = tests.filter((folder) => existsSync(inRoot(folder)));
  if (wire.length > 0) results.push(...(await vitest('changed', wire)));
  if (stories.length > 0) results.push(...(await e2e(progress, stories)));
  return results;
}

async function unit() {
  return vitest('unit', []);
}

async function components() {
  return vitest('components', [], { command: ['run', '--config', inRoot('vitest.components.config.ts')] });
}

/** `command`: what vitest does with the files. */
async function vitest(stage, files, { env = process.env, command = ['run'] } = {}) {
  const args = [...command, ...files];
  const tests = await vitestOnce(stage, args, env);
  const failed = tests.filter(({ passed }) => !passed);
  // Tests are tried again each; what failed outside of any test can only be tried again with all of them.
  if (!process.env.CI || failed.length === 0 || failed.some(({ isOutside }) => !isOutside)) return tests;
  const again = await vitestOnce(stage, args, env);
  const passed = again.every((test) => test.passed);
  return [...again, ...failed.map(({ title }) => ({ title, passed, retried: true }))];
}

async function vitestOnce(stage, command, env) {
  const file = freshReport(stage);
  const errors = freshReport(`${stage}-errors`);
  const reporters = ['default', 'json', inRoot('resources', 'gate', 'unhandled-errors.mjs')];
  const args = [tools.vitest, ...command, `--outputFile.json=${file}`];
  args.push(...reporters.map((reporter) => `--reporter=${reporter}`));
  // As for the stories, see playwright.config.ts; the reporter marks a test that was tried again with "retry x1".
  if (process.env.CI) args.push('--retry=1');
  const told = { ...env, [UNHANDLED_ERRORS_FILE]: errors };
  const ended = await run(node(), args, { echo: true, env: told, timeout: 40 * MINUTE });
  const tests = existsSync(file) ? fromVitest(file, errors) : [];
  const mayBeNone = command.includes('--passWithNoTests') && ended.code === 0;
  return mayBeNone ? tests : checked(tests, 'vitest', ended);
}

/**
 * The tests of what depends on the version of SBCL: the engine, what starts and saves images, its signals and limits, and SLIME's server. What
 * the tools and sessions of the core make of the engine's answers does not.
 */
const CLOSE_TO_SBCL = [
  'e2e/attacks/',
  'lisp/tests/wire/',
  'main/core/lisp/start/runtime.test.ts',
  'main/core/servers/swank/swank.test.ts',
  'main/core/sessions/session.test.ts',
  'main/core/sessions/checkpoints/worlds.test.ts',
];

/** The machine's own SBCL has been tested by the other stages; where it is the newest there is nothing more to test. */
async function onNewestSbcl(report) {
  const newest = newestSbcl();
  if (!newest) {
    report.line(`Left out, as there is no SBCL but the machine's own: ${newestSbclProblem() ?? 'it was not fetched.'}`);
    return [];
  }
  const { command, version } = newest;
  const env = { ...withoutHome(), PATH: `${dirname(command)}${delimiter}${process.env.PATH}` };
  const tests = [...(await lisp(command, env)), ...(await vitest('newest', CLOSE_TO_SBCL, { env }))];
  return tests.map(({ title, ...test }) => ({ title: `SBCL ${version}: ${title}`, ...test }));
}

async function lisp(command, env = process.env) {
  const args = [
    '--noinform',
    '--non-interactive',
    '--no-sysinit',
    '--no-userinit',
    '--load',
    inRoot('lisp', 'tests', 'run.lisp'),
  ];
  const ended = await run(command, args, { echo: true, env, timeout: 12 * MINUTE });
  return checked(fromLines(ended.out), 'lisp/tests/run.lisp', ended);
}

/** Runs `npm run build` itself. */
async function bundles() {
  const { code } = await run(node(), [inRoot('resources', 'setup', 'build.mjs')], { echo: true, timeout: 5 * MINUTE });
  return [{ title: 'build', passed: code === 0 && existsSync(inRoot('out', 'cli', 'cli.js')) }];
}

/** Makes the packages that this system can make, and tries them. */
async function packages(report) {
  const lacking = cannotTryPackages();
  if (lacking) {
    report.line(`Left out: ${lacking}`);
    return [];
  }
  const targets = ['mcpb', 'deb', 'rpm', 'tar.gz'];
  const made = await run(node(), [inRoot('resources', 'package', 'package.mjs'), ...targets], {
    echo: true,
    env: { ...process.env, LISP_WORKBENCH_PACKAGE_FAST: '1' },
    timeout: 8 * MINUTE,
  });
  if (made.code !== 0) return [{ title: 'packages', passed: false }];
  const title = 'the unpacked program evaluates a first form';
  const evaluated = await check(title, [inRoot('resources', 'package', 'smoke.mjs')]);
  const file = freshReport('packages');
  const config = inRoot('e2e', 'packages', 'playwright.config.ts');
  const options = { timeout: 30 * MINUTE, report: file, firstDisplay: OTHER_DISPLAYS };
  const ended = await playwright([`--config=${config}`], options);
  return [...evaluated, ...checked(existsSync(file) ? fromPlaywright(file) : [], 'playwright', ended)];
}

/** Says why packages cannot be tried here; undefined where they can. Only an administrator may make the system that they are installed in. */
function cannotTryPackages() {
  if (!canInstall() || process.arch !== 'x64') return 'packages are tried as root on a Debian-like system for x86-64.';
  return undefined;
}

async function e2e(progress, stories = []) {
  // Built again in case the build stage failed or did not run, so that no older bundles are tested.
  await build(progress);
  const report = freshReport('e2e');
  // A window waits most of its time, so that three at once keep even a machine of two cores no more than busy.
  const ended = await playwright(['--project=e2e', ...stories], { timeout: 50 * MINUTE, report, displays: 3 });
  return checked(existsSync(report) ? fromPlaywright(report) : [], 'playwright', ended);
}

/** Characters of a runner's last words that are told when it failed although all its tests passed. */
const LAST_WORDS = 600;

/** A runner that failed although all its tests passed, or that told of none, is a failed test. */
function checked(tests, runner, { code, timedOut, all }) {
  if (timedOut) return [...tests, { title: `${runner} took too long and was ended`, passed: false }];
  if (tests.length === 0) return [{ title: `${runner} told of no test (exit code ${code})`, passed: false }];
  if (code !== 0 && tests.every((test) => test.passed)) {
    const last = all.trim().slice(-LAST_WORDS).replaceAll(/\s+/g, ' ');
    return [...tests, { title: `${runner} ended with exit code ${code}: …${last}`, passed: false, isOutside: true }];
  }
  return tests;
}

function freshReport(stage) {
  const file = rawReport(stage);
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  return file;
}
