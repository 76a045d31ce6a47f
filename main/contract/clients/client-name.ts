/** The names that a person can give to a client. */

const NAME = /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,39}$/;

/** Why a client cannot have a name, in a sentence that says what to do; null where it can. Blanks around it do not count. */
export function clientNameFault(name: string): string | null {
  return NAME.test(name.trim())
    ? null
    : 'Use 1 to 40 letters, digits, spaces, dots, dashes or underscores, beginning with a letter or digit.';
}
