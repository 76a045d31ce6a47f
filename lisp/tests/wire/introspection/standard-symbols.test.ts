import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { symbolPage } from '#contract/hyperspec/symbol-pages.ts';
import { STANDARD_SYMBOLS } from '#contract/sexp/standard-symbols.ts';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';

describe('standard symbols', () => {
  let image: TestImage;
  let exported: readonly string[];
  beforeAll(async () => {
    image = await openTestImage();
    const form = `(let ((names '()))
      (do-external-symbols (symbol :cl) (push (string-downcase symbol) names))
      (format t "~{~a~%~}" (sort names #'string<)))`;
    await image.evaluate(form);
    exported = image.events
      .map((event) => (event.event === 'output' ? event.text : ''))
      .join('')
      .trim()
      .split('\n');
  });
  afterAll(() => image.close());

  it('The symbols that are known without an image are those that COMMON-LISP exports', () => {
    expect(exported).toEqual(STANDARD_SYMBOLS);
  });

  it('Every symbol that COMMON-LISP exports has a page in the HyperSpec', () => {
    expect(exported).toHaveLength(978);
    expect(exported.filter((name) => symbolPage(name) === null)).toEqual([]);
  });
});
