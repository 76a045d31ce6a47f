/** The place of a line that is to be indented: the forms around it, and the columns that those that decide refer to. */
import type { Layout, Node } from './layout.ts';

/**
 * A column for a line. `settled`: the lines after it in the same list, which begin with a form of it, stand there too; else each is
 * looked at for itself.
 */
export interface Column {
  readonly column: number;
  readonly settled: boolean;
}

export interface Place {
  readonly layout: Layout;
  readonly line: number;
  /** The text of the line without blanks before it. */
  readonly text: string;
  /** The innermost list around the line's beginning, and the number of its forms before the line, which is not 0. */
  readonly list: Node;
  readonly count: number;
  /** The column of the innermost list's parenthesis. */
  readonly open: number;
}

/** The column for this line alone. */
export function alone(column: number): Column {
  return { column, settled: false };
}

/** The column for this line and those after it in its list. */
export function forAll(column: number): Column {
  return { column, settled: true };
}

const SYMBOL = /^[^\s()'`,#";|\\]/;

/** True when a text begins with a name or a number. */
export function beginsWithSymbol(text: string): boolean {
  return SYMBOL.test(text);
}

/** True when a text begins with a letter or a digit. */
export function beginsWithWord(text: string): boolean {
  return /^[\p{L}\p{N}]/u.test(text);
}

const LAMBDA_LIST_KEYWORD = /^&(optional|rest|key|allow-other-keys|aux|whole|body|environment|more)(?![\p{L}\p{N}])/u;

export function isLambdaListKeyword(text: string): boolean {
  return LAMBDA_LIST_KEYWORD.test(text);
}

/** True for `#+` and `#-`, alone or with a feature's name. */
export function isFeature(layout: Layout, node: Node): boolean {
  return /^#!?[+-]/.test(layout.from(node));
}
