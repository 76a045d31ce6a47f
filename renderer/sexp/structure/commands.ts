/**
 * Structural editing: each command replaces a part of the text and keeps all parentheses balanced. Pure: a command takes the text of a
 * top-level form and a caret, and returns a replacement, or null if there is nothing to do.
 */
import { balanceOf } from '../reading/pairs.ts';
import { type Node, Tree } from './tree.ts';

/**
 * A replacement for the text from `start` to `end`. `caret` is an offset from `start` in the new text, and may be beyond the replacement.
 */
export interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly caret: number;
}

/** A selection in a text. If `start` equals `end`, it is a caret at that offset; otherwise the caret is at `end`. */
export interface Selected {
  readonly start: number;
  readonly end: number;
}

export type StructureCommand = (text: string, selected: Selected) => Change | null;

/**
 * Returns the change that a command makes; null if there is none. Also returns null if the change would unbalance a balanced text, for
 * example within a character's name or after a backslash.
 */
export function changeBy(command: StructureCommand, text: string, selected: Selected): Change | null {
  const change = command(text, selected);
  if (!change || !balanceOf(text).isBalanced) return change;
  return balanceOf(text.slice(0, change.start) + change.text + text.slice(change.end)).isBalanced ? change : null;
}

/** Moves the form after the list around the caret into that list. If no form follows the list, tries the surrounding lists. */
export const slurpForward: StructureCommand = (text, { end: caret }) => {
  const tree = new Tree(text);
  const string = tree.stringAround(caret);
  for (let list = string ?? tree.listAround(caret); list; list = list.parent) {
    const next = siblingAfter(tree, list);
    if (!list.closed || !next) continue;
    const inner = text.slice(list.body, list.end - 1);
    const between = text.slice(list.end, next.start);
    const gap = list.children.length === 0 && list.kind === 'list' ? '' : between === '' ? ' ' : between;
    const [closer, taken] = [text[list.end - 1]!, text.slice(next.start, next.end)];
    const form = list.kind === 'string' ? quoted(taken) : taken;
    // A comment between the list and the form must stay on its own line.
    const kept = gap === '' && /;/.test(between) ? between : gap;
    return { start: list.body, end: next.end, text: inner + kept + form + closer, caret: caret - list.body };
  }
  return null;
};

/** Moves the last form of the list around the caret out of it, to the place after the list. */
export const barfForward: StructureCommand = (text, { end: caret }) => {
  const tree = new Tree(text);
  const list = tree.listAround(caret);
  const last = list?.children.at(-1);
  if (!list?.closed || !last) return null;
  const before = list.children.at(-2);
  const keep = before ? before.end : list.body + 1;
  const moved = text.slice(keep, list.end - 1);
  const gap = /^\s/.test(moved) ? '' : ' ';
  return {
    start: list.body,
    end: list.end,
    text: `${text.slice(list.body, keep)})${gap}${moved.trimEnd()}`,
    caret: Math.min(caret, keep) - list.body,
  };
};

/** Moves the form before the list around the caret into the list. */
export const slurpBackward: StructureCommand = (text, { end: caret }) => {
  const tree = new Tree(text);
  for (let list = tree.listAround(caret); list; list = list.parent) {
    const before = siblingBefore(tree, list);
    if (!before) continue;
    const between = text.slice(before.end, list.start);
    const opener = text.slice(list.start, list.body + 1);
    const isEmpty = list.children.length === 0;
    const gap = isEmpty && !between.includes(';') ? '' : between === '' ? ' ' : between;
    const start = opener + text.slice(before.start, before.end) + gap;
    return { start: before.start, end: list.body + 1, text: start, caret: start.length + caret - list.body - 1 };
  }
  return null;
};

/** Moves the first form of the list around the caret out of it, to the place before the list. */
export const barfBackward: StructureCommand = (text, { end: caret }) => {
  const tree = new Tree(text);
  const list = tree.listAround(caret);
  const first = list?.children[0];
  if (!list || !first) return null;
  const second = list.children[1];
  const opener = text.slice(list.start, list.body + 1);
  const rest = second ? second.start : Math.max(first.end, list.closed ? list.end - 1 : list.end);
  const between = second ? text.slice(first.end, rest) : ' ';
  const left = text.slice(list.body + 1, first.end) + (between === '' ? ' ' : between) + opener;
  return { start: list.start, end: rest, text: left, caret: left.length + Math.max(0, caret - rest) };
};

/** Replaces the surrounding list with the form at the caret, or with the selected forms. */
export const raise: StructureCommand = (text, selected) => {
  const tree = new Tree(text);
  const span = formsIn(tree, selected);
  const list = span?.parent;
  if (!span || !list) return null;
  const raised = text.slice(span.start, span.end);
  return {
    start: list.start,
    end: list.end,
    text: raised,
    caret: Math.min(Math.max(0, selected.end - span.start), raised.length),
  };
};

