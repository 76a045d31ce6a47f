/** Addresses that may be opened outside the window, in the person's browser or mail program. Pure. */

/**
 * The maximum length of an address in characters: some systems start a browser through a command line with this limit. @internal Exported
 * for its test.
 */
export const LONGEST_ADDRESS = 2_000;

const SCHEMES = new Set(['http:', 'https:', 'mailto:']);
/** Mail fields that an address may fill in. With other fields, an address could make a mail program attach the person's files. */
const MAIL_FIELDS = new Set(['subject', 'body', 'cc', 'bcc']);

/**
 * Returns the address in the one form in which it is shown and opened. This form contains only printable ASCII: a host with other letters
 * is in Punycode, and all other characters are percent-encoded, so that nothing can be hidden, reordered or mistaken for another letter.
 * Returns null for addresses that must not be opened: addresses that are invalid or too long, have another scheme, or have a user name or
 * password before the host.
 */
export function outsideAddress(text: string): string | null {
  if (text.length > LONGEST_ADDRESS || !URL.canParse(text)) return null;
  const address = new URL(text);
  const { href, protocol, username, password, searchParams } = address;
  if (!SCHEMES.has(protocol) || username !== '' || password !== '') return null;
  if (protocol === 'mailto:' && ![...searchParams.keys()].every((name) => MAIL_FIELDS.has(name.toLowerCase())))
    return null;
  return href.length <= LONGEST_ADDRESS && /^[!-~]+$/.test(href) ? href : null;
}

/** Returns the component of an address that matters most: the host of a page, or the recipient of a mail. */
export function destinationOf(address: string): string {
  const { protocol, host, pathname } = new URL(address);
  return protocol === 'mailto:' ? pathname : host;
}
