/** The names that a person can give to a client. */

const NAME = /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,39}$/;

/** Returns the reason why a client name is invalid, with a way to fix it; null if the name is valid. Surrounding blanks are ignored. */
export function clientNameFault(name: string): string | null {
  return NAME.test(name.trim())
    ? null
    : 'Use 1 to 40 letters, digits, spaces, dots, dashes or underscores, beginning with a letter or digit.';
}
