/** The path of a file as file systems compare it that take several names for one file. */

/** Characters that show nothing, and that ext4, APFS and HFS+ pass over in names. */
const IGNORED = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Returns a path such that all names of one file give the same one, whichever file system it is on: case, Unicode forms, characters that
 * show nothing, dots and spaces at the end of a part, and what follows a colon (a stream of NTFS) make no difference. Two files can give
 * the same path, so it serves only to hold something back.
 *
 * @param file an absolute path without `.` and `..`.
 */
export function foldedPath(file: string): string {
  return folded(file).split('/').map(foldedPart).join('/');
}

/** Folds like Unicode's full case folding, in which ß is ss. */
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
