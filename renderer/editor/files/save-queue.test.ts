import { expect, it } from 'vitest';
import { SaveQueue } from './save-queue.ts';

it('A text is saved once its save before is over, also where that one failed [D1, D18]', async () => {
  const queue = new SaveQueue();
  const steps: string[] = [];
  const save = (name: string, fails = false): Promise<string> =>
    queue.run('text', async () => {
      steps.push(`${name} begins`);
      await Promise.resolve();
      steps.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    });
  const saves = Promise.allSettled([save('first'), save('second', true), save('third')]);
  expect(await queue.settled('text')).toBe(3);
  expect(steps).toEqual(['first begins', 'first ends', 'second begins', 'second ends', 'third begins', 'third ends']);
  expect((await saves).map((each) => each.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

it('Saves of different texts do not wait for one another, and a text that was never saved is settled', async () => {
  const queue = new SaveQueue();
  let release = (): void => {};
  const slow = queue.run('slow', () => new Promise<void>((resolve) => (release = resolve)));
  expect(await queue.run('other', async () => 'saved')).toBe('saved');
  expect(await queue.settled('other')).toBe(1);
  expect(await queue.settled('never')).toBe(0);
  release();
  await slow;
});
