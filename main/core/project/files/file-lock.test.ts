import { describe, expect, it } from 'vitest';
import { withFileLock } from './file-lock.ts';

describe('lock of a file', () => {
  it('The lock of a file is held by one at a time, in the order in which they asked, also where one fails [D1]', async () => {
    const steps: string[] = [];
    const hold = (name: string, files: string[], fails = false): Promise<void> =>
      withFileLock(files, async () => {
        steps.push(`${name} begins`);
        await new Promise((resolve) => setImmediate(resolve));
        steps.push(`${name} ends`);
        if (fails) throw new Error(name);
      });
    const all = await Promise.allSettled([hold('a', ['x'], true), hold('b', ['x', 'y']), hold('c', ['y'])]);
    expect(all.map((each) => each.status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(steps).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('The lock of one file does not hold up another', async () => {
    let release = (): void => {};
    const held = withFileLock(['x'], () => new Promise<void>((resolve) => (release = resolve)));
    expect(await withFileLock(['y'], async () => 'other')).toBe('other');
    release();
    await held;
  });

  it('A lock takes two files in any order without a deadlock', async () => {
    const both = [withFileLock(['x', 'y'], async () => 1), withFileLock(['y', 'x'], async () => 2)];
    expect(await Promise.all(both)).toEqual([1, 2]);
  });
});
