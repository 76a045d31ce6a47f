/** Converts file paths to a form in which they can be compared on file systems that treat several names as the same file. */

/** Invisible characters, which ext4, APFS and HFS+ ignore in names. */
const IGNORED = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Returns the same path for all names of one file, on any file system. It ignores case, Unicode forms, invisible characters, dots and
 * spaces at the end of a path component, and text after a colon (an NTFS stream). Different files can have the same folded path, so it is
 * only suitable for refusing access.
 *
 * @param file an absolute path without `.` and `..`.
 */
export function foldedPath(file: string): string {
  return folded(file).split('/').map(foldedPart).join('/');
}

/** Folds a text with Unicode's full case folding, in which ß becomes ss. */
function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(IGNORED, '')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll('\\', '/');
}

function foldedPart(part: string): string {
  return part.replace(/(?!^):.*$/s, '').replace(/(?!^)[. ]+$/, '');
}
