import { describe, expect, it } from 'vitest';
import { textEncoding } from '#contract/text/text-file.ts';
import { decodeRewritten, decodeText, encodeText, lackedCharacter, withLineEndsOf } from './person-text.ts';

describe('encodings of text files', () => {
  it('A text comes back from its bytes in every encoding that can hold it', () => {
    const texts = textEncoding.options.map((encoding) => ({
      encoding,
      text: encoding === 'iso-8859-1' ? '(défun ÿ)\n' : '(defun λ () "😀")\r\n',
    }));
    const back = texts.map(({ text, encoding }) => decodeText(encodeText(text, encoding), encoding));
    expect(back).toEqual(texts.map((each) => ({ ...each, lossy: false })));
  });

  it('The bytes tell their encoding, but for those without a mark that are no UTF-8', () => {
    const told = textEncoding.options.filter((encoding) => encoding !== 'iso-8859-1');
    expect(told.map((encoding) => decodeText(encodeText('λ', encoding)))).toEqual(
      told.map((encoding) => ({ text: 'λ', encoding, lossy: false })),
    );
  });

  it('Bytes that are no UTF-8 are told, and can be read as ISO 8859-1', () => {
    const bytes = Buffer.from([0x22, 0xe9, 0x22]);
    expect(decodeText(bytes)).toEqual({ text: '"\uFFFD"', encoding: 'utf-8', lossy: true });
    expect(decodeText(bytes, 'iso-8859-1')).toEqual({ text: '"é"', encoding: 'iso-8859-1', lossy: false });
  });

  it('A file that declares Latin-1 in one of its first two lines, as Emacs reads it, is read so, and one that says so elsewhere is not', () => {
    const read = (text: string) => decodeText(Buffer.from(`${text}\n"é"`, 'latin1'));
    for (const line of [
      ';; -*- coding: latin-1 -*-',
      ';;; -*- Mode: LISP; Coding: iso-8859-1-unix; Package: X -*-',
      '\n#| -*- coding:latin-1;-*- |#',
    ])
      expect(read(line)).toEqual({ text: `${line}\n"é"`, encoding: 'iso-8859-1', lossy: false });
    for (const line of ['', ';; coding: latin-1', ';; -*- coding: utf-8 -*-', '\n\n;; -*- coding: latin-1 -*-'])
      expect(read(line)).toMatchObject({ encoding: 'utf-8', lossy: true });
  });

  it('A file that another program rewrote is read as its new bytes tell, and as before where they tell nothing [B14]', () => {
    const marked = encodeText('(λ)', 'utf-8-bom');
    const plain = encodeText('(λ)', 'utf-8');
    const latin = encodeText('(é)', 'iso-8859-1');
    const ascii = Buffer.from('(a)');
    expect(decodeRewritten(plain, 'utf-8-bom').encoding).toBe('utf-8');
    expect(decodeRewritten(marked, 'utf-8').encoding).toBe('utf-8-bom');
    expect(decodeRewritten(marked, 'iso-8859-1')).toEqual({ text: '(λ)', encoding: 'utf-8-bom', lossy: false });
    expect(decodeRewritten(plain, 'iso-8859-1')).toEqual({ text: '(λ)', encoding: 'utf-8', lossy: false });
    expect(decodeRewritten(latin, 'iso-8859-1')).toEqual({ text: '(é)', encoding: 'iso-8859-1', lossy: false });
    expect(decodeRewritten(ascii, 'iso-8859-1').encoding).toBe('iso-8859-1');
    expect(decodeRewritten(ascii, 'utf-16le')).toEqual({ text: '(a)', encoding: 'utf-8', lossy: false });
    expect(decodeRewritten(Buffer.from('(b)', 'utf16le'), 'utf-16le')).toMatchObject({
      text: '(b)',
      encoding: 'utf-16le',
    });
  });

  it('A character that an encoding cannot write is found, and UTF-8 writes all', () => {
    expect(lackedCharacter('price in €', 'iso-8859-1')).toBe('€');
    expect(lackedCharacter('pâté', 'iso-8859-1')).toBeNull();
    expect(lackedCharacter('price in €', 'utf-8')).toBeNull();
  });

  it('A character that the encoding lacks is named, and nothing is written', () => {
    expect(() => encodeText('price in €', 'iso-8859-1')).toThrow('€ cannot be written in ISO 8859-1');
  });
});

describe('line ends of an edited text', () => {
  it('A text with one kind of line end keeps it, whatever the editor gave', () => {
    expect(withLineEndsOf('a\r\nb\r\n', 'a\nnew\nb\n')).toBe('a\r\nnew\r\nb\r\n');
    expect(withLineEndsOf('a\nb\n', 'a\r\nnew\r\nb')).toBe('a\nnew\nb');
    expect(withLineEndsOf('', 'a\nb')).toBe('a\nb');
  });

  it('In a text with mixed line ends each unchanged line keeps its own, and a new one follows the line before it', () => {
    const original = 'one\r\ntwo\nthree\r\nfour\n';
    expect(withLineEndsOf(original, 'one\ntwo\nthree\nfour\n')).toBe(original);
    expect(withLineEndsOf(original, 'one\nnew\ntwo\nthree\nfour\n')).toBe('one\r\nnew\r\ntwo\nthree\r\nfour\n');
    expect(withLineEndsOf(original, 'one\ntwo\nfour\nlast')).toBe('one\r\ntwo\nfour\nlast');
    expect(withLineEndsOf('a\rb\nc\r\n', 'a\nb\nnew\nc\n')).toBe('a\rb\nnew\nc\r\n');
  });
});
