/** Indentation within lambda lists: parameters stand by the keyword that they belong to. */
import type { Node } from './layout.ts';
import { isLambdaListKeyword, type Place } from './place.ts';

/** Columns from a keyword that begins a line's parameters to the parameters on the next line. */
const PARAMETERS = 2;

/** The column of a line in the innermost list, taken as a lambda list. */
export function lambdaListColumn({ layout, text, list, count, open }: Place): number {
  if (isLambdaListKeyword(text)) return open + 1;
  for (let index = count - 1; index >= 0; index -= 1) {
    const parameter = list.children[index]!;
    if (isLambdaListKeyword(layout.from(parameter))) return layout.column(parameter) + PARAMETERS;
  }
  return layout.column(list.children[0]!);
}

/**
 * True when the place, reached from the lambda list by `path` (an index a level), is in the initial value of a parameter, which
 * is code.
 */
export function isInInitialValue(layout: Place['layout'], lambdaList: Node, path: readonly number[]): boolean {
  let list: Node | undefined = lambdaList;
  let state: 'required' | 'keyed' | 'variable' | 'value' = 'required';
  for (const [level, index] of path.entries()) {
    if (!list) return false;
    for (const parameter of list.children.slice(0, index)) {
      const text = layout.from(parameter);
      if (/^&(key|optional|aux)/.test(text)) state = 'keyed';
      else if (isLambdaListKeyword(text)) state = 'required';
      if (state === 'variable') state = 'value';
    }
    if (level === path.length - 1) break;
    if (state === 'variable') state = 'required';
    if (state === 'keyed') state = 'variable';
    list = list.children[index];
  }
  return state === 'value';
}
