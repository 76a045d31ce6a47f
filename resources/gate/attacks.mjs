/**
 * `npm run attacks [-- --headless]`: runs every known attack. Before each attack, the same effect is tried without the attack's trick. The
 * attacks run without a window, on the machine's SBCL and on the newest one, and then in the window. Prints a table grouped by finding.
 * `npm test` also runs the attacks without a window.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { build } from '../setup/build.mjs';
import { run } from '../setup/children.mjs';
import { newestSbcl, withoutHome } from '../setup/newest-sbcl.mjs';
import { endWithParent } from '../setup/parent.mjs';
import { node, tools } from '../setup/places.mjs';
import { playwright } from './playwright.mjs';
import { createReport } from '../setup/report.mjs';
import { findSbcl } from '../setup/sbcl.mjs';
import { setUp } from '../setup/steps.mjs';
import { fromPlaywright, fromVitest, rawReport } from './test-results.mjs';

const MINUTE = 60_000;

/** Attacks that are not listed in e2e/attacks: their test files, and the findings of the first review that they belong to. */
const OTHERS = {
  'main/core/effects/undone.test.ts': [1],
  'main/core/effects/authors.test.ts': [1],
  'main/core/sessions/checkpoints/redo-marks.test.ts': [2],
  'main/core/base/held-files.test.ts': [9, 11, 12],
  'main/core/project/changes-in-held-folders.test.ts': [12],
  'main/core/hosted/standings/standings.test.ts': [9, 10],
  'main/core/hosted/login/login.test.ts': [10],
  'main/core/hosted/process/agent-sandbox.test.ts': [14],
  'main/core/clients/configuration/configurations.test.ts': [13],
  'main/core/effects/loaded-again.test.ts': [15],
  'main/core/sessions/definitions/unknown-authors.test.ts': [18],
  'main/core/effects/own-code.test.ts': [],
  'main/core/effects/forged-effects.test.ts': [],
  'main/core/effects/bound-effects.test.ts': [8],
  'lisp/tests/wire/effects/held.test.ts': [8],
  'main/core/effects/unasked-writes.test.ts': [5],
  'main/core/sessions/checkpoints/image-hooks.test.ts': [7],
  'main/core/tools/replies/quiet-output.test.ts': [19],
  'lisp/tests/wire/evaluation/defaults.test.ts': [6, 16],
};

endWithParent();
const report = createReport();
const headlessOnly = process.argv.includes('--headless');
try {
  await setUp('tests', report);
  const columns = [];
  const own = findSbcl();
  columns.push(await headless(own.version, process.env));
  const newest = newestSbcl();
  if (newest && newest.version !== own.version) {
    const path = `${dirname(newest.command)}${delimiter}${process.env.PATH}`;
    columns.push(await headless(newest.version, { ...withoutHome(), PATH: path }));
  }
  if (!headlessOnly) columns.push(await inWindow());
  report.line(`\n${table(columns)}`);
  for (const { name, tests } of columns)
    for (const { title, reason, passed } of tests) if (!passed) report.line(`✗ ${name}: ${title}\n${reason ?? ''}`);
  process.exitCode = columns.every(({ tests }) => tests.length > 0 && tests.every(({ passed }) => passed)) ? 0 : 1;
} catch (error) {
  report.problem(error);
  process.exitCode = 1;
}

async function headless(version, env) {
  const file = freshReport(`attacks-${version}`);
  const errors = freshReport(`attacks-${version}-errors`);
  const files = ['e2e/attacks', ...Object.keys(OTHERS)];
  const args = [tools.vitest, 'run', ...files, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  await run(node(), args, { echo: true, env, timeout: 20 * MINUTE });
  return { name: `SBCL ${version}`, tests: existsSync(file) ? fromVitest(file, errors) : [] };
}

async function inWindow() {
  await build(report);
  const file = freshReport('attacks-window');
  await playwright(['--project=attacks'], { timeout: 60 * MINUTE, report: file, displays: 3 });
  return { name: 'window', tests: existsSync(file) ? fromPlaywright(file) : [] };
}

/** Returns a row for each finding, and a row for attacks without a finding. Each column shows how many of the attacks were blocked. */
function table(columns) {
  const of = ({ tests }) => tests.flatMap((test) => findingsOf(test.title).map((finding) => ({ finding, ...test })));
  const all = columns.map((column) => ({ name: column.name, tests: of(column) }));
  const findings = [...new Set(all.flatMap(({ tests }) => tests.map(({ finding }) => finding)))].toSorted(
    (a, b) => a - b,
  );
  const lines = findings.map((finding) => [
    finding === 0 ? 'others' : String(finding),
    ...all.map(({ tests }) => {
      const own = tests.filter((test) => test.finding === finding);
      return own.length === 0 ? '–' : `${own.filter(({ passed }) => passed).length} of ${own.length}`;
    }),
  ]);
  const head = ['finding', ...all.map(({ name }) => `held: ${name}`)];
  const widths = head.map((_, index) => Math.max(...[head, ...lines].map((line) => line[index].length)));
  return [head, ...lines].map((line) => line.map((cell, index) => cell.padEnd(widths[index])).join('  ')).join('\n');
}

/** Returns the findings that a test belongs to; 0 if it belongs to no finding of the first review. */
function findingsOf(title) {
  const row = /\bAttack (\d+):/.exec(title);
  if (row) return [Number(row[1])];
  const file = Object.keys(OTHERS).find((each) => title.startsWith(each));
  const findings = OTHERS[file] ?? [];
  return findings.length === 0 ? [0] : findings;
}

function freshReport(name) {
  const file = rawReport(name);
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  return file;
}
