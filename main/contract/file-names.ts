/** The names that a person gives to new, renamed and moved files and folders. A name can contain slashes for nested folders. Pure. */

/** The maximum length of one component of a path in bytes, on all usual file systems. */
const LONGEST = 255;
/** The folders of version control. A file in them would change the repository, and the Files panel does not show it. */
const VERSION_CONTROL: readonly string[] = ['.git', '.hg', '.svn'];
/** Names of devices on Windows, also with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * Returns the reason why a path relative to a folder cannot be used for a new file or folder, as a sentence with advice; null if it can be
 * used. Whether the path is free is not checked.
 */
export function nameFault(name: string, platform: string): string | null {
  if (name.trim() === '') return 'Enter a name.';
  if (name.startsWith('/')) return 'Enter a name inside the project, without a slash at the beginning.';
  if (/\p{Cc}/u.test(name)) return 'A name cannot contain line ends or other control characters. Remove them.';
  for (const part of name.replace(/\/$/, '').split('/')) {
    const fault = partFault(part, platform);
    if (fault !== null) return fault;
  }
  return null;
}

function partFault(part: string, platform: string): string | null {
  if (part.trim() === '') return 'A folder in the path has no name. Remove one of the slashes.';
  if (part === '.' || part === '..') return `${part} does not name a new file or folder. Enter another name.`;
  if (VERSION_CONTROL.includes(part.toLowerCase())) return `${part} belongs to version control. Enter another name.`;
  if (utf8Length(part) > LONGEST) return `A name can have at most ${LONGEST} bytes. Enter a shorter one.`;
  if (platform !== 'win32') return null;
  if (DEVICE.test(part)) return `${part} is reserved by Windows. Enter another name.`;
  if (/[<>:"|?*\\]/.test(part)) return 'On Windows, a name cannot contain any of < > : " | ? * \\. Remove them.';
  return /[. ]$/.test(part) ? 'On Windows, a name cannot end with a dot or a space. Remove it.' : null;
}

/** Returns the length of a text in UTF-8. The contract has neither Node's nor the page's encoder. */
function utf8Length(text: string): number {
  return [...text].reduce((sum, char) => {
    const code = char.codePointAt(0)!;
    return sum + (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4);
  }, 0);
}
