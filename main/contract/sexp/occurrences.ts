/** The places of a text where a symbol stands, by reading and not by searching: not in strings, comments or `#\\` characters. */
import { type Form, readText } from './reader.ts';

export interface Occurrence {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns where a symbol stands in a text, in order, in any case and with any package prefix but that of another package's
 * keyword: `:name` is not `name`. `start` leaves the prefix out.
 */
export function occurrencesIn(
  text: string,
  symbol: string,
  forms: readonly Form[] = readText(text).forms,
): Occurrence[] {
  const wanted = withoutPrefix(symbol).toLowerCase();
  const isKeyword = symbol.startsWith(':');
  const found: Occurrence[] = [];
  const visit = (level: readonly Form[]): void => {
    for (const form of level) {
      if (form.kind === 'list') visit(form.children);
      else if (form.kind === 'atom') {
        const word = text.slice(form.body, form.end);
        if (word.startsWith(':') !== isKeyword || withoutPrefix(word).toLowerCase() !== wanted) continue;
        found.push({ start: form.end - withoutPrefix(word).length, end: form.end });
      }
    }
  };
  visit(forms);
  return found;
}

function withoutPrefix(word: string): string {
  return word.slice(word.lastIndexOf(':') + 1);
}
