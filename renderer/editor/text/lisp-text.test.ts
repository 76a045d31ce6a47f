import { describe, expect, it } from 'vitest';
import { isLispText } from './lisp-text.ts';

describe('texts that are read as Lisp', () => {
  const isLisp = (title: string, text: string, lossy = false): boolean =>
    isLispText({ path: `/shop/${title}`, title, text, lossy });

  it('The name of a file tells, and where it does not, how the text begins', () => {
    expect([isLisp('a.lisp', 'no form'), isLisp('shop.asd', ''), isLisp('notes.md', '(a)')]).toEqual([
      true,
      true,
      false,
    ]);
    for (const text of ['', '\n (a)', ';; a', '#| a |#', '#+sbcl (a)', '#!/usr/bin/sbcl --script', "'a"])
      expect(isLisp('.sbclrc', text)).toBe(true);
    for (const text of [
      'MIT License',
      '# a comment of a shell',
      '#!/bin/sh',
      '#include <stdio.h>',
      '{"a": 1}',
      '<svg>',
    ])
      expect(isLisp('other', text)).toBe(false);
    expect(isLispText({ path: null, title: 'untitled.lisp', text: '' })).toBe(true);
    expect(isLispText({ path: null, title: 'Expansion of (a)', text: 'a' })).toBe(true);
  });

  it('What is no text is not read as Lisp, whatever it is called', () => {
    expect([isLisp('photo.png', '\uFFFDPNG\r\n\u001A\n\0', true), isLisp('shop.fasl', '(a) \0')]).toEqual([
      false,
      false,
    ]);
    expect([isLisp('a.lisp', '(a \0)'), isLisp('blob', '(\uFFFD', true)]).toEqual([false, false]);
    expect(isLisp('latin.lisp', ';; caf\uFFFD', true)).toBe(true);
  });
});
