import { describe, expect, it } from 'vitest';
import {
  backwardChar,
  backwardParagraph,
  backwardWord,
  blankLinesAround,
  blanksAround,
  changeWord,
  forwardChar,
  forwardParagraph,
  forwardWord,
  indentation,
  joinToAbove,
  lineEnd,
  lineStart,
  type Motion,
  otherLine,
  restOfLine,
  type TextChange,
  transposeChars,
} from './emacs-text.ts';

/** Returns the text without `¦`, and the offset of `¦` as the caret. */
function at(drawn: string): [text: string, caret: number] {
  return [drawn.replace('¦', ''), drawn.indexOf('¦')];
}

function drawnAt(text: string, caret: number): string {
  return `${text.slice(0, caret)}¦${text.slice(caret)}`;
}

function moved(motion: Motion, drawn: string): string {
  const [text, caret] = at(drawn);
  return drawnAt(text, motion(text, caret));
}

function changed(change: (text: string, caret: number) => TextChange | null, drawn: string): string | null {
  const [text, caret] = at(drawn);
  const made = change(text, caret);
  if (!made) return null;
  return drawnAt(text.slice(0, made.start) + made.text + text.slice(made.end), made.caret);
}

describe('motions', () => {
  it.each<[string, Motion, string, string]>([
    ['the start of the line', lineStart, 'a\nbc¦d\ne', 'a\n¦bcd\ne'],
    ['the start of the first line', lineStart, 'ab¦', '¦ab'],
    ['the start of the line, being there', lineStart, 'a\n¦b', 'a\n¦b'],
    ['the end of the line', lineEnd, 'a\nb¦cd\ne', 'a\nbcd¦\ne'],
    ['the end of the last line', lineEnd, 'a\n¦b', 'a\nb¦'],
    ['the indentation', indentation, 'a\n \t b¦c', 'a\n \t ¦bc'],
    ['the indentation of an empty line', indentation, 'a\n ¦\nb', 'a\n ¦\nb'],
    ['the next character', forwardChar, 'a¦b', 'ab¦'],
    ['the next character, a pair of surrogates', forwardChar, '¦😀b', '😀¦b'],
    ['the next character at the end', forwardChar, 'ab¦', 'ab¦'],
    ['the next character of several', forwardChar, 'a¦bc', 'ab¦c'],
    ['the paragraph’s end from its start', forwardParagraph, '¦abc d\nx\n\ny', 'abc d\nx\n¦\ny'],
    ['the end of two lines', forwardParagraph, '¦a\nb', 'a\nb¦'],
    ['the line of blanks before the paragraph', backwardParagraph, 'a\n  \nb¦', 'a\n¦  \nb'],
    ['the start over several empty lines', backwardParagraph, 'x\n\na\n\n\n¦', 'x\n¦\na\n\n\n'],
    ['the start of the text over empty lines', backwardParagraph, 'a\n\n\n¦', '¦a\n\n\n'],
    ['the character before', backwardChar, 'ab¦', 'a¦b'],
    ['the character before, a pair of surrogates', backwardChar, 'a😀¦', 'a¦😀'],
    ['the character before behind a pair', backwardChar, '😀a¦', '😀¦a'],
    ['the character before at the start', backwardChar, '¦a', '¦a'],
    ['the next word', forwardWord, 'a¦ (make-thing', 'a (make¦-thing'],
    ['the next word from within', forwardWord, 'ma¦ké2-thing', 'maké2¦-thing'],
    ['the next word where there is none', forwardWord, 'a¦ ()', 'a ()¦'],
    ['the word before', backwardWord, '(make-thing ¦', '(make-¦thing '],
    ['the word before from within', backwardWord, '(make-thi¦ng', '(make-¦thing'],
    ['the word before where there is none', backwardWord, '( ¦', '¦( '],
    ['the paragraph’s end', forwardParagraph, 'a¦\nb\n\nc', 'a\nb\n¦\nc'],
    ['the paragraph’s end from an empty line', forwardParagraph, '¦\n\nb\nc\n\nd', '\n\nb\nc\n¦\nd'],
    ['the end of the text', forwardParagraph, 'a\n¦b', 'a\nb¦'],
    ['the end of the text behind all', forwardParagraph, 'a¦\n\n', 'a\n\n¦'],
    ['the paragraph’s start', backwardParagraph, 'a\n\nb\nc¦', 'a\n¦\nb\nc'],
    ['the paragraph’s start from an empty line', backwardParagraph, 'x\n\nb\nc\n\n¦d', 'x\n\nb\nc\n¦\nd'],
    ['the start of the text', backwardParagraph, 'a\nb¦', '¦a\nb'],
  ])('The caret goes to %s', (_where, motion, from, to) => {
    expect(moved(motion, from)).toBe(to);
  });

  it.each<[string, -1 | 1, string | null]>([
    ['abc\nd¦ef', -1, 'a¦bc\ndef'],
    ['abc\nd¦ef', 1, null],
    ['a¦bc\ndef', 1, 'abc\nd¦ef'],
    ['a¦bc\ndef', -1, null],
    ['abc¦\nd\nefg', 1, 'abc\nd¦\nefg'],
    ['a\n\nbc¦', -1, 'a\n¦\nbc'],
  ])('In %j the caret in another line (%d) is at %j', (drawn, direction, expected) => {
    const [text, caret] = at(drawn);
    const to = otherLine(text, caret, direction);
    expect(to === null ? null : drawnAt(text, to)).toBe(expected);
  });
});

