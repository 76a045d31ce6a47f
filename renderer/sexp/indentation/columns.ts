/**
 * Computes the indentation column of a line of Lisp from the forms around it, as SLIME does. The enclosing operators are examined from the
 * innermost outwards, and the first one with a rule for the line determines the column. If there is no such rule, arguments are aligned
 * with the first argument.
 */
import type { Layout, Node } from './layout.ts';
import { ifStarColumn } from './if-star.ts';
import { isInInitialValue, lambdaListColumn } from './lambda-list.ts';
import { loopColumn } from './loop.ts';
import {
  DEFINING,
  isNamedLikeDefinition,
  isNamedLikeSurrounding,
  type Method,
  type Part,
  type Pattern,
  SURROUNDING,
} from './patterns.ts';
import { alone, beginsWithSymbol, beginsWithWord, type Column, forAll, isFeature, type Place } from './place.ts';

/** Returns the indentation method of the operator `word` of a list; null for an operator without a method. */
export type FindMethod = (word: string, list: Node) => Method | null;

/** The number of enclosing lists that are considered, from the innermost outwards. */
const LEVELS = 6;
const BODY = 2;
/** The column of the statements in a tagbody, as opposed to its tags. */
const UNTAGGED = 3;

/** Returns the column of a line; null if it begins in a string or a block comment, whose whitespace must not change. */
export function columnOf(layout: Layout, line: number, find: FindMethod): Column | null {
  const { within, list, count } = layout.contexts[line]!;
  if (within !== 'code') return null;
  if (!list) return forAll(0);
  const open = layout.bodyColumn(list);
  if (count === 0) return forAll(open + 1);
  const place: Place = { layout, line, text: layout.textOf(line), list, count, open };
  const usual = usualColumn(place);
  return byOperators(place, usual, find) ?? besideSecond(place) ?? forAll(usual);
}

/**
 * Returns the column for a line to which no rule applies: aligned with the first argument, or with the start of the line on which the
 * previous form begins.
 */
function usualColumn({ layout, list, count }: Place): number {
  const [first, second] = list.children as [Node, Node?];
  const last = list.children[count - 1]!;
  if (first.kind === 'list') {
    const prefix = layout.lines[first.line]!.slice(first.start, first.body);
    return /,@?$/.test(prefix) ? layout.column(first) : layout.bodyColumn(first);
  }
  if (last.line === first.line) {
    const apart = /\s/.test(layout.lines[list.line]!.charAt(list.body + 1));
    return layout.column(last === first || apart || !second ? first : second);
  }
  return layout.columnAt(last.line, firstFormOn(layout, last));
}

/** Returns the position at which the first form on a node's line begins, even if that form belongs to another list. */
function firstFormOn(layout: Layout, node: Node): number {
  const found = /^[\s)]*/.exec(layout.lines[node.line]!)![0].length;
  return Math.min(found, node.start);
}

function byOperators(place: Place, usual: number, find: FindMethod): Column | null {
  let normal = forAll(usual);
  let tentative: Column | null = null;
  let found: Column | null = null;
  const path: number[] = [];
  let list: Node | null = place.list;
  let index = place.count;
  for (let level = 0; list && !found && level < LEVELS; level += 1) {
    path.unshift(index);
    const word = operatorOf(place.layout, list);
    const name = word === null ? null : nameIn(word);
    let method = word === null ? null : find(word, list);
    const isInnermost = path.length === 1;
    if (method === null && name !== null && isInnermost && isNamedLikeSurrounding(name)) method = SURROUNDING;
    found = besideFeature(place);
    if (isQuoted(place.layout, list)) found = forAll(place.open + 1);
    else if (method !== null) found = columnBy(method, { place, list, path, normal });
    else if (name !== null && isInnermost && isNamedLikeDefinition(name)) {
      tentative = columnBy(DEFINING, { place, list, path, normal });
      normal = tentative;
    } else found = besideKeyword(place) ?? found;
    index = list.index;
    list = list.parent;
  }
  return found ?? tentative;
}

