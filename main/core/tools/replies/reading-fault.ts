/** The fault that keeps a text from being read as Lisp, in words, with its place and its repair. Pure. */
import { imbalanceOf, imbalanceText } from '#contract/sexp/balance.ts';
import { isLispPath } from '#core/project/edits/lisp-file.ts';
import type { ToolOutcome } from '../tool.ts';

const HEADER = '[Unbalanced]';

/** "Line 12, column 3: (let ((a 1) is never closed, …"; null when every form is complete. Only parentheses, strings and the like are looked at. */
export function readingFault(text: string): string | null {
  const found = imbalanceOf(text);
  return found && imbalanceText(found);
}

/** Returns the fault of a file's text, where the file is one of Lisp; null when there is none. */
export function fileFault(file: string, text: string): string | null {
  return isLispPath(file) ? readingFault(text) : null;
}

/** "src/a.lisp:12:3 does not read as Lisp: …"; null as `fileFault`. `path`: as the reader knows the file. */
export function faultWithPlace(path: string, file: string, text: string): string | null {
  const found = isLispPath(file) ? imbalanceOf(text) : null;
  if (found === null) return null;
  const { line, column, message, repair } = found;
  return `${path}:${line}:${column} does not read as Lisp: ${message}${repair === null ? '' : ` ${repair}`}`;
}

/** Returns the section that an answer about unreadable code has besides; empty when the code is balanced. */
export function unbalancedSection(text: string): string {
  const fault = readingFault(text);
  return fault === null ? '' : `\n\n${HEADER}\n${fault}`;
}

/**
 * A failure of a tool that takes code, with where that is not balanced. An evaluation says so by itself, since another form of
 * it may have failed.
 */
export function withReadingFault(outcome: ToolOutcome, { code, form }: Record<string, unknown>): ToolOutcome {
  const text = code ?? form;
  if (outcome.success || outcome.evaluation || typeof text !== 'string' || outcome.text.includes(HEADER))
    return outcome;
  return { ...outcome, text: outcome.text + unbalancedSection(text) };
}
