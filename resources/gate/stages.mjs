/**
 * The stages of `npm test`. Cheap checks come first, because they find mistakes early. Each stage returns `{ title, passed }` for each
 * test.
 */
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

/**
 * Stages that leave a processor core idle most of the time. The stages of one row run in parallel, so none of them may write files that
 * another one reads.
 */
export const AT_ONCE = [
  ['unused', 'types'],
  ['unit', 'packages', 'lisp'],
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

/** Runs a tool as a single test, which passes if the tool exits with 0. */
async function check(title, args) {
  const { code } = await run(node(), args, { echo: true, timeout: 3 * MINUTE });
  return [{ title, passed: code === 0 }];
}

/** Runs knip with the tests and without them. The run without tests finds code that only tests use. */
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

/**
 * The arguments that make vitest run the tests that import one of the files, directly or indirectly. It is not an error if there are no
 * such tests.
 */
const RELATED = ['related', '--run', '--passWithNoTests'];

/** Runs all checks that changed files can affect: quick checks of all files, and the affected tests. */
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

/** Runs vitest for a stage. `command` contains the arguments before the files. */
async function vitest(stage, files, { env = process.env, command = ['run'] } = {}) {
  const args = [...command, ...files];
  const tests = await vitestOnce(stage, args, env);
  const failed = tests.filter(({ passed }) => !passed);
  // Vitest retries failed tests itself. After a failure outside of any test, only the whole stage can be retried.
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
  // Retries a failed test once, as the stories do, see playwright.config.ts. The reporter marks a retried test with "retry x1".
  if (process.env.CI) args.push('--retry=1');
  const told = { ...env, [UNHANDLED_ERRORS_FILE]: errors };
  const ended = await run(node(), args, { echo: true, env: told, timeout: 40 * MINUTE });
  const tests = existsSync(file) ? fromVitest(file, errors) : [];
  const mayBeNone = command.includes('--passWithNoTests') && ended.code === 0;
  return mayBeNone ? tests : checked(tests, 'vitest', ended);
}

/**
 * Tests that depend on the version of SBCL. They are the tests of the engine, of starting and saving images, of images' signals and limits,
 * and of SLIME's server. Tests of the core's tools and sessions are not included, because they depend only on the engine's answers.
 */
const CLOSE_TO_SBCL = [
  'e2e/attacks/',
  'lisp/tests/wire/',
  'main/core/lisp/start/runtime.test.ts',
  'main/core/servers/swank/swank.test.ts',
  'main/core/sessions/session.test.ts',
  'main/core/sessions/checkpoints/worlds.test.ts',
];

/**
 * Runs the tests on the newest SBCL. If the machine's own SBCL is the newest, there is nothing to test, because the other stages have
 * tested it.
 */
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

/** Runs the command `npm run build`. */
async function bundles() {
  const { code } = await run(node(), [inRoot('resources', 'setup', 'build.mjs')], { echo: true, timeout: 5 * MINUTE });
  return [{ title: 'build', passed: code === 0 && existsSync(inRoot('out', 'cli', 'cli.js')) }];
}

/** Makes all packages that this system can make, and tests them. */
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

/**
 * Returns the reason why packages cannot be tested here; undefined if they can. Only an administrator can make the system in which packages
 * are installed.
 */
function cannotTryPackages() {
  if (!canInstall() || process.arch !== 'x64') return 'packages are tried as root on a Debian-like system for x86-64.';
  return undefined;
}

async function e2e(progress, stories = []) {
  // Builds again, because the build stage may have failed or may not have run. Outdated bundles must not be tested.
  await build(progress);
  const report = freshReport('e2e');
  // A window is waiting most of the time, so three windows at once do not overload even a machine with two cores.
  const ended = await playwright(['--project=e2e', ...stories], { timeout: 50 * MINUTE, report, displays: 3 });
  return checked(existsSync(report) ? fromPlaywright(report) : [], 'playwright', ended);
}

/** The number of characters to show from the end of a runner's output, if the runner failed although all its tests passed. */
const LAST_WORDS = 600;

/**
 * Returns the tests of a runner. Adds a failed test if the runner took too long, reported no tests, or failed although all its tests
 * passed.
 */
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
