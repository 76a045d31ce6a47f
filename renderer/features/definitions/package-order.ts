/** The order of packages in the browser: the person's own before those of libraries. Pure. */
import type { PackageDefinitions } from '#contract/image/definition.ts';
import { hasFolder, pathWithin } from '../../base/text/paths.ts';

/** The packages that hold own work, by the folder that is open; a key in the filter asks for all of them again. */
const known = new WeakMap<PackageDefinitions, { readonly root: string | null; readonly own: boolean }>();

/**
 * The names of packages in their order: those in which something was evaluated by hand or comes from a file under `root`, by name; CL-USER, in
 * which definitions without a place of their own land; then those of libraries.
 */
export function sortedPackages(definitions: ReadonlyMap<string, PackageDefinitions>, root: string | null): string[] {
  const rank = (name: string): number => {
    if (name === 'COMMON-LISP-USER' || name === 'CL-USER') return 1;
    return isOwn(definitions.get(name)!, root) ? 0 : 2;
  };
  return [...definitions.keys()].toSorted((left, right) => rank(left) - rank(right) || (left < right ? -1 : 1));
}

function isOwn(of: PackageDefinitions, root: string | null): boolean {
  const before = known.get(of);
  if (before?.root === root) return before.own;
  const own = of.definitions.some(
    ({ actor, source }) =>
      // Whoever loads a library is the author of what it defines; its files say that it is none of theirs.
      (actor !== null && !hasFolder(source?.file ?? '')) ||
      (root !== null && source !== null && pathWithin(root, source.file) !== null),
  );
  known.set(of, { root, own });
  return own;
}
