import { expect, it } from 'vitest';
import { readSettled } from './settled.ts';

it('Text that is read while the file is saved is read again, so that an old text never comes back [D18]', async () => {
  let [disk, saves] = ['old', 0];
  const answers: string[] = [];
  const read = async (): Promise<string> => {
    const answer = disk;
    if (saves < 2) {
      saves += 1;
      disk = `saved ${saves}`;
    }
    await Promise.resolve();
    answers.push(answer);
    return answer;
  };
  expect(await readSettled(read, async () => saves)).toBe('saved 2');
  expect(answers).toEqual(['old', 'saved 1', 'saved 2']);
});

it('Text that is read while nobody saves is read once', async () => {
  let reads = 0;
  expect(
    await readSettled(
      async () => (reads += 1),
      async () => 'same',
    ),
  ).toBe(1);
});