/** Returns the operator of a list in lower case; null for a list that does not begin with a name. */
function operatorOf(layout: Layout, list: Node): string | null {
  const [operator] = list.children;
  if (operator?.kind !== 'atom') return null;
  const word = layout.word(operator);
  return beginsWithSymbol(word) ? word.toLowerCase() : null;
}

/** Returns a name without its package. */
function nameIn(word: string): string {
  return word.slice(word.lastIndexOf(':') + 1);
}

/** True for `'(…)` and `#(…)`, which are data, but not for `#'(…)`. */
function isQuoted(layout: Layout, list: Node): boolean {
  const prefix = layout.lines[list.line]!.slice(list.start, list.body);
  return prefix.endsWith('#') || (prefix.endsWith("'") && !prefix.endsWith("#'"));
}

/** A line after a feature expression, or after the form to which it applies, is aligned with the feature expression. */
function besideFeature({ layout, list, count }: Place): Column | null {
  const before = (steps: number): Node | undefined => list.children[count - steps];
  const last = before(1)!;
  if (isFeature(layout, last)) return alone(layout.column(last));
  let feature = before(2);
  if (!feature || !isFeature(layout, feature)) return null;
  for (let steps = 4; ; steps += 2) {
    const earlier = before(steps);
    if (!earlier || earlier.line !== feature.line || !isFeature(layout, earlier)) break;
    feature = earlier;
  }
  return alone(layout.column(feature));
}

