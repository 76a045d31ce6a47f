/** A machine that has temporarily run out of file descriptors. */
import { closeSync, openSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { openTestSession, testOptions, type TestSession } from '../session.fixture.ts';

let test: TestSession;
let taken: number[] = [];

/** Opens files until this process has no descriptors left. */
function takeAll(): void {
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EMFILE') throw error;
  }
}

function giveBack(): void {
  for (const descriptor of taken) closeSync(descriptor);
  taken = [];
}

afterEach(async () => {
  giveBack();
  await test.close();
});

describe.skipIf(process.platform === 'win32')('image that ends while too many files are open', () => {
  it('An image that ends while too many files are open is said to lack descriptors, and comes back by itself when there are some again', async () => {
    const found = testOptions('/').runtime();
    test = await openTestSession({ runtime: () => found }); // searches for the SBCL only once, as the workbench does
    await test.evaluate('1');
    const before = test.session.view().pid!;
    takeAll();
    process.kill(before, 'SIGKILL');
    await expect
      .poll(() => test.session.view().problem, { timeout: 12_000 })
      .toMatch(/too many files open \(EMFILE\).*tried again/);
    expect(test.session.view().pid).toBeNull();
    giveBack();
    await expect.poll(() => test.session.view().state, { timeout: 60_000 }).toBe('idle');
    expect([test.session.view().problem, await test.say('(+ 40 2)')]).toEqual([null, '42']);
  });
});
