/** Finds the occurrences of a symbol by parsing the text, so that strings, comments and `#\\` characters are excluded. */
import { type Form, readText } from './reader.ts';

export interface Occurrence {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the occurrences of a symbol in order, in any letter case and with any package prefix. A keyword is not an occurrence of a symbol
 * in another package: `:name` is not `name`. `start` excludes the prefix.
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
