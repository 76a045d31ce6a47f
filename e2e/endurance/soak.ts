/**
 * `npm run soak [-- --minutes N] [--clients N] [--seed S] [--snapshot FILE]`: runs the work of several clients for two hours by default.
 * Prints each sample as a JSON line on standard output, and the verdict on standard error. The exit code is 1 if a value grew, something
 * was left over, or an answer was wrong.
 */
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { verdictOn, type Finding } from './samples.ts';
import { MOST_PROCESSES, soak } from './soak-run.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '120' },
    clients: { type: 'string', default: '4' },
    seed: { type: 'string', default: '1' },
    every: { type: 'string', default: '30' },
    snapshot: { type: 'string' },
  },
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130));
const say = (text: string): void => void process.stderr.write(`${text}\n`);
const { samples, done, left, running } = await soak({
  minutes: Number(values.minutes),
  clients: Number(values.clients),
  seed: Number(values.seed),
  every: Number(values.every),
  cache: null,
  sampled: (sample) => void process.stdout.write(`${JSON.stringify(sample)}\n`),
  wrong: (task, what) => say(`✗ ${task}: ${what}\n`),
  look: async (inspector) => {
    if (values.snapshot === undefined) return;
    const file = createWriteStream(values.snapshot);
    await inspector.snapshot((chunk) => void file.write(chunk));
    file.end();
    await finished(file);
  },
});
const findings: Finding[] = [
  ...verdictOn(samples, MOST_PROCESSES),
  { passed: left.length === 0, said: `temporary files left: ${left.join(', ') || 'none'}` },
  { passed: running.length === 0, said: `processes left: ${running.join('; ') || 'none'}` },
];
say(
  `Tasks: ${Object.entries(done)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')}`,
);
for (const { passed, said } of findings) say(`${passed ? '✓' : '✗'} ${said}`);
process.exit(findings.every(({ passed }) => passed) ? 0 : 1);
