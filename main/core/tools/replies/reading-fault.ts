/** What keeps a text from being read as Lisp, in words, with where it is and how it is mended. Pure. */
import { imbalanceOf, imbalanceText } from '#contract/sexp/balance.ts';
import { isLispPath } from '#core/project/lisp-file.ts';
import type { ToolOutcome } from '../tool.ts';

const HEADER = '[Unbalanced]';

/** "Line 12, column 3: (let ((a 1) is never closed, …"; null when every form is complete. Only parentheses, strings and the like are looked at. */
export function readingFault(text: string): string | null {
  const found = imbalanceOf(text);
  return found && imbalanceText(found);
}

/** The same of a file, where it is one of Lisp. */
export function fileFault(file: string, text: string): string | null {
  return isLispPath(file) ? readingFault(text) : null;
}

/** What an answer about code that could not be read says more; nothing when it is balanced. */
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
