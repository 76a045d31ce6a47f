/** How the lines of a text end: what the status bar shows, and what saving keeps. */

export type LineEnds = 'LF' | 'CRLF' | 'CR' | 'mixed';

/** Line ends that the editor's text can have by itself. */
export type EditorEnds = 'LF' | 'CRLF';

/** The line ends of a file's text; LF where it has one line. */
export function lineEndsOf(text: string): LineEnds {
  if (!text.includes('\r')) return 'LF';
  const hasCr = /\r(?!\n)/.test(text);
  const hasCrlf = text.includes('\r\n');
  const hasLf = /(?<!\r)\n/.test(text);
  if (hasLf || (hasCr && hasCrlf)) return 'mixed';
  return hasCr ? 'CR' : 'CRLF';
}

/** A text of the editor with the line ends of its file; where those are mixed, each line gets its own when it is written. */
export function withEnds(text: string, lineEnds: LineEnds): string {
  return lineEnds === 'CR' ? text.replaceAll(/\r\n|\n/g, '\r') : text;
}

/** True for texts that differ in nothing but the ends of their lines. */
export function sameText(one: string, other: string): boolean {
  return one === other || plain(one) === plain(other);
}

function plain(text: string): string {
  return text.replaceAll(/\r\n|\r/g, '\n');
}
