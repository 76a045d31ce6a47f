import { describe, expect, it } from 'vitest';
import { colourText } from './colour.ts';

/** Returns `part:text` for each colored part of a text. Leaves out plain text and parentheses. */
const parts = (text: string): string[] =>
  colourText(text).flatMap(({ line, runs }) =>
    runs
      .filter((run) => run.part !== 'plain' && run.part !== 'paren')
      .map((run) => `${run.part}:${line.slice(run.start, run.end)}`),
  );

describe('colours', () => {
  it.each<[string, string, string[]]>([
    [
      'a definition',
      '(defun total (cart)\n  "Doc."\n  12)',
      ['operator:defun', 'name:total', 'doc:"Doc."', 'number:12'],
    ],
    ['a setf function', '(defun (setf name) (v))', ['operator:defun', 'name:name']],
    [
      'a structure with options',
      '(defstruct (point (:conc-name p)) x)',
      ['operator:defstruct', 'name:point', 'keyword::conc-name'],
    ],
    [
      'specials, keywords and lambda-list words',
      '(f *cart* :a &key)',
      ['special:*cart*', 'keyword::a', 'keyword:&key'],
    ],
    ['quoted lists as data', "'(if a) #'car", []],
    ['loop words', '(loop for x in xs sum x)', ['operator:loop', 'operator:for', 'operator:in', 'operator:sum']],
    ['loop words nowhere else', '(f for in)', []],
    [
      'block comments over lines',
      'a #| x\n #| y |# \n z |# 1',
      ['comment:#| x', 'comment: #| y |# ', 'comment: z |#', 'number:1'],
    ],
    ['strings over lines', '"a\nb" 2', ['string:"a', 'string:b"', 'number:2']],
    ['characters', '(list #\\( #\\Space) 1', ['character:#\\(', 'character:#\\Space', 'number:1']],
    ['feature tests as comments', '#+(or) (total 1)', ['comment:#+(or)', 'number:1']],
    ['numbers', '(list 1/5 -2.5 1e3 #xFF 1+ -)', ['number:1/5', 'number:-2.5', 'number:1e3', 'number:#xFF']],
    ['symbols in bars', '|a (b| 1', ['bar:|a (b|', 'number:1']],
  ])('The text is coloured in parts: %s [D2]', (_name, text, expected) => {
    expect(parts(text)).toEqual(expected);
  });

  it('The colours cover every character once [D2]', () => {
    for (const text of [
      '(defun a (b) "x" #\\a #|c|# `(,@d ,e) \'f |g h| #+i j)',
      '#\\',
      '|',
      '"',
      '\\',
      '(((((',
      ')))',
      '#',
      '#2A((1))',
    ]) {
      for (const { line, runs } of colourText(text))
        expect(runs.map((run) => line.slice(run.start, run.end)).join('')).toBe(line);
    }
  });
});
