/** Killing the rest of a line without unbalancing the form around it. Pure. */
import type { Span } from './edits.ts';
import { keepsBalance } from './guard.ts';
import { Tree } from './tree.ts';

/** Returns the rest of the line if killing it keeps the balance, otherwise the forms that begin on the line; null if there are none. */
export function killableLine(text: string, rest: Span): Span | null {
  const caret = rest.start;
  if (keepsBalance(text, rest.start, rest.end)) return rest;
  const tree = new Tree(text);
  const string = tree.stringAround(caret);
  if (string) return some({ start: caret, end: Math.min(rest.end, string.end - 1) }, text);
  const forms = tree.inside(tree.listAround(caret)).filter(({ start, end }) => end > caret && start < rest.end);
  const last = forms.at(-1);
  return last ? some({ start: caret, end: last.end }, text) : null;
}

/** Returns the span, or null if it is empty or killing it would still unbalance the text. */
function some(span: Span, text: string): Span | null {
  return span.end > span.start && keepsBalance(text, span.start, span.end) ? span : null;
}