/** A line that begins with a keyword is aligned with the first keyword of the pairs before it. */
function besideKeyword({ layout, list, count, text }: Place): Column | null {
  if (!/^(#!?[+-]\S*\s+)*:/.test(text)) return null;
  let found: Column | null = null;
  let index = count - 2;
  while (index >= 0) {
    const node = list.children[index]!;
    if (isFeature(layout, node)) {
      const earlier = list.children[index - 2];
      if (earlier && isFeature(layout, earlier)) index -= 2;
      else if (list.children[index - 1] && layout.from(list.children[index - 1]!).startsWith(':')) index -= 1;
    }
    if (isKeyword(layout, list.children[index]!)) found = alone(layout.column(list.children[index]!));
    index -= 2;
  }
  return found;
}

function isKeyword(layout: Layout, node: Node): boolean {
  for (let each: Node | undefined = node; each; each = each.parent?.children[each.index + 1]) {
    if (!isFeature(layout, each)) return layout.from(each).startsWith(':');
  }
  return false;
}

/** Aligns the arguments of a call with the first argument, even if the lines in between have other columns. */
function besideSecond({ layout, line, list, count }: Place): Column | null {
  const rest = layout.lines[list.line]!.slice(list.body + 1);
  if (/^\s*(;|$)/.test(rest)) return alone(layout.columnAt(list.line, list.body + 1));
  const [first, second] = list.children as [Node, Node?];
  if (!second) return null;
  if (count > 1) return alone(layout.column(second));
  // The line begins with the second form, because a comment follows the first form on its line.
  const behind = layout.lines[first.endLine]!.slice(first.end);
  return second.line === line && /^[ \t]*;/.test(behind) ? alone(layout.columnAt(first.endLine, first.end) + 1) : null;
}

interface Call {
  readonly place: Place;
  /** The list whose operator has the method. */
  readonly list: Node;
  /** The path from that list to the line: the index of a form at each level. */
  readonly path: readonly number[];
  readonly normal: Column;
}

function columnBy(method: Method, call: Call): Column {
  const { place, path, normal, list } = call;
  const nested = path.length > 1;
  if (typeof method === 'number') {
    if (nested) return normal;
    const [index] = path as [number];
    if (index <= method) return alone(place.open + 4);
    return index === method + 1 ? forAll(place.open + BODY) : normal;
  }
  if (typeof method !== 'string') return columnByPattern(method, call);
  switch (method) {
    case 'loop':
      return nested ? normal : loopColumn(place);
    case 'if*':
      return ifStarColumn(place);
    case 'tagbody':
      return columnOfTag(call, UNTAGGED);
    case 'do':
      if (path[0]! >= 3) return columnOfTag(call, BODY);
      return columnByPattern(
        [
          ['&whole', null, '&rest'],
          ['&whole', null, '&rest', 1],
        ],
        call,
      );
    case 'lambda':
      return columnOfFunctionBody(call);
    case 'defsetf':
      return columnInDefsetf(call);
    case 'defmethod':
      return columnByPattern(methodPattern(place.layout, list), call);
  }
}

/**
 * Returns the column for an argument by a pattern. Steps through the pattern's elements, and applies the element after `&rest` to all
 * remaining arguments.
 */
function columnByPattern(pattern: Pattern, call: Call): Column {
  const { place, normal, list } = call;
  let parts: Pattern = pattern;
  let index = call.path[0]! - 1;
  let rest = call.path.slice(1);
  let isTail = false;
  for (;;) {
    const part: Part = parts[0] ?? null;
    if (part === '&body') return rest.length === 0 ? forAll(place.open + BODY) : normal;
    if (part === '&rest') {
      isTail = index > 0;
      index = 0;
      parts = parts.slice(1);
    } else if (index > 0) {
      index -= 1;
      parts = parts.slice(1);
    } else if (part === null) return alone(normal.column);
    else if (part === '&lambda') return columnInLambdaList(call, list, rest);
    else if (part === '&function') return columnOfFunctionBody(call);
    else if (part === '&tagbody') return columnOfTag(call, UNTAGGED);
    else if (typeof part === 'number') return rest.length === 0 ? alone(place.open + part) : normal;
    else if (typeof part === 'string') return normal;
    else if (rest.length > 0) {
      parts = part.slice(2);
      [index, ...rest] = rest as [number, ...number[]];
      isTail = false;
    } else {
      const whole = part[1] ?? null;
      if (isTail) return typeof whole === 'number' && beginsWithWord(place.text) ? forAll(place.open + whole) : normal;
      return typeof whole === 'number' ? alone(place.open + whole) : alone(normal.column);
    }
  }
}

/** `rest` is the path from the lambda list to the line; empty if the line begins with the lambda list. */
function columnInLambdaList({ place, normal, path }: Call, list: Node, rest: readonly number[]): Column {
  let around: Node | undefined = list;
  for (const index of path.slice(0, path.length - rest.length)) around = around?.children[index];
  if (around?.kind !== 'list') return rest.length === 0 ? forAll(place.open + BODY) : normal;
  if (isInInitialValue(place.layout, around, rest)) return alone(normal.column);
  return alone(rest.length === 0 ? place.open + 4 : lambdaListColumn(place));
}

function columnOfTag({ place, path, normal }: Call, untagged: number): Column {
  if (path.length > 1) return normal;
  return alone(place.open + (beginsWithSymbol(place.text) ? 1 : untagged));
}

/**
 * Returns the column of a lambda expression's body. If the lambda expression is inside `(function …)`, the column is counted from the
 * parenthesis of that form.
 */
function columnOfFunctionBody({ place, path, normal, list }: Call): Column {
  if (path.length > 1 || path[0]! > 3) return normal;
  const around = list.parent;
  if (around && operatorOf(place.layout, around) === 'function') return forAll(place.layout.bodyColumn(around) + BODY);
  return forAll(place.open + BODY);
}

function columnInDefsetf({ place, path, list }: Call): Column {
  const [index] = path as [number];
  const nested = path.length > 1;
  if (index === 2 && nested) return alone(lambdaListColumn(place));
  const third = list.children[2];
  const isLong = nested || (third !== undefined && /^(nil|\()/.test(place.layout.from(third)));
  return alone(place.open + (index === 1 || index === 2 || (isLong && index === 3) ? 4 : BODY));
}

/** Returns the pattern of a method definition: its name, any number of qualifiers, the lambda list, and the body. */
function methodPattern(layout: Layout, list: Node): Pattern {
  const isInner = operatorOf(layout, list)?.startsWith(':') ?? false;
  let index = isInner ? 1 : 2;
  let before = isInner ? 0 : 1;
  for (let node = list.children[index]; node && beginsWithSymbol(layout.from(node)); node = list.children[index]) {
    before += 1;
    index += 1;
  }
  return [...Array<number>(before).fill(4), '&lambda', '&body'];
}
