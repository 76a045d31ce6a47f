/** The stages of `npm test`, in the order in which a mistake is cheapest to find. Each returns `{ title, passed }` a test. */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { build } from './build.mjs';
import { run } from './children.mjs';
import { checkLayers } from './layers.mjs';
import { inRoot, node, tools } from './places.mjs';
import { hasXvfb, playwright } from './playwright.mjs';
import { newestSbcl, newestSbclProblem, withoutHome } from './newest-sbcl.mjs';
import { findSbcl } from './sbcl.mjs';
import { fromLines, fromPlaywright, fromVitest, rawReport } from './test-results.mjs';

const MINUTE = 60_000;

export const STAGES = {
  format: { title: 'every file as oxfmt writes it', run: () => check('format', [tools.oxfmt, '--check']) },
  lint: { title: 'rules, layers and import cycles', run: () => check('lint', [tools.oxlint]) },
  unused: { title: 'no file and no dependency that nobody uses', run: () => check('unused', [tools.knip]) },
  layers: { title: 'planted faults are found', run: checkLayers },
  types: { title: 'types', run: () => check('types', [tools.tsc, '-b']) },
  unit: { title: 'unit tests', run: unit },
  lisp: { title: 'tests in Lisp', run: () => lisp(findSbcl().command) },
  newest: { title: 'what is close to SBCL, on the newest SBCL', run: onNewestSbcl },
  build: { title: 'bundles', run: bundles },
  e2e: { title: 'the whole program in real parts', run: e2e },
};

/** A tool that is one test: it passes when it exits with 0. */
async function check(title, args) {
  const { code } = await run(node(), args, { echo: true, timeout: 3 * MINUTE });
  return [{ title, passed: code === 0 }];
}

async function unit() {
  return vitest('unit', []);
}

async function vitest(stage, files, env = process.env) {
  const file = freshReport(stage);
  const args = [tools.vitest, 'run', ...files, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const ended = await run(node(), args, { echo: true, env, timeout: 12 * MINUTE });
  return checked(existsSync(file) ? fromVitest(file) : [], 'vitest', ended);
}

/** What speaks to SBCL directly; the rest of the program does not see which one it is. */
const CLOSE_TO_SBCL = [
  'main/core/lisp/',
  'main/core/sessions/rewind.test.ts',
  'main/core/sessions/session.test.ts',
  'main/core/sessions/undo.test.ts',
  'main/core/sessions/worlds.test.ts',
  'main/core/tools/debugging.test.ts',
  'main/core/tools/looking-up.test.ts',
  'main/core/tools/running.test.ts',
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
  const tests = [...(await lisp(command, env)), ...(await vitest('newest', CLOSE_TO_SBCL, env))];
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
  const ended = await run(command, args, { echo: true, env, timeout: 6 * MINUTE });
  return checked(fromLines(ended.out), 'lisp/tests/run.lisp', ended);
}

async function bundles(report) {
  await build(report, { force: true });
  return [{ title: 'build', passed: true }];
}

async function e2e(report) {
  // Where the build stage failed, or was not asked for, older bundles must not be what is tested.
  await build(report);
  // A window waits most of its time, so two at once keep a small machine busy; they would disturb each other on one display.
  const parts = hasXvfb() ? 2 : 1;
  const runs = Array.from({ length: parts }, async (_, part) => {
    const report = freshReport(`e2e-${part + 1}`);
    const args = ['--project=e2e', `--shard=${part + 1}/${parts}`];
    const ended = await playwright(args, { timeout: 12 * MINUTE, report, part });
    return checked(existsSync(report) ? fromPlaywright(report) : [], 'playwright', ended);
  });
  return (await Promise.all(runs)).flat();
}

/** A runner that failed although all its tests passed, or that told of none, is a failed test. */
function checked(tests, runner, { code, timedOut }) {
  if (timedOut) return [...tests, { title: `${runner} took too long and was ended`, passed: false }];
  if (tests.length === 0) return [{ title: `${runner} told of no test (exit code ${code})`, passed: false }];
  if (code !== 0 && tests.every((test) => test.passed)) {
    return [...tests, { title: `${runner} ended with exit code ${code}`, passed: false }];
  }
  return tests;
}

function freshReport(stage) {
  const file = rawReport(stage);
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  return file;
}
