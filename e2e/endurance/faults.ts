/**
 * `npm run faults [-- --count N] [--seed S] [--only TEXT]`: injects 200 random faults, one after the other, and prints a line for each. The
 * same seed gives the same faults. `--only` selects faults whose name contains the text. The exit code is 1 if a check failed after a
 * fault.
 */
import { parseArgs } from 'node:util';
import { FAULTS, pickFaults, runFaults } from './fault-run.ts';
import { randomFrom } from './random.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130));
const seed = Number(values.seed);
const named = FAULTS.filter(({ family, name }) => `${family}: ${name}`.includes(values.only ?? ''));
const faults = values.only === undefined ? pickFaults(Number(values.count), randomFrom(seed)) : named;
const results = await runFaults({
  faults,
  seed,
  cache: null,
  tell: ({ name, tookMs, problem, heard }, index) => {
    const mark = problem === null ? '✓' : '✗';
    process.stdout.write(`${mark} ${index + 1} ${name} (${(tookMs / 1000).toFixed(1)} s)\n`);
    if (problem !== null) process.stdout.write(`    ${problem.replaceAll('\n', '\n    ')}\n    heard: ${heard}\n`);
  },
});
const failed = results.filter(({ problem }) => problem !== null).length;
process.stdout.write(`${results.length - failed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
