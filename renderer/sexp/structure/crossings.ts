/** The lists, strings and block comments that begin or end in a section of a text and extend beyond it. Pure. */
import type { Span } from './edits.ts';
import type { Node, Tree } from './tree.ts';

/** A list, string or block comment that only begins or only ends in the spans. */
export interface Crossing {
  readonly kind: 'list' | 'string' | 'comment';
  readonly opener: Span;
  readonly closer: Span;
  /** The delimiter that is in the spans. */
  readonly inside: 'opener' | 'closer';
}

/** Returns the lists, strings and block comments that cross an edge of the spans, in the order of the delimiters inside. */
export function crossingsOf(tree: Tree, spans: readonly Span[]): Crossing[] {
  const found: Crossing[] = [];
  const note = (kind: Crossing['kind'], opener: Span, closer: Span): void => {
    const opens = isWithin(spans, opener.start);
    if (opens !== isWithin(spans, closer.start))
      found.push({ kind, opener, closer, inside: opens ? 'opener' : 'closer' });
  };
  const visit = (nodes: readonly Node[]): void => {
    for (const { kind, body, end, closed, children } of nodes) {
      if (kind !== 'atom' && closed) note(kind, { start: body, end: body + 1 }, { start: end - 1, end });
      visit(children);
    }
  };
  visit(tree.forms);
  for (const { start, end, isBlock } of tree.comments)
    if (isBlock) note('comment', { start, end: start + 2 }, { start: end - 2, end });
  const insideOf = ({ inside, opener, closer }: Crossing): number => (inside === 'opener' ? opener : closer).start;
  return found.toSorted((one, other) => insideOf(one) - insideOf(other));
}

function isWithin(spans: readonly Span[], offset: number): boolean {
  return spans.some(({ start, end }) => start <= offset && offset < end);
}

/**
 * Returns the offset after the last code before `offset`, ignoring whitespace, line comments and the spans in `without`; null if there is
 * no such code.
 */
export function codeEndBefore(tree: Tree, offset: number, without: readonly Span[] = []): number | null {
  const { text, comments } = tree;
  for (let at = offset; at > 0; at -= 1) {
    const comment = comments.find(({ start, end, isBlock }) => !isBlock && start < at && at <= end);
    const gone = without.find(({ start, end }) => start < at && at <= end);
    if (comment ?? gone) at = (comment ?? gone)!.start + 1;
    else if (!/\s/.test(text[at - 1]!)) return at;
  }
  return null;
}
