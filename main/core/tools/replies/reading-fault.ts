/** Finds and describes the fault that makes a text unreadable as Lisp, with its position and how to repair it. Pure. */
import { imbalanceOf, imbalanceText } from '#contract/sexp/balance.ts';
import { isLispPath } from '#core/project/edits/lisp-file.ts';
import type { ToolOutcome } from '../tool.ts';

const HEADER = '[Unbalanced]';

/**
 * Returns text such as "Line 12, column 3: (let ((a 1) is never closed, …"; null if every form is complete. Checks only parentheses,
 * strings and other delimiters.
 */
export function readingFault(text: string): string | null {
  const found = imbalanceOf(text);
  return found && imbalanceText(found);
}

/** Returns the fault in a file's text if it is a Lisp file; null if there is none. */
export function fileFault(file: string, text: string): string | null {
  return isLispPath(file) ? readingFault(text) : null;
}

/**
 * Returns text such as "src/a.lisp:12:3 does not read as Lisp: …"; null under the same conditions as for `fileFault`. `path` is the file's
 * path in the form that the reader of the answer uses.
 */
export function faultWithPlace(path: string, file: string, text: string): string | null {
  const found = isLispPath(file) ? imbalanceOf(text) : null;
  if (found === null) return null;
  const { line, column, message, repair } = found;
  return `${path}:${line}:${column} does not read as Lisp: ${message}${repair === null ? '' : ` ${repair}`}`;
}

/** Returns the additional section of an answer about unreadable code; empty if the code is balanced. */
export function unbalancedSection(text: string): string {
  const fault = readingFault(text);
  return fault === null ? '' : `\n\n${HEADER}\n${fault}`;
}

/**
 * Adds the position of unbalanced code to the failure of a tool that takes code. Not used for evaluations: they report the position
 * themselves, because another of their forms may have failed.
 */
export function withReadingFault(outcome: ToolOutcome, { code, form }: Record<string, unknown>): ToolOutcome {
  const text = code ?? form;
  if (outcome.success || outcome.evaluation || typeof text !== 'string' || outcome.text.includes(HEADER))
    return outcome;
  return { ...outcome, text: outcome.text + unbalancedSection(text) };
}
