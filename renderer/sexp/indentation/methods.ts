/**
 * The indentation methods of operators at a position in the text. They are looked up first among the standard's methods, then among the
 * macros defined in the surrounding text, then among the image's macros, as seen from the package in effect at that position.
 */
import type { Layout, Node } from './layout.ts';
import { methodOfLambdaList } from './local-macros.ts';
import { type Method, standardMethod } from './patterns.ts';

/** Returns the method of one of the image's macros; null for a name without a method. `word` may include a package prefix. */
export type ImageMethods = (word: string) => Method | null;

/** The macros that apply to a text: the image's macros as seen from a package, and the package in which the text begins. */
export interface Macros {
  in(packageName: string | null): ImageMethods;
}

export const NO_IMAGE: Macros = { in: () => () => null };

/** Returns a function that finds the method of an operator in a layout. `packageName` is the package in which the layout begins. */
export function methodsIn(
  layout: Layout,
  macros: Macros,
  packageName: string | null,
): (word: string, list: Node) => Method | null {
  const changes = packageChanges(layout);
  const known = new Map<string | null, ImageMethods>();
  const image = (list: Node): ImageMethods => {
    const { index } = topLevel(list);
    const here = changes.findLast((change) => change.index < index)?.name ?? packageName;
    const found = known.get(here) ?? macros.in(here);
    known.set(here, found);
    return found;
  };
  return (word, list) => {
    const name = word.slice(word.lastIndexOf(':') + 1);
    return standardMethod(word) ?? standardMethod(name) ?? localMethod(layout, name, list) ?? image(list)(word);
  };
}

function topLevel(list: Node): Node {
  let top = list;
  while (top.parent) top = top.parent;
  return top;
}

/** Returns the IN-PACKAGE forms of a text: for each, its index among the text's forms and the package. */
function packageChanges(layout: Layout): { index: number; name: string }[] {
  return layout.forms.flatMap(({ kind, children: [operator, designator], index }) => {
    if (kind !== 'list' || operator?.kind !== 'atom' || !designator) return [];
    if (!/^(cl:|common-lisp:)?in-package$/i.test(layout.word(operator))) return [];
    const name = designatedPackage(designator.kind, layout.word(designator));
    return name === null ? [] : [{ index, name }];
  });
}

function designatedPackage(kind: Node['kind'], word: string): string | null {
  if (kind === 'list' || word === '') return null;
  return kind === 'string' ? word.slice(1, -1) : word.replace(/^:/, '').toUpperCase();
}

function localMethod(layout: Layout, name: string, from: Node): Method | null {
  for (let list = from.parent; list; list = list.parent) {
    const [operator, bindings] = list.children;
    if (operator?.kind !== 'atom' || !/^(cl:)?macrolet$/i.test(layout.word(operator))) continue;
    for (const binding of bindings?.children ?? []) {
      if (binding === from) continue;
      const [bound, lambdaList] = binding.children;
      if (bound?.kind === 'atom' && layout.word(bound).toLowerCase() === name && hasBody(layout, lambdaList))
        return methodOfLambdaList(layout, lambdaList);
    }
  }
  return null;
}

/** A lambda list without `&body` does not determine the indentation; the name of the macro may be a better hint. */
function hasBody(layout: Layout, lambdaList: Node | undefined): lambdaList is Node {
  return lambdaList?.children.some((each) => each.kind === 'atom' && /^&body$/i.test(layout.word(each))) ?? false;
}
