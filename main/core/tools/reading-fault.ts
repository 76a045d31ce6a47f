/** What keeps a text from being read as Lisp, in words. Pure. */
import { readText } from '#contract/sexp/reader.ts';

/** "the form in line 12 is never closed"; null when every form is complete. Only parentheses, strings and the like are looked at. */
export function readingFault(text: string): string | null {
  const { forms, missing, stray } = readText(text);
  if (stray !== null) return `a closing parenthesis too many in line ${lineOf(text, stray)}`;
  const open = forms.find(({ closed }) => !closed);
  if (open) return `the form in line ${lineOf(text, open.start)} is never closed`;
  return missing === null ? null : `the text ends within a ${missing}, in line ${lineOf(text, text.length)}`;
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
