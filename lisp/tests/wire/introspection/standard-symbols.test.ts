import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STANDARD_SYMBOLS } from '#contract/sexp/standard-symbols.ts';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';

describe('standard symbols', () => {
  let image: TestImage;
  beforeAll(async () => {
    image = await openTestImage();
  });
  afterAll(() => image.close());

  it('The symbols that are known without an image are those that COMMON-LISP exports', async () => {
    const form = `(let ((names '()))
      (do-external-symbols (symbol :cl) (push (string-downcase symbol) names))
      (format t "~{~a~%~}" (sort names #'string<)))`;
    const { outputUnread } = await image.evaluate(form);
    expect(outputUnread).toBe(false);
    const printed = image.events
      .map((event) => (event.event === 'output' ? event.text : ''))
      .join('')
      .trim()
      .split('\n');
    expect(printed).toEqual(STANDARD_SYMBOLS);
  });
});
