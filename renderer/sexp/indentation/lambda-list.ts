/** The indentation within lambda lists: parameters are aligned with their lambda list keyword. */
import type { Node } from './layout.ts';
import { isLambdaListKeyword, type Place } from './place.ts';

/** The column of parameters on the lines below a keyword, counted from the keyword. */
const PARAMETERS = 2;

/** Returns the column of a line in the innermost list, which is taken as a lambda list. */
export function lambdaListColumn({ layout, text, list, count, open }: Place): number {
  if (isLambdaListKeyword(text)) return open + 1;
  for (let index = count - 1; index >= 0; index -= 1) {
    const parameter = list.children[index]!;
    if (isLambdaListKeyword(layout.from(parameter))) return layout.column(parameter) + PARAMETERS;
  }
  return layout.column(list.children[0]!);
}

/**
 * True if the position is in the initial value of a parameter, which is code. `path` leads from the lambda list to the position, with an
 * index for each level.
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
