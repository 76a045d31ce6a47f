/**
 * `npm test [-- STAGE …]`: brings what is missing, then runs every stage (or the named ones), whatever the others said.
 * The last line is `N passed, N failed`; the exit code is 1 when anything failed. Titles and outcomes of all tests go to
 * `out/test-results/<stage>.json`, which `npm run requirements` reads.
 */
import { rmSync } from 'node:fs';
import { endWithParent } from './parent.mjs';
import { createReport } from './report.mjs';
import { setUp } from './steps.mjs';
import { STAGES } from './stages.mjs';
import { resultsFolder, writeResults } from './test-results.mjs';

const report = createReport();
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
  if (wanted.length === 0) rmSync(resultsFolder(), { recursive: true, force: true });
  try {
    await setUp('tests', report);
    for (const [name, stage] of Object.entries(STAGES)) {
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      results.push({ name, tests: await runStage(name, stage) });
    }
  } catch (error) {
    report.problem(error);
    results.push({ name: 'setup', tests: [{ title: 'setup', passed: false }] });
  }
  return summarize(results, started);
}

/** A stage that throws is a failed test of its own, and the next one runs all the same. */
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

function summarize(results, started) {
  const tests = results.flatMap(({ name, tests: ran }) => ran.map((test) => ({ name, ...test })));
  const failed = tests.filter((test) => !test.passed);
  report.line(`\n── all of it in ${((Date.now() - started) / 1000).toFixed(0)} s`);
  for (const { name, title } of failed) report.line(`✗ ${name}: ${title}`);
  report.line(`${tests.length - failed.length} passed, ${failed.length} failed`);
  return failed.length === 0;
}
