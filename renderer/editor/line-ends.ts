/** How the lines of a text end: what the status bar shows, and what saving keeps. */

export type LineEnds = 'LF' | 'CRLF' | 'mixed';

/** The line ends of a file's text; LF where it has one line. */
export function lineEndsOf(text: string): LineEnds {
  if (!text.includes('\r')) return 'LF';
  const isAllCrlf = !/\r(?!\n)/.test(text) && !/(?<!\r)\n/.test(text);
  return isAllCrlf ? 'CRLF' : 'mixed';
}