/** Replaces the list around the caret with its forms. */
export const splice: StructureCommand = (text, { end: caret }) => {
  const tree = new Tree(text);
  const list = tree.stringAround(caret) ?? tree.listAround(caret);
  if (!list?.closed) return null;
  const inner = text.slice(list.body + 1, list.end - 1);
  const freed = list.kind === 'string' ? inner.replaceAll(/\\(["\\])/g, '$1') : inner;
  if (list.kind === 'string' && !balanceOf(freed).isBalanced) return null;
  return { start: list.start, end: list.end, text: freed, caret: Math.max(0, caret - list.body - 1) };
};

/** Deletes the forms before the caret, and replaces the list with the remaining ones. */
export const spliceKillingBackward: StructureCommand = (text, { end: caret }) => {
  const tree = new Tree(text);
  const list = tree.listAround(caret);
  if (!list?.closed) return null;
  const from = tree.inside(list).find(({ end }) => end > caret)?.start ?? list.end - 1;
  return { start: list.start, end: list.end, text: text.slice(from, list.end - 1).trimEnd(), caret: 0 };
};

/** Deletes the forms after the caret, and replaces the list with the remaining ones. */
export const spliceKillingForward: StructureCommand = (text, { end: caret }) => {
  const tree = new Tree(text);
  const list = tree.listAround(caret);
  if (!list?.closed) return null;
  const to = tree.inside(list).findLast(({ start }) => start < caret)?.end ?? list.body + 1;
  const kept = text.slice(list.body + 1, to).trimStart();
  return { start: list.start, end: list.end, text: kept, caret: kept.length };
};

/** Puts parentheses around the form at the caret, or around the selection. */
export const wrapWithParentheses: StructureCommand = (text, selected) => {
  const tree = new Tree(text);
  if (tree.stringAround(selected.end) || tree.commentAround(selected.end)) return null;
  const span = formsIn(tree, selected);
  if (!span) return { start: selected.end, end: selected.end, text: '()', caret: 1 };
  return { start: span.start, end: span.end, text: `(${text.slice(span.start, span.end)})`, caret: 1 };
};

/** Puts double quotes around the form at the caret, or around the selection, and escapes the quotes within. */
export const wrapWithQuotes: StructureCommand = (text, selected) => {
  const tree = new Tree(text);
  if (tree.stringAround(selected.end) || tree.commentAround(selected.end)) return null;
  const span = formsIn(tree, selected);
  if (!span) return { start: selected.end, end: selected.end, text: '""', caret: 1 };
  return { start: span.start, end: span.end, text: `"${quoted(text.slice(span.start, span.end))}"`, caret: 1 };
};

/** Swaps the form before the caret with the form after the caret or around it. */
export const transpose: StructureCommand = (text, { end: caret }) => {
  const tree = new Tree(text);
  const forms = tree.inside(tree.listAround(caret));
  let second = forms.findIndex(({ end }) => end > caret);
  if (second < 0) second = forms.length - 1;
  return second > 0 ? swapped(text, forms[second - 1]!, forms[second]!, 'after') : null;
};

/** Swaps the form at the caret with the next one. */
export const dragForward: StructureCommand = (text, { end: caret }) => drag(text, caret, 1);

/** Swaps the form at the caret with the previous one. */
export const dragBackward: StructureCommand = (text, { end: caret }) => drag(text, caret, -1);

function drag(text: string, caret: number, by: 1 | -1): Change | null {
  const tree = new Tree(text);
  const form = tree.formAt(caret);
  if (!form) return null;
  const other = by === 1 ? siblingAfter(tree, form) : siblingBefore(tree, form);
  if (!other) return null;
  const change = by === 1 ? swapped(text, form, other, 'after') : swapped(text, other, form, 'before');
  const offset = Math.min(caret, form.end) - form.start;
  return { ...change, caret: by === 1 ? change.caret - (form.end - form.start) + offset : offset };
}

/** Deletes the form after the caret; at the end of a list, does nothing. */
export const killForm: StructureCommand = (text, { end: caret }) => {
  const tree = new Tree(text);
  if (tree.commentAround(caret)) return null;
  const form = tree.inside(tree.listAround(caret)).find(({ end }) => end > caret);
  if (!form) return null;
  return { start: Math.min(caret, form.start), end: form.end, text: '', caret: 0 };
};

/** Deletes the text from the caret to the end of the list or string around it; in a comment, to the end of the line. */
export const killToEndOfList: StructureCommand = (text, { end: caret }) => {
  const tree = new Tree(text);
  const comment = tree.commentAround(caret);
  if (comment) return comment.isBlock ? null : removed(caret, comment.end);
  const around = tree.stringAround(caret) ?? tree.listAround(caret);
  if (around) return around.closed ? removed(caret, around.end - 1) : null;
  const form = tree.forms.find(({ end }) => end > caret);
  return form ? removed(Math.min(caret, form.start), form.end) : null;
};

/** Deletes the text from the start of the list or string around the caret to the caret. */
export const killToStartOfList: StructureCommand = (text, { end: caret }) => {
  const tree = new Tree(text);
  if (tree.commentAround(caret)) return null;
  const around = tree.stringAround(caret) ?? tree.listAround(caret);
  if (!around) return null;
  const inForm = around.kind === 'list' ? around.children.find(({ start, end }) => start < caret && caret < end) : null;
  return removed(around.body + 1, inForm ? inForm.end : caret);
};

/** Swaps the list around the caret with the list around that list: `(let (x) (when y |(f) (g)))` becomes `(when y (let (x) (f) (g)))`. */
export const convolute: StructureCommand = (text, { end: caret }) => {
  const tree = new Tree(text);
  const inner = tree.listAround(caret);
  const outer = inner?.parent;
  if (!inner?.closed || !outer?.closed) return null;
  const from = inner.children.find(({ end }) => end > caret)?.start ?? inner.end - 1;
  const head = text.slice(inner.body + 1, from).trim();
  const before = text.slice(outer.start, inner.start);
  const rest = text.slice(from, inner.end - 1);
  const left = `${text.slice(inner.start, inner.body + 1)}${head}${head === '' ? '' : ' '}${before}`;
  return {
    start: outer.start,
    end: outer.end,
    text: `${left}${rest}${text.slice(inner.end, outer.end)})`,
    caret: left.length - before.length,
  };
};

/** Splits the list or string around the caret into two. */
export const split: StructureCommand = (text, { end: caret }) => {
  const tree = new Tree(text);
  const string = tree.stringAround(caret);
  if (string) {
    const isEscaped = (/\\*$/.exec(text.slice(string.body + 1, caret))![0].length & 1) === 1;
    return isEscaped ? null : { start: caret, end: caret, text: '" "', caret: 1 };
  }
  const list = tree.listAround(caret);
  if (!list || tree.commentAround(caret)) return null;
  const cut = list.children.find(({ start, end }) => start < caret && caret < end);
  const at = cut ? cut.end : caret;
  const start = text.slice(0, at).trimEnd().length;
  const from = Math.max(start, list.body + 1);
  const end = at + /^[^\S\n]*/.exec(text.slice(at))![0].length;
  if (tree.commentAround(from)) return null;
  const between = text.slice(from, at).includes('\n') ? text.slice(from, at) : ' ';
  return { start: from, end, text: `)${between}(`, caret: 1 };
};

/** Joins the lists or strings before and after the caret. */
export const join: StructureCommand = (text, { end: caret }) => {
  const tree = new Tree(text);
  const before = tree.formBefore(caret);
  const after = tree.formAfter(caret);
  if (!before || !after || before.kind !== after.kind || before.kind === 'atom' || !before.closed || !after.closed)
    return null;
  const between = text.slice(before.end, after.start);
  const isEmpty = before.end - before.body === 2 || after.end - after.body === 2;
  const gap = before.kind === 'string' || (isEmpty && !between.includes(';')) ? '' : between === '' ? ' ' : between;
  return { start: before.end - 1, end: after.body + 1, text: gap, caret: 0 };
};

interface Span {
  readonly start: number;
  readonly end: number;
  readonly parent: Node | null;
}

/** Returns the form at a caret, or all forms that a selection touches, in the innermost list that contains both of its ends. */
function formsIn(tree: Tree, { start, end }: Selected): Span | null {
  if (start === end) {
    const form = tree.formAt(end);
    return form && { start: form.start, end: form.end, parent: form.parent };
  }
  let list = tree.listAround(start);
  while (list && list.end <= end) list = list.parent;
  const forms = tree.inside(list).filter((form) => form.end > start && form.start < end);
  const [first] = forms;
  return first ? { start: first.start, end: forms.at(-1)!.end, parent: list } : null;
}

function siblingAfter(tree: Tree, node: Node): Node | null {
  const siblings = tree.inside(node.parent);
  return siblings[siblings.indexOf(node) + 1] ?? null;
}

function siblingBefore(tree: Tree, node: Node): Node | null {
  const siblings = tree.inside(node.parent);
  return siblings[siblings.indexOf(node) - 1] ?? null;
}

function swapped(text: string, first: Node, second: Node, caret: 'before' | 'after'): Change {
  const moved = text.slice(second.start, second.end) + text.slice(first.end, second.start);
  const whole = moved + text.slice(first.start, first.end);
  return { start: first.start, end: second.end, text: whole, caret: caret === 'before' ? 0 : whole.length };
}

function removed(start: number, end: number): Change | null {
  return start < end ? { start, end, text: '', caret: 0 } : null;
}

/** Returns a text with the escapes that it needs inside a string. */
function quoted(text: string): string {
  return text.replaceAll(/[\\"]/g, '\\$&');
}
