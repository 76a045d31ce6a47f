/** The image's macros that affect indentation, as stored in the mirror. */
import { mirror, type Mirror } from '../mirror.ts';
import { MacroMethods } from '../../sexp/indentation/image-methods.ts';
import type { Macros } from '../../sexp/indentation/methods.ts';

let latest: { readonly of: Mirror['indentation']; readonly macros: Macros } | null = null;

/** Returns a lookup for the macros that the image has reported so far. It is rebuilt after each change. */
export function imageMacros(): Macros {
  const { indentation } = mirror.getState();
  if (latest?.of !== indentation) latest = { of: indentation, macros: new MacroMethods(indentation.values()) };
  return latest.macros;
}
