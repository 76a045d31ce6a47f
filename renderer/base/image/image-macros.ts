/** The macros of the image for indentation, as the mirror has them. */
import { mirror, type Mirror } from '../mirror.ts';
import { MacroMethods } from '../../sexp/indentation/image-methods.ts';
import type { Macros } from '../../sexp/indentation/methods.ts';

let latest: { readonly of: Mirror['indentation']; readonly macros: Macros } | null = null;

/** The lookup in what the image has told by now; made anew after each change. */
export function imageMacros(): Macros {
  const { indentation } = mirror.getState();
  if (latest?.of !== indentation) latest = { of: indentation, macros: new MacroMethods(indentation.values()) };
  return latest.macros;
}
