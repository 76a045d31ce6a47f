/** The order in which changed files are loaded: the given order, except that a file comes after the files that define its packages. */

const DEFINED = /\(\s*(?:[^\s()]+:)?(?:defpackage|define-package|make-package)\s+(?:#?:|")?([^\s()";]+)/gi;
/** Matches names of packages: designators such as `:shop` and `"SHOP"`, prefixes such as `shop:`, and the file's own package. */
const NAMED = [
  /(?:#?:|")([^\s()"'`,;:]+)/g,
  /([^\s()"'`,;:#|]+)::?[^\s()"'`,;:]/g,
  /\(\s*(?:[^\s()]+:)?in-package\s+([^\s()":#;]+)/gi,
];

/**
 * Returns the files in an order in which each file comes after those that define the packages it names. If files depend on each other in a
 * circle, the one that was given first comes first.
 */
export function inLoadOrder<File extends { readonly text: string | null }>(files: readonly File[]): File[] {
  let left = files.map((file) => ({ file, defined: found([DEFINED], file), named: found(NAMED, file) }));
  const ordered: File[] = [];
  while (left.length > 0) {
    const isReady = (each: (typeof left)[number]): boolean =>
      !left.some((other) => other !== each && [...other.defined].some((name) => each.named.has(name)));
    const next = left.find(isReady) ?? left[0]!;
    ordered.push(next.file);
    left = left.filter((each) => each !== next);
  }
  return ordered;
}

function found(patterns: readonly RegExp[], { text }: { readonly text: string | null }): Set<string> {
  return new Set(patterns.flatMap((each) => [...(text ?? '').matchAll(each)].map(([, name]) => name!.toLowerCase())));
}
