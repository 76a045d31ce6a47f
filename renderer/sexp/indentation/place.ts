/** The position of a line to be indented: the forms around the line, and the columns that the rules refer to. */
import type { Layout, Node } from './layout.ts';

/**
 * A column for a line. If `settled` is true, the column also applies to the following lines that begin with a form of the same list;
 * otherwise the column of each of those lines is computed separately.
 */
export interface Column {
  readonly column: number;
  readonly settled: boolean;
}

export interface Place {
  readonly layout: Layout;
  readonly line: number;
  /** The text of the line without leading whitespace. */
  readonly text: string;
  /** The innermost list around the beginning of the line, and the number of its forms before the line, which is never 0. */
  readonly list: Node;
  readonly count: number;
  /** The column of the innermost list's parenthesis. */
  readonly open: number;
}

/** Returns the column for this line only. */
export function alone(column: number): Column {
  return { column, settled: false };
}

/** Returns the column for this line and the following ones in its list. */
export function forAll(column: number): Column {
  return { column, settled: true };
}

const SYMBOL = /^[^\s()'`,#";|\\]/;

/** True if a text begins with a name or a number. */
export function beginsWithSymbol(text: string): boolean {
  return SYMBOL.test(text);
}

/** True if a text begins with a letter or a digit. */
export function beginsWithWord(text: string): boolean {
  return /^[\p{L}\p{N}]/u.test(text);
}

const LAMBDA_LIST_KEYWORD = /^&(optional|rest|key|allow-other-keys|aux|whole|body|environment|more)(?![\p{L}\p{N}])/u;

export function isLambdaListKeyword(text: string): boolean {
  return LAMBDA_LIST_KEYWORD.test(text);
}

/** True for `#+` and `#-`, with or without a feature's name. */
export function isFeature(layout: Layout, node: Node): boolean {
  return /^#!?[+-]/.test(layout.from(node));
}
