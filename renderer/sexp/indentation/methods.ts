/**
 * The methods of operators at a place: of the standard, then of macros in the text around it, then of what the image has told about
 * its macros.
 */
import type { Layout, Node } from './layout.ts';
import { type Method, standardMethod } from './patterns.ts';
import { methodOfLambdaList } from './local-macros.ts';

/** Tells the method of a macro of the image; `word` may have a package before the name. Null for a name without any. */
export type ImageMethods = (word: string) => Method | null;

export const noImage: ImageMethods = () => null;

/** Returns the function that tells the method of an operator in a layout. */
export function methodsIn(layout: Layout, image: ImageMethods): (word: string, list: Node) => Method | null {
  return (word, list) => {
    const name = word.slice(word.lastIndexOf(':') + 1);
    return standardMethod(word) ?? standardMethod(name) ?? localMethod(layout, name, list) ?? image(word);
  };
}

const BINDING = /^(macrolet|cl:macrolet)$/;

function localMethod(layout: Layout, name: string, from: Node): Method | null {
  for (let list = from.parent; list; list = list.parent) {
    const [operator, bindings] = list.children;
    if (operator?.kind !== 'atom' || !BINDING.test(layout.word(operator).toLowerCase())) continue;
    for (const binding of bindings?.children ?? []) {
      const [bound, lambdaList] = binding.children;
      if (bound?.kind === 'atom' && layout.word(bound).toLowerCase() === name && lambdaList?.kind === 'list')
        return methodOfLambdaList(layout, lambdaList);
    }
  }
  return null;
}
