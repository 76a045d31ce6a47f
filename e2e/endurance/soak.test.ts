import { expect, it } from 'vitest';
import { TEST_CACHE } from '#core/lisp/core.fixture.ts';
import { verdictOn } from './samples.ts';
import { MOST_PROCESSES, soak } from './soak-run.ts';

it('Four clients work on one image for half a minute, each answer is right, and nothing is left when the program ends [K6]', async () => {
  const wrong: string[] = [];
  const { samples, left, running } = await soak({
    minutes: 0.5,
    clients: 4,
    seed: 1,
    every: 5,
    cache: TEST_CACHE,
    sampled: () => {},
    wrong: (task, what) => wrong.push(`${task}: ${what}`),
  });
  expect({ wrong, left, running }).toEqual({ wrong: [], left: [], running: [] });
  expect(samples.at(-1)!.tasks).toBeGreaterThan(20);
  // Ignores the latency, which means nothing on a machine that runs other tests at the same time.
  const findings = verdictOn(samples, MOST_PROCESSES).filter(({ said }) => !said.startsWith('a small evaluation'));
  expect(findings.filter(({ passed }) => !passed)).toEqual([]);
}, 300_000);