describe('changes', () => {
  it.each([
    ['ab¦cd\ne', 'cd'],
    ['ab¦\ne', '\n'],
    ['ab¦  \ne', '  \n'],
    ['ab¦', ''],
    ['ab¦  ', '  '],
  ])('Of %j the rest of the line is %j', (drawn, expected) => {
    const [text, caret] = at(drawn);
    const { start, end } = restOfLine(text, caret);
    expect([start, end, text.slice(start, end)]).toEqual([caret, caret + expected.length, expected]);
  });

  it.each<[string, (text: string, caret: number) => TextChange | null, string, string | null]>([
    ['characters change places', transposeChars, 'ab¦cd', 'acb¦d'],
    ['the last two of a line change places', transposeChars, 'x\nabc¦\nd', 'x\nacb¦\nd'],
    ['the last two of a text change places', transposeChars, 'ab¦', 'ba¦'],
    ['one character of a line has nothing to change with', transposeChars, 'x\na¦\nb', null],
    ['the first two of a line change places', transposeChars, 'x\na¦b', 'x\nba¦'],
    ['one character has nothing to change with', transposeChars, 'a¦', null],
    ['nothing is in front of the first', transposeChars, '¦ab', null],
    ['blanks go', (text, caret) => blanksAround(text, caret, ''), 'a \t¦ b', 'a¦b'],
    ['blanks stay within their line', (text, caret) => blanksAround(text, caret, ''), 'a \n ¦ \n b', 'a \n¦\n b'],
    ['blanks become one', (text, caret) => blanksAround(text, caret, ' '), 'a¦   b', 'a ¦b'],
    ['a blank comes where none was', (text, caret) => blanksAround(text, caret, ' '), 'a¦b', 'a ¦b'],
    ['a word becomes capitals', (text, caret) => changeWord(text, caret, 'upper'), 'a¦ (make-x', 'a (MAKE¦-x'],
    ['a word becomes small letters', (text, caret) => changeWord(text, caret, 'lower'), 'a¦ MAKE-X', 'a make¦-X'],
    ['a word gets a capital', (text, caret) => changeWord(text, caret, 'capital'), '¦ mAKE', ' Make¦'],
    ['a line joins the one above', joinToAbove, 'a  \n   b¦c', 'a¦ bc'],
    ['a line joins an empty one', joinToAbove, 'a\n\n  b¦', 'a\n¦b'],
    ['a line joins an opener', joinToAbove, '(\n b¦', '(¦b'],
    ['a closer joins the line above', joinToAbove, '(a\n ¦)', '(a¦)'],
    ['an empty line joins the one above', joinToAbove, 'a\n ¦\nb', 'a¦\nb'],
    ['an empty last line joins the one above', joinToAbove, 'a\n ¦', 'a¦'],
    ['the first line joins nothing', joinToAbove, 'a¦', null],
    ['several empty lines become one', blankLinesAround, 'a\n\n¦ \n\nb', 'a\n¦\nb'],
    ['one empty line goes', blankLinesAround, 'a\n¦\nb', 'a\n¦b'],
    ['empty lines below go', blankLinesAround, 'a¦x\n\n \nb', 'a¦x\nb'],
    ['no empty line is left alone', blankLinesAround, 'a¦\nb', null],
  ])('At the caret %s', (_what, change, from, to) => {
    expect(changed(change, from)).toBe(to);
  });
});
