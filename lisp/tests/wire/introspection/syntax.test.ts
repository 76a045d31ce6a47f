/** The syntax check, which reads a text without interning its names. */
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

  it('Local nicknames are those of the package that the text enters, or makes', async () => {
    await lisp.value('(progn (defpackage :nick-user (:use :cl) (:local-nicknames (:nn :sb-mop))) 1)');
    expect(await problems('(nn:class-slots x)')).toEqual([['note', 'package', 1, 1, 1]]);
    for (const name of ['#:nick-user', ':NICK-USER', '"NICK-USER"', 'nick-user'])
      expect(await problems(`(in-package ${name}) (nn:class-slots x)`)).toEqual([]);
    expect(await problems('(in-package :nick-user) (in-package :cl-user) (nn::x)')).toEqual([
      ['note', 'package', 47, 1, 47],
    ]);
    expect(
      await problems('(defpackage :own (:nicknames :ow) (:local-nicknames (:oz :cl) ("STRING" :cl))) (ow:a oz:b)'),
    ).toEqual([]);
  });

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
    ["(f #+lispworks 'lw:foo #-sbcl (lw:g #\\Other) #+nil #L(lw:h)) #+(or)\n(lw:i)", []],
    ['#-(and sbcl (not (or ccl lispworks)))\n\n; a comment\n(lw:a)\n#+(and sbcl (not ccl))\n(defun f ())', []],
    ['#| lw:a #| lw:b |# lw:c |# #+nil #+nil lw:d lw:e (f)', []],
    ['(f #_lw:foo)', [['note', 'reader-macro', 3, 1, 3]]],
    ['#+lispworks (f (lw:a)', [['error', 'unclosed', 12, 1, 12]]],
    [
      '#+sbcl\n(lw:a) #-lispworks lw:b',
      [
        ['note', 'package', 8, 2, 1],
        ['note', 'package', 26, 2, 19],
      ],
    ],
  ])('The syntax of %j is told with its faults', async (text, expected) => {
    await expect(problems(text)).resolves.toEqual(expected);
  });

  it('The features that conditionals test are told by their names', async () => {
    const { features } = await lisp.ask('features', {});
    expect(features).toEqual(expect.arrayContaining(['SBCL', 'COMMON-LISP']));
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
