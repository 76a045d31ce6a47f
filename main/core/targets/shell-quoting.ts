/** Splits a text that a person wrote into words, and quotes a text as a single word. Both follow the rules of a POSIX shell. */
import { WorkbenchError } from '#core/base/error.ts';

const BLANK = /\s/;

/**
 * Splits a text into words. Single quotes, double quotes and backslashes have the same effect as in a shell, but nothing is expanded.
 * @throws WorkbenchError `invalid` if a quote is not closed.
 */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index]!;
    const next = text[index + 1];
    if (quote === null && BLANK.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else if (char === quote) quote = null;
    else if (quote === null && (char === "'" || char === '"')) {
      quote = char;
      word ??= '';
    } else if (char === '\\' && next !== undefined && isEscaped(quote, next)) {
      word = (word ?? '') + next;
      index += 1;
    } else word = (word ?? '') + char;
  }
  if (quote !== null) throw new WorkbenchError('invalid', `A quote (${quote}) is not closed in: ${text}`);
  return word === null ? words : [...words, word];
}

/** Returns a text as one word of a POSIX shell. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/**
 * Returns the path of a program or folder as one word of a POSIX shell. The shell expands a tilde at the start of the path to the home
 * folder.
 */
export function quotedPath(path: string): string {
  const [, rest] = /^~(\/.*)?$/s.exec(path) ?? [];
  return path.startsWith('~') && (path === '~' || rest !== undefined)
    ? `"$HOME"${rest ? quoted(rest) : ''}`
    : quoted(path);
}

function isEscaped(quote: string | null, next: string): boolean {
  if (quote === "'") return false;
  return quote === null || '"\\$`'.includes(next);
}
