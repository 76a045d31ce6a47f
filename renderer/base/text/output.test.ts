import { describe, expect, it } from 'vitest';
import { appendOutput, emptyOutput, outputText } from './output.ts';
import { addOutput, PROCESS } from './outputs.ts';

describe('bounded output', () => {
  it('The output joins text of one stream and keeps streams apart [D5]', () => {
    const buffer = appendOutput(appendOutput(appendOutput(emptyOutput, 'stdout', 'a'), 'stdout', 'b'), 'stderr', 'c');
    expect(buffer).toEqual({
      chunks: [
        { stream: 'stdout', text: 'ab' },
        { stream: 'stderr', text: 'c' },
      ],
      length: 3,
      dropped: 0,
    });
  });

  it('The output keeps its end, from a line break on where one is near, and counts the rest [D5]', () => {
    const buffer = appendOutput(appendOutput(emptyOutput, 'stdout', 'first\nsecond\n', 12), 'stdout', 'third\n', 12);
    expect([outputText(buffer), buffer.dropped, buffer.length]).toEqual(['third\n', 13, 6]);
    const flood = appendOutput(emptyOutput, 'stdout', 'x'.repeat(100_000), 1000);
    expect([flood.length, flood.dropped]).toEqual([1000, 99_000]);
  });

  it('The output drops whole buffers, oldest first, but never the output of the process [D5]', () => {
    const outputs = addOutput(
      new Map(),
      [
        { evaluation: null, stream: 'process', text: 'p', left: 0 },
        { evaluation: 'a', stream: 'stdout', text: '1', left: 0 },
        { evaluation: 'b', stream: 'stdout', text: '2', left: 0 },
        { evaluation: 'c', stream: 'stdout', text: '3', left: 0 },
      ],
      3,
    );
    expect([...outputs.keys()]).toEqual([PROCESS, 'b', 'c']);
  });

  it('The output counts what did not come with what it does not keep [D5]', () => {
    const first = addOutput(new Map(), [{ evaluation: 'a', stream: 'stdout', text: 'abc', left: 0 }]);
    const [[, buffer] = []] = addOutput(first, [{ evaluation: 'a', stream: 'stdout', text: 'xyz', left: 10 }]);
    expect([outputText(buffer!), buffer!.dropped]).toEqual(['xyz', 13]);
  });
});
