/** Converts output of evaluated code to text. */
import type { OutputChunk } from '#core/sessions/scheduler/output-chunk.ts';

/** Returns the output without trailing line ends. */
export function printedText(output: readonly OutputChunk[]): string {
  return joinedText(output).trimEnd();
}

/** Returns the text of all chunks, with a note in place of discarded output. */
export function joinedText(output: readonly OutputChunk[]): string {
  return output.map(({ text, skipped = 0 }) => (skipped > 0 ? `\n${notKept(skipped)}\n${text}` : text)).join('');
}

/** Returns a note which says that characters were printed but not stored. */
export function notKept(characters: number): string {
  return `… ${characters} characters of output were not stored …`;
}

/** Returns the output, with a heading added if it does not begin with one. */
export function outputSection(text: string): string {
  return text.startsWith('[Warnings') ? text : `[Output]\n${text}`;
}
