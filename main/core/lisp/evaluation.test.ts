import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestImage, type TestImage } from './image.fixture.ts';

let test: TestImage;

beforeEach(async () => {
  test = await openTestImage();
});

afterEach(() => test.close());

describe('handles', () => {
  it('stand for the values of an evaluation until they are released', async () => {
    const { values } = await test.evaluate('(values (list 1 2) "x")', { keepValues: true, evaluation: 'kept' });
    expect(values.map(({ handle }) => handle)).toEqual([expect.any(Number), expect.any(Number)]);
    expect(await test.ask('release', { holder: 'kept' })).toEqual({ found: true });
    expect(await test.ask('release', { holder: 'kept' })).toEqual({ found: false });
  });

  it('are given only when they are asked for', async () => {
    const { values } = await test.evaluate('(list 1 2)');
    expect(values[0]!.handle).toBeNull();
  });

  it('keep nothing alive when the heap is nearly full', async () => {
    await test.evaluate('(defvar *big* nil)');
    for (let n = 0; n < 8; n += 1)
      await test.evaluate('(make-array 100000000 :element-type (quote (unsigned-byte 8)))', {
        keepValues: true,
        evaluation: `big-${n}`,
        valueLimit: 100,
      });
    expect(await test.value('(+ 40 2)')).toBe('42');
  });
});

describe('the reader and printer', () => {
  it('can be reset, for the context and globally, and package and history stay', async () => {
    await test.value('(defpackage :mine (:use :cl)) (in-package :mine)');
    await test.value(
      `(setf *read-base* 16 *print-base* 2 *print-case* :downcase)
       (setf (sb-ext:symbol-global-value '*print-base*) 7)
       (set-macro-character #\\! (lambda (stream sign) stream sign :bang))`,
    );
    expect(await test.value('(list 10 !)')).toBe('(10000 :bang)');
    await test.ask('reset-reader', { context: 'test' });
    expect(
      await test.value(
        '(list 10 (quote x!) (package-name *package*) (sb-ext:symbol-global-value (quote *print-base*)))',
      ),
    ).toBe('(10 X! "MINE" 10)');
  });
});
