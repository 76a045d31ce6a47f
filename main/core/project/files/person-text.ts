/**
 * The person's text files, in the usual encodings of Lisp sources. Saving preserves what the editor does not show: the byte-order mark, and
 * the line ends of unchanged lines. Agents read and write only UTF-8.
 */
import { diffArrays } from 'diff';
import type { TextEncoding } from '#contract/text/text-file.ts';
import { WorkbenchError } from '#core/base/error.ts';

const MARK = '\uFEFF';

export interface DecodedText {
  readonly text: string;
  readonly encoding: TextEncoding;
  /** True if the bytes are not valid in the encoding used, so the text does not represent all the file's content. */
  readonly lossy: boolean;
}

/**
 * Decodes bytes with the requested encoding, otherwise with the encoding of their byte-order mark, otherwise with UTF-8. The mark is not
 * part of the text.
 */
export function decodeText(bytes: Buffer, asked: TextEncoding | null = null): DecodedText {
  const encoding = asked ?? markedEncoding(bytes) ?? 'utf-8';
  if (encoding === 'iso-8859-1') return { text: bytes.toString('latin1'), encoding, lossy: false };
  const label = encoding === 'utf-8-bom' ? 'utf-8' : encoding;
  try {
    return { text: new TextDecoder(label, { fatal: true }).decode(bytes), encoding, lossy: false };
  } catch {
    return { text: new TextDecoder(label).decode(bytes), encoding, lossy: true };
  }
}

/**
 * Decodes the bytes that another program wrote over a text that was read as `before`. The encoding follows from the byte-order mark, or
 * from valid UTF-8 beyond ASCII; otherwise `before` is used again.
 */
export function decodeRewritten(bytes: Buffer, before: TextEncoding): DecodedText {
  const asTold = decodeText(bytes);
  if (markedEncoding(bytes) !== null) return asTold;
  if (before === 'iso-8859-1') {
    const isAscii = bytes.every((byte) => byte < 0x80);
    return isAscii || asTold.lossy ? decodeText(bytes, before) : asTold;
  }
  // In UTF-16 each ASCII character has a null byte, which does not occur in UTF-8 text.
  const isWide = (before === 'utf-16le' || before === 'utf-16be') && bytes.includes(0);
  return isWide ? decodeText(bytes, before) : asTold;
}

/** Returns the encoding from a byte-order mark or from the file's own declaration; null if there is neither. */
function markedEncoding(bytes: Buffer): TextEncoding | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8-bom';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return declaredEncoding(bytes);
}

/** The number of octets at the start of a file in which Emacs looks for a declaration. */
const DECLARED_WITHIN = 1000;

/** Returns the encoding that one of the first two lines declares for Emacs, as in `-*- coding: latin-1 -*-`; null if there is none. */
function declaredEncoding(bytes: Buffer): TextEncoding | null {
  const lines = bytes.toString('latin1', 0, DECLARED_WITHIN).split('\n', 2);
  for (const line of lines) {
    const name = /-\*-(?:.*[;\s])?coding\s*:\s*([\w-]+).*-\*-/i.exec(line)?.[1];
    if (name && /^(?:iso-)?latin-?1(?:-unix|-dos)?$|^iso-8859-1(?:-unix|-dos)?$/i.test(name)) return 'iso-8859-1';
  }
  return null;
}

/** Encodes a text. @throws WorkbenchError `invalid` if the encoding lacks a character. */
export function encodeText(text: string, encoding: TextEncoding): Buffer {
  switch (encoding) {
    case 'utf-8':
      return Buffer.from(text, 'utf8');
    case 'utf-8-bom':
      return Buffer.from(MARK + text, 'utf8');
    case 'utf-16le':
      return Buffer.from(MARK + text, 'utf16le');
    case 'utf-16be':
      return Buffer.from(MARK + text, 'utf16le').swap16();
    case 'iso-8859-1': {
      const lacked = lackedCharacter(text, encoding);
      if (lacked !== null) throw new WorkbenchError('invalid', `${lacked} cannot be written in ISO 8859-1.`);
      return Buffer.from(text, 'latin1');
    }
  }
}

/** Returns the first character of a text that an encoding lacks; null if it can encode all of them. */
export function lackedCharacter(text: string, encoding: TextEncoding): string | null {
  return encoding === 'iso-8859-1' ? (/[^\0-\u00ff]/u.exec(text)?.[0] ?? null) : null;
}

/**
 * Returns the edited text with the original's line ends. Existing lines keep their line ends; a new line gets the line end of the line
 * before it. A text with one kind of line end keeps that kind.
 */
export function withLineEndsOf(original: string, edited: string): string {
  const before = linesOf(original);
  const ends = new Set(before.map(({ end }) => end).filter((end) => end !== ''));
  const [only] = ends;
  const plain = edited.replaceAll(/\r\n?/g, '\n');
  if (ends.size <= 1) return only === undefined || only === '\n' ? plain : plain.replaceAll('\n', only);
  const after = plain.split('\n');
  const changes = diffArrays(
    before.map(({ text }) => text),
    after,
  );
  let [at, index] = [0, 0];
  let latest = before[0]!.end;
  const result: string[] = [];
  for (const { added, removed, count } of changes) {
    if (removed) {
      index += count;
      continue;
    }
    for (let line = 0; line < count; line += 1) {
      if (!added) latest = before[index++]?.end || latest;
      result.push(after[at++]!, at < after.length ? latest : '');
    }
  }
  return result.join('');
}

interface Line {
  readonly text: string;
  /** The line end; empty for the last line. */
  readonly end: string;
}

function linesOf(text: string): Line[] {
  const pieces = text.split(/(\r\n|\r|\n)/);
  const lines: Line[] = [];
  for (let index = 0; index < pieces.length; index += 2)
    lines.push({ text: pieces[index]!, end: pieces[index + 1] ?? '' });
  return lines;
}
