/**
 * `npm test [-- STAGE …]`: installs missing parts, then runs every stage, or the named ones. Later stages run even if earlier ones failed.
 * The last line is `N passed, N failed`; the exit code is 1 if anything failed. The titles and results of all tests go to
 * `out/test-results/<stage>.json`, which `npm run requirements` reads.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endWithParent } from '../setup/parent.mjs';
import { createReport } from '../setup/report.mjs';
import { setUp } from '../setup/steps.mjs';
import { print, printedAtEnd } from '../setup/printed.mjs';
import { AT_ONCE, STAGES } from './stages.mjs';
import { resultsFolder, writeResults } from './test-results.mjs';

/** How many of the slowest tests are listed at the end. */
const LONGEST = 10;

const report = createReport({ write: print, isTTY: process.stdout.isTTY });
endWithParent();
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in STAGES));

if (unknown.length > 0) {
  report.line(`There is no stage ${unknown.join(', ')}. The stages: ${Object.keys(STAGES).join(' ')}`);
  process.exitCode = 2;
} else {
  process.exitCode = (await runAll()) ? 0 : 1;
}

async function runAll() {
  const started = Date.now();
  const results = [];
  // Building a core takes a while, so all stages share the cores that the first stage builds.
  const cores = mkdtempSync(join(tmpdir(), 'lisp-workbench-run-cores-'));
  process.env.LISP_WORKBENCH_RUN_CORES = cores;
  if (wanted.length === 0) rmSync(resultsFolder(), { recursive: true, force: true });
  try {
    await setUp('tests', report);
    const names = Object.keys(STAGES).filter((name) =>
      wanted.length === 0 ? !STAGES[name].onlyNamed : wanted.includes(name),
    );
    for (const group of groupsOf(names)) results.push(...(await runTogether(group)));
  } catch (error) {
    report.problem(error);
    results.push({ name: 'setup', tests: [{ title: 'setup', passed: false }] });
  } finally {
    rmSync(cores, { recursive: true, force: true });
  }
  return summarize(results, started);
}

/** Returns the stages in order, as groups. Stages that run in parallel form one group, at the position of the first of them. */
function groupsOf(names) {
  const left = new Set(names);
  return names.flatMap((name) => {
    if (!left.has(name)) return [];
    const group = (AT_ONCE.find((row) => row.includes(name)) ?? [name]).filter((each) => left.has(each));
    for (const each of group) left.delete(each);
    return [group];
  });
}

async function runTogether(names) {
  const result = async (name) => ({ name, tests: await runStage(name, STAGES[name]) });
  if (names.length === 1) return [await result(names[0])];
  return Promise.all(names.map((name) => printedAtEnd(() => result(name))));
}

/** Runs a stage. If the stage throws an error, this counts as a failed test, and the next stage still runs. */
async function runStage(name, stage) {
  const started = Date.now();
  report.line(`\n── ${name}: ${stage.title}`);
  let tests;
  try {
    tests = await stage.run(report);
  } catch (error) {
    report.problem(error);
    tests = [{ title: name, passed: false }];
  }
  writeResults(name, tests);
  const failed = tests.filter((test) => !test.passed).length;
  const outcome = failed === 0 ? `✓ ${tests.length} passed` : `✗ ${failed} of ${tests.length} failed`;
  report.line(`${outcome} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  return tests;
}

function tellLongest(tests) {
  const longest = tests.filter(({ seconds = 0 }) => seconds >= 5).toSorted((one, other) => other.seconds - one.seconds);
  if (longest.length > 0) report.line('\n── longest tests');
  for (const { name, title, seconds } of longest.slice(0, LONGEST))
    report.line(`${seconds.toFixed(0)} s ${name}: ${title}`);
}

function summarize(results, started) {
  const tests = results.flatMap(({ name, tests: ran }) => ran.map((test) => ({ name, ...test })));
  const failed = tests.filter((test) => !test.passed);
  tellLongest(tests);
  report.line(`\n── all of it in ${((Date.now() - started) / 1000).toFixed(0)} s`);
  const tell = (line, reason) => report.line(reason ? `${line}\n${reason.replaceAll(/^/gm, '    ')}` : line);
  for (const { name, title, reason } of tests.filter((test) => test.passed && test.retried)) {
    tell(`! ${name}: passed at the second attempt only: ${title}`, reason);
  }
  for (const { name, title, reason } of failed) tell(`✗ ${name}: ${title}`, reason);
  report.line(`${tests.length - failed.length} passed, ${failed.length} failed`);
  return failed.length === 0;
}
