import { describe, expect, it } from 'vitest';
import { openTestImage } from '#core/lisp/image.fixture.ts';

describe('fresh image', () => {
  it('A fresh image answers its first evaluation, however early that comes', async () => {
    const early = Array.from({ length: 40 }, async () => {
      const test = await openTestImage();
      const value = await test.value('(+ 1 2)');
      await test.close();
      return value;
    });
    expect(new Set(await Promise.all(early))).toEqual(new Set(['3']));
  });

  it('An image answers at once after an evaluation that was long enough to lose the reading', async () => {
    const test = await openTestImage();
    for (let round = 0; round < 60; round += 1) {
      const long = test.value('(sleep 0.025)', { context: 'long' });
      expect(await test.value('(+ 1 2)')).toBe('3');
      await long;
    }
    await test.close();
  });

  it('A fresh image answers its first look-up, even when the thread for it begins before its maker goes on', async () => {
    const test = await openTestImage();
    await test.value(
      `(sb-int:encapsulate 'sb-thread:make-thread :slow (lambda (make &rest keys) (prog1 (apply make keys) (sleep 0.2))))`,
    );
    expect(await test.ask('describe-symbol', { context: 'test', symbol: 'car', package: 'CL' })).toBeTruthy();
    await test.close();
  });
});
