/** Converts names of functions to the form that the image reads. Pure. */
import { readableName } from '../debugger/breakpoints.ts';

/**
 * Converts the name of a function or method, typed in a package, to a name that is read in CL-USER. The name of a method gets package
 * prefixes.
 */
export function inUserPackage(name: string, inPackage: string): string {
  const plain = name.replace(/^#?'/, '');
  return /^\(method\s/i.test(plain) ? plain : readableName(inPackage, plain);
}

/**
 * Returns the name of a method without the word METHOD, short enough for a list: `SHOP:TOTAL (ITEM)`; returns the name of a function
 * unchanged.
 */
export function withoutMethod(name: string): string {
  return /^\(METHOD (.+)\)$/s.exec(name)?.[1] ?? name;
}
