/** A text file whose encoding, byte-order mark and line ends are preserved when part of it changes. */
import { systemCode, WorkbenchError } from '#core/base/error.ts';
import { digestOf, LARGEST_TEXT, readProjectFile } from './files.ts';

export interface ExactText {
  readonly text: string;
  /** Bytes that are not valid UTF-8 are read as Latin-1, in which every byte is a character. */
  readonly encoding: 'utf-8' | 'latin-1';
  /** True if the file begins with a byte-order mark, which is not part of `text`. */
  readonly mark: boolean;
  /** The line end of most lines. */
  readonly lineEnd: '\n' | '\r\n';
  readonly bytes: number;
  /** SHA-256 of the bytes. */
  readonly digest: string;
}

export const MARK = '\uFEFF';

/**
 * Reads the file at a canonical path; null if there is none. @throws WorkbenchError `system`, `too-large`, or `refused` if it is not text.
 */
export async function readExact(file: string): Promise<ExactText | null> {
  let bytes: Buffer;
  try {
    bytes = await readProjectFile(file, LARGEST_TEXT);
  } catch (error) {
    if (error instanceof WorkbenchError && systemCode(error.cause) === 'ENOENT') return null;
    throw error;
  }
  if (bytes.includes(0)) throw new WorkbenchError('refused', `${file} contains null bytes, so it is not text.`);
  return { ...decode(bytes), bytes: bytes.length, digest: digestOf(bytes) };
}

/**
 * Encodes a changed text in the file's previous format; null for a new file. @throws WorkbenchError `invalid` for characters that the
 * encoding lacks.
 */
export function encodeLike(before: Pick<ExactText, 'encoding' | 'mark'> | null, text: string): Buffer {
  if (before?.encoding !== 'latin-1') return Buffer.from((before?.mark ? MARK : '') + text, 'utf8');
  const at = [...text].findIndex((character) => character.codePointAt(0)! > 0xff);
  if (at >= 0)
    throw new WorkbenchError(
      'invalid',
      `The file is in Latin-1, which lacks the character ${JSON.stringify([...text][at])}.`,
    );
  return Buffer.from(text, 'latin1');
}

/** Converts the line feeds in a text to the file's line ends. */
export function withLineEnds(text: string, lineEnd: ExactText['lineEnd']): string {
  return lineEnd === '\n' || text.includes('\r') ? text : text.replaceAll('\n', '\r\n');
}

function decode(bytes: Buffer): Pick<ExactText, 'text' | 'encoding' | 'mark' | 'lineEnd'> {
  let text: string;
  let encoding: ExactText['encoding'] = 'utf-8';
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    text = bytes.toString('latin1');
    encoding = 'latin-1';
  }
  const mark = encoding === 'utf-8' && text.startsWith(MARK);
  if (mark) text = text.slice(1);
  const all = text.split('\n').length - 1;
  const windows = text.split('\r\n').length - 1;
  return { text, encoding, mark, lineEnd: windows * 2 > all ? '\r\n' : '\n' };
}
