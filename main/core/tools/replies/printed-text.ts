/** The output of evaluated code as a text of bounded length. */
import type { OutputChunk } from '#core/sessions/scheduler/scheduler.ts';

/** Characters of output in an answer. */
const LONGEST_OUTPUT = 100_000;

/** Returns the output as far as an answer shows it. */
export function printedText(output: readonly OutputChunk[]): string {
  return shownText(allOf(output));
}

export function allOf(output: readonly OutputChunk[]): string {
  return output
    .map((chunk) => chunk.text)
    .join('')
    .trimEnd();
}

/** The first characters of a long text, and how many more there are. */
export function shownText(text: string): string {
  const rest = text.length - LONGEST_OUTPUT;
  return rest > 0 ? `${text.slice(0, LONGEST_OUTPUT)}\n… ${rest} more characters are not shown` : text;
}

/** Returns the output with a header, where it has none of its own. */
export function outputSection(text: string): string {
  return text.startsWith('[Warnings') ? text : `[Output]\n${text}`;
}
