/** Names for copies of files. Pure. */

/**
 * Returns a free name for a copy of a file, such as `cart-copy.lisp` or `cart-copy-2.lisp`. The extension of a file stays at its end; a
 * folder has no extension. Names that differ only in letter case count as taken, because some file systems do not distinguish them.
 */
export function freeCopyName(name: string, taken: ReadonlySet<string>, isFolder: boolean): string {
  const used = new Set([...taken].map(folded));
  const dot = isFolder ? -1 : name.lastIndexOf('.');
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  const base = stem.replace(/-copy(?:-\d+)?$/, '');
  for (let count = 1; ; count += 1) {
    const copy = `${base}-copy${count === 1 ? '' : `-${count}`}${extension}`;
    if (!used.has(folded(copy))) return copy;
  }
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
