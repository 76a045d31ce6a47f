/** Names of functions as the image reads them. Pure. */
import { readableName } from '../debugger/breakpoints.ts';

/** The name of a function, as somebody types it in a package, as it is read in CL-USER; that of a method has its packages written. */
export function inUserPackage(name: string, inPackage: string): string {
  const plain = name.replace(/^#?'/, '');
  return /^\(method\s/i.test(plain) ? plain : readableName(inPackage, plain);
}

/** The name of a method without the word for that, `SHOP:TOTAL (ITEM)`, which a list has room for; that of a function as it is. */
export function withoutMethod(name: string): string {
  return /^\(METHOD (.+)\)$/s.exec(name)?.[1] ?? name;
}
