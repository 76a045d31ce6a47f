/**
 * The `content-sha1` of a release: the SHA-1 of the contents of its ordinary files, one after the other. Quicklisp takes the files in the
 * order of their paths, without the folders of version control; quickdist, which makes Ultralisp, takes them in the order of the archive.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import path from 'node:path';

const VERSION_CONTROL: ReadonlySet<string> = new Set(['.git', '.hg', '_darcs', 'CVS']);

/** Returns both digests of the unpacked files, in hexadecimal digits. `files` are relative to `folder`, in the order of the archive. */
export async function contentDigests(folder: string, files: readonly string[]): Promise<string[]> {
  const sorted = files.filter((file) => !file.split('/').some((part) => VERSION_CONTROL.has(part))).toSorted(byOctets);
  return [await digestOf(folder, sorted), await digestOf(folder, files)];
}

/** Compares paths by their octets, as Lisp compares the characters of native names. */
function byOctets(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

async function digestOf(folder: string, files: readonly string[]): Promise<string> {
  const hash = createHash('sha1');
  for (const file of files)
    for await (const chunk of createReadStream(path.join(folder, file))) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
