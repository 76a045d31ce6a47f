/** Converts font families that a person typed to CSS. Pure. */

/** CSS's generic families; in quotes they would be names of fonts. */
const GENERIC = new Set(['monospace', 'ui-monospace', 'serif', 'sans-serif', 'system-ui', 'cursive', 'fantasy']);

/**
 * Returns the families of a comma-separated list, each in quotes, so that names with digits, spaces or punctuation are safe. Returns an
 * empty string if the list is empty.
 */
export function fontFamilies(written: string): string {
  return written
    .split(',')
    .map((family) => family.replaceAll(/["'\\;{}<>]/g, '').trim())
    .filter(Boolean)
    .map((family) => (GENERIC.has(family.toLowerCase()) ? family : `"${family}"`))
    .join(', ');
}
