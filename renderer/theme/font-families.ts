/** Font families as a person writes them, for CSS. Pure. */

/** The families that CSS knows by itself; in quotes they would be names of fonts. */
const GENERIC = new Set(['monospace', 'ui-monospace', 'serif', 'sans-serif', 'system-ui', 'cursive', 'fantasy']);

/** The families of a list with commas, each in quotes, so that a name with digits, blanks or marks does no harm. Empty for none. */
export function fontFamilies(written: string): string {
  return written
    .split(',')
    .map((family) => family.replaceAll(/["'\\;{}<>]/g, '').trim())
    .filter(Boolean)
    .map((family) => (GENERIC.has(family.toLowerCase()) ? family : `"${family}"`))
    .join(', ');
}
