/** Tests of the memory that evaluations leave behind. */
import { expect, it } from 'vitest';
import { openTestImage } from '#core/lisp/image.fixture.ts';

it('An idle image collects what small calls have allocated, long before SBCL would by itself [issue 35.3]', async () => {
  const test = await openTestImage();
  try {
    // Allocates less than 53 MB, the amount after which SBCL would collect garbage with a heap of this size.
    await test.value('(defvar *last* nil) (dotimes (i 2800000) (setf *last* (list i)))');
    const young = async (): Promise<number> => Number(await test.value('(sb-ext:generation-bytes-allocated 0)'));
    await expect.poll(young, { timeout: 20_000, interval: 200 }).toBeLessThan(16e6);
  } finally {
    await test.close();
  }
});
