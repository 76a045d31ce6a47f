import { expect, it } from 'vitest';
import { TEST_CACHE } from '#core/lisp/core.fixture.ts';
import { FAULTS, pickFaults, runFaults } from './fault-run.ts';
import { randomFrom } from './random.ts';

const SHORT: readonly string[] = [
  'SIGKILL of an image at work',
  'going back to a checkpoint whose process was killed',
  'exit without unwinding',
  'a control stack that is used up',
  'a printer that calls itself',
  'a definition in a locked package',
  'FORMAT redefined',
  'a loop without interrupts',
  'random octets on the wire',
  '20 MB past the streams of Lisp',
  'JSON that is cut off',
  'a session that is ended during a call',
  'standard input closed during a call',
  'a full disk',
  'a core that is no core',
  'SIGKILL of serve at work',
];

it('After a fault of each family the program answers, says what happened, and has lost and left nothing [K5, K6]', async () => {
  const faults = SHORT.map((name) => FAULTS.find((fault) => fault.name === name)!);
  expect(new Set(faults.map(({ family }) => family))).toEqual(new Set(FAULTS.map(({ family }) => family)));
  const results = await runFaults({ faults, seed: 1, cache: TEST_CACHE, tell: () => {} });
  expect(results.filter(({ problem }) => problem !== null)).toEqual([]);
}, 600_000);

it('The same seed gives the same faults, of all families alike often', () => {
  const names = (seed: number): string[] => pickFaults(200, randomFrom(seed)).map(({ name }) => name);
  expect(names(7)).toEqual(names(7));
  expect(names(7)).not.toEqual(names(8));
  const families = new Set(FAULTS.map(({ family }) => family)).size;
  const counts = Object.values(Object.groupBy(pickFaults(families * 3, randomFrom(7)), ({ family }) => family));
  expect(new Set(counts.map((each) => each!.length))).toEqual(new Set([3]));
});
