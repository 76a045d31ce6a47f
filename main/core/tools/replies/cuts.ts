/** Cuts long texts between characters, and between lines if the text has lines. Pure. */

/** Returns the last offset up to `at` that does not split a character. */
export function boundary(bytes: Buffer, at: number): number {
  let end = Math.min(bytes.length, at);
  while (end < bytes.length && isContinuation(bytes[end]!)) end -= 1;
  return end;
}

/**
 * Returns the text without the incomplete line on one side: the last line if the text is a start, otherwise the first line. Returns the
 * text unchanged if it has no line ends, or if half of the text or more would be lost.
 */
export function wholeLines(text: string, side: 'start' | 'end'): string {
  const at = side === 'start' ? text.lastIndexOf('\n') : text.indexOf('\n');
  if (at < 0) return text;
  const rest = side === 'start' ? text.slice(0, at) : text.slice(at + 1);
  return rest.length > text.length / 2 ? rest : text;
}

function isContinuation(byte: number): boolean {
  return byte >> 6 === 0b10;
}
