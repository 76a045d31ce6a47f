/** The usual short name of a package. */
const USUAL: Record<string, string> = { 'COMMON-LISP-USER': 'CL-USER', 'COMMON-LISP': 'CL' };

export function shownPackage(name: string): string {
  return USUAL[name] ?? name;
}
