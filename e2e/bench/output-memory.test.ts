/** The memory that the page uses for output. This test needs access to the garbage collector. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { appendOutput, emptyOutput, outputText } from '../../renderer/base/text/output.ts';

it('The output keeps no more of a flood in memory than its end [D5]', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = used();
  const flood = (index: number): string => `${index} line 😀\n`.repeat(80_000);
  const buffers = Array.from({ length: 100 }, (_, index) => appendOutput(emptyOutput, 'stdout', flood(index), 1000));
  expect(buffers.every(({ length }) => length <= 1000)).toBe(true);
  expect(outputText(buffers[7]!).endsWith('7 line 😀\n')).toBe(true);
  expect(used() - before).toBeLessThan(20_000_000);
});
