import { afterAll, beforeAll, expect, it } from 'vitest';
import { heapInUse } from '#core/heap.fixture.ts';
import { openTestWorkbench, type TestWorkbench } from '#core/workbench.fixture.ts';

let bench: TestWorkbench;

beforeAll(async () => {
  // Turns checkpoints off, because with them the redo log would also retain the code. The redo log has its own limit.
  bench = await openTestWorkbench({ checkpoints: false });
});
afterAll(() => bench.close());

const MEGABYTE = 1_000_000;
const ROUNDS = 60;

it('The workbench keeps no more in memory of long code and long answers than what is shown of them [K6]', async () => {
  const client = await bench.connect();
  const evaluate = (round: number): Promise<string> =>
    client.evaluate(
      `(write-string (make-string ${MEGABYTE} :initial-element #\\y)) (defun f${round} () ${round}) ; ${'x'.repeat(MEGABYTE)}`,
    );
  for (let round = 0; round < 3; round += 1) await evaluate(round);
  const before = heapInUse();
  for (let round = 3; round < ROUNDS + 3; round += 1) expect(await evaluate(round)).toContain(`=> F${round}`);
  bench.workbench.activity.settle();
  expect((heapInUse() - before) / MEGABYTE).toBeLessThan(ROUNDS * 0.75);
}, 180_000);
