/** The order of packages in the browser: the person's own packages before the libraries. Pure. */
import type { PackageDefinitions } from '#contract/image/definition.ts';
import { hasFolder, pathWithin } from '../../base/text/paths.ts';

/**
 * Caches for each package whether it contains the person's own work, and for which open folder this was computed. Without the cache, it
 * would be computed for all packages at each key typed in the filter.
 */
const known = new WeakMap<PackageDefinitions, { readonly root: string | null; readonly own: boolean }>();

/**
 * Returns the names of the packages in three groups, each sorted by name: packages with definitions evaluated by hand or from a file under
 * `root`; CL-USER, which gets the definitions without a package of their own; libraries.
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
      // Loading a library makes the loading actor the author of its definitions. A definition from a file therefore does not count as the
      // actor's own work.
      (actor !== null && !hasFolder(source?.file ?? '')) ||
      (root !== null && source !== null && pathWithin(root, source.file) !== null),
  );
  known.set(of, { root, own });
  return own;
}
