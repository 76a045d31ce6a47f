/** Addresses that may be opened outside of the window, in the person’s browser or mail program. Pure. */

/** Characters of an address: some systems start a browser by a command line that holds no longer ones. @internal Exported for its test. */
export const LONGEST_ADDRESS = 2_000;

const SCHEMES = new Set(['http:', 'https:', 'mailto:']);
/** Fields that an address may fill in a mail. Others can have a mail program attach files of the person. */
const MAIL_FIELDS = new Set(['subject', 'body', 'cc', 'bcc']);

/**
 * Returns the address in the one form in which it is shown and opened, of printing ASCII alone: a host of other letters stands in Punycode, all
 * else in percent signs, so that nothing in it hides, turns the text around or passes for another letter. Null for what is not opened: other
 * schemes, what is no address, one with a user name or a password before its host, and one that is too long.
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

/** Returns who is asked for the page of an address, or gets the mail: the part of it that matters most. */
export function destinationOf(address: string): string {
  const { protocol, host, pathname } = new URL(address);
  return protocol === 'mailto:' ? pathname : host;
}
