/** The line ends of a text, shown in the status bar and preserved on save. */

export type LineEnds = 'LF' | 'CRLF' | 'CR' | 'mixed';

/** The kinds of line ends that an editor model supports. */
export type EditorEnds = 'LF' | 'CRLF';

/** Returns the line ends of a file's text; LF for a single line. */
export function lineEndsOf(text: string): LineEnds {
  if (!text.includes('\r')) return 'LF';
  const hasCr = /\r(?!\n)/.test(text);
  const hasCrlf = text.includes('\r\n');
  const hasLf = /(?<!\r)\n/.test(text);
  if (hasLf || (hasCr && hasCrlf)) return 'mixed';
  return hasCr ? 'CR' : 'CRLF';
}

/** Returns the editor's text with its file's line ends. Mixed line ends are restored line by line when the file is written. */
export function withEnds(text: string, lineEnds: LineEnds): string {
  return lineEnds === 'CR' ? text.replaceAll(/\r\n|\n/g, '\r') : text;
}

/** True if two texts differ at most in their line ends. */
export function sameText(one: string, other: string): boolean {
  return one === other || plain(one) === plain(other);
}

function plain(text: string): string {
  return text.replaceAll(/\r\n|\r/g, '\n');
}
