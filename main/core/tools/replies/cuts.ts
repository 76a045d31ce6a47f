/** Cutting long texts: between characters, and between lines if the text has lines. Pure. */

/** Returns the last offset up to `at` that is between two characters. */
export function boundary(bytes: Buffer, at: number): number {
  let end = Math.min(bytes.length, at);
  while (end < bytes.length && isContinuation(bytes[end]!)) end -= 1;
  return end;
}

/** Returns the text without its incomplete line, if it has lines. */
export function wholeLines(text: string, side: 'start' | 'end'): string {
  const at = side === 'start' ? text.lastIndexOf('\n') : text.indexOf('\n');
  if (at < 0) return text;
  const rest = side === 'start' ? text.slice(0, at) : text.slice(at + 1);
  return rest.length > text.length / 2 ? rest : text;
}

function isContinuation(byte: number): boolean {
  return byte >> 6 === 0b10;
}
