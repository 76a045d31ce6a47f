/** The output of evaluated code as a text. */
import type { OutputChunk } from '#core/sessions/scheduler/output-chunk.ts';

/** Returns the output without the line ends after it. */
export function printedText(output: readonly OutputChunk[]): string {
  return joinedText(output).trimEnd();
}

/** Returns the text of all chunks, with a line in the place of what was not kept. */
export function joinedText(output: readonly OutputChunk[]): string {
  return output.map(({ text, skipped = 0 }) => (skipped > 0 ? `\n${notKept(skipped)}\n${text}` : text)).join('');
}

/** Says that so many characters were printed and are not there. */
export function notKept(characters: number): string {
  return `… ${characters} characters of output were not stored …`;
}

/** Returns the output with a header, where it has none of its own. */
export function outputSection(text: string): string {
  return text.startsWith('[Warnings') ? text : `[Output]\n${text}`;
}
