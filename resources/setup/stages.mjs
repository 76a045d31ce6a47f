/** The stages of `npm test`, in the order in which a mistake is cheapest to find. Each returns `{ title, passed }` a test. */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { build } from './build.mjs';
import { run } from './children.mjs';
import { checkLayers } from './layers.mjs';
import { inRoot, node, tools } from './places.mjs';
import { hasXvfb, playwright } from './playwright.mjs';
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
  lisp: { title: 'tests in Lisp', run: lisp },
  build: { title: 'bundles', run: bundles },
  e2e: { title: 'the whole program in real parts', run: e2e },
};

/** A tool that is one test: it passes when it exits with 0. */
async function check(title, args) {
  const { code } = await run(node(), args, { echo: true, timeout: 3 * MINUTE });
  return [{ title, passed: code === 0 }];
}

async function unit() {
  const file = freshReport('unit');
  const args = [tools.vitest, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const ended = await run(node(), args, { echo: true, timeout: 12 * MINUTE });
  return checked(existsSync(file) ? fromVitest(file) : [], 'vitest', ended);
}

async function lisp() {
  const args = [
    '--noinform',
    '--non-interactive',
    '--no-sysinit',
    '--no-userinit',
    '--load',
    inRoot('lisp', 'tests', 'run.lisp'),
  ];
  const ended = await run(findSbcl().command, args, { echo: true, timeout: 6 * MINUTE });
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
