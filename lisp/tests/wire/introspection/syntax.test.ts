/** The check of syntax, which reads a text without interning its names. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';

let lisp: TestImage;

beforeAll(async () => {
  lisp = await openTestImage();
});

afterAll(() => lisp.close());

const here = { context: 'test', package: null };

describe('syntax', () => {
  const problems = async (text: string) => {
    const reply = await lisp.ask('validate-syntax', { context: 'stepper', package: null, text });
    expect(reply.total).toBe(reply.problems.length);
    return reply.problems.map(({ severity, kind, offset, line, column }) => [severity, kind, offset, line, column]);
  };

  it.each([
    ['(a "b" #\\( ; (\n #| ( |# |x(| #(1 2) #\'f `(b ,c ,@d) #+x y :k #:u 1.5)', []],
    ['(a (b)', [['error', 'unclosed', 0, 1, 0]]],
    [
      '😀 (a))\n x)',
      [
        ['error', 'unmatched', 6, 1, 6],
        ['error', 'unmatched', 10, 2, 2],
      ],
    ],
    [
      '(a "b)',
      [
        ['error', 'unclosed', 0, 1, 0],
        ['error', 'unterminated-string', 3, 1, 3],
      ],
    ],
    ['\n  #| a', [['error', 'unterminated-comment', 3, 2, 2]]],
    ['|a', [['error', 'unterminated-symbol', 0, 1, 0]]],
    ["(a ')", [['error', 'incomplete', 3, 1, 3]]],
    ['(a ,b)', [['error', 'comma', 3, 1, 3]]],
    ['#<x>', [['error', 'dispatch', 0, 1, 0]]],
    ['(a # b)', [['error', 'dispatch', 3, 1, 3]]],
    ['(a #L(b !1))', [['note', 'reader-macro', 3, 1, 3]]],
    ['#.(exit)', []],
    [
      '(nowhere:x cl:car cl:no-such)',
      [
        ['note', 'package', 1, 1, 1],
        ['note', 'external', 18, 1, 18],
      ],
    ],
    ['(defpackage :nowhere) (nowhere::x)', []],
  ])('The syntax of %j is told with its faults', async (text, expected) => {
    await expect(problems(text)).resolves.toEqual(expected);
  });

  it('Syntax is looked at without interning a name', async () => {
    const text = '(never-interned-by-looking ';
    await problems(text);
    await lisp.ask('arglist', { ...here, text, offset: text.length });
    await lisp.ask('complete', { ...here, prefix: 'never-interned-by', text, offset: text.length, limit: 5 });
    await lisp.ask('find-definition', { ...here, symbol: 'never-interned-by-looking' });
    await expect(lisp.value('(find-symbol "NEVER-INTERNED-BY-LOOKING")')).resolves.toBe('NIL');
  });
});
