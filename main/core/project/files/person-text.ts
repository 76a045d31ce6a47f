/**
 * The person's text files in the encodings that Lisp sources come in. What the editor does not show is kept when it saves: the byte-order
 * mark, and the line end of each line that was not changed. Agents read and write UTF-8 alone.
 */
import { diffArrays } from 'diff';
import type { TextEncoding } from '#contract/text/text-file.ts';
import { WorkbenchError } from '#core/base/error.ts';

const MARK = '\uFEFF';

export interface DecodedText {
  readonly text: string;
  readonly encoding: TextEncoding;
  /** The bytes are no text of that encoding: what stands in the text is not all that the file holds. */
  readonly lossy: boolean;
}

/** Reads bytes as text: in the encoding that is asked for, else as their mark says, else as UTF-8. The mark is no part of the text. */
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
 * Reads bytes that another program put in the place of a text that was read in `before`. They tell their encoding by their mark, or by
 * characters beyond ASCII that are valid UTF-8; where they tell none, it is the one from before.
 */
export function decodeRewritten(bytes: Buffer, before: TextEncoding): DecodedText {
  const asTold = decodeText(bytes);
  if (markedEncoding(bytes) !== null) return asTold;
  if (before === 'iso-8859-1') {
    const isAscii = bytes.every((byte) => byte < 0x80);
    return isAscii || asTold.lossy ? decodeText(bytes, before) : asTold;
  }
  // In UTF-16 each ASCII character has a null byte, which UTF-8 does not have in a text.
  const isWide = (before === 'utf-16le' || before === 'utf-16be') && bytes.includes(0);
  return isWide ? decodeText(bytes, before) : asTold;
}

/** The encoding that a byte-order mark tells, or the file's own words; null where there are none. */
function markedEncoding(bytes: Buffer): TextEncoding | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8-bom';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return declaredEncoding(bytes);
}

/** Octets at the start of a file in which Emacs looks for what the file says about itself. */
const DECLARED_WITHIN = 1000;

/** The encoding that one of the first two lines declares as Emacs reads it, `-*- coding: latin-1 -*-`; null where none does. */
function declaredEncoding(bytes: Buffer): TextEncoding | null {
  const lines = bytes.toString('latin1', 0, DECLARED_WITHIN).split('\n', 2);
  for (const line of lines) {
    const name = /-\*-(?:.*[;\s])?coding\s*:\s*([\w-]+).*-\*-/i.exec(line)?.[1];
    if (name && /^(?:iso-)?latin-?1(?:-unix|-dos)?$|^iso-8859-1(?:-unix|-dos)?$/i.test(name)) return 'iso-8859-1';
  }
  return null;
}

/** The bytes of a text. @throws WorkbenchError `invalid` where a character has no place in the encoding. */
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

/** The first character of a text that an encoding cannot write; null where it can write all. */
export function lackedCharacter(text: string, encoding: TextEncoding): string | null {
  return encoding === 'iso-8859-1' ? (/[^\0-\u00ff]/u.exec(text)?.[0] ?? null) : null;
}

/**
 * The edited text with the line ends of the one that it was made from: a line that is there already keeps its own, a new one gets that of
 * the line before it. A text with one kind of line end keeps that kind.
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
  /** The line's end; empty for the last line. */
  readonly end: string;
}

function linesOf(text: string): Line[] {
  const pieces = text.split(/(\r\n|\r|\n)/);
  const lines: Line[] = [];
  for (let index = 0; index < pieces.length; index += 2)
    lines.push({ text: pieces[index]!, end: pieces[index + 1] ?? '' });
  return lines;
}
