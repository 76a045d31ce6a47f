/** The system of the project that a missing package or an empty image probably needs. Pure. */
import type { SystemRecord } from '#contract/image/system.ts';

const TESTS = /(?:^|[-./])tests?$/;

/**
 * Returns the project's system that probably defines a package: the one with the longest name that the package's name equals or extends, as
 * in `shop` for `SHOP.CART`, otherwise the only one that is not loaded. Returns null if no system is likely.
 */
export function systemOfPackage(systems: readonly SystemRecord[], name: string): SystemRecord | null {
  const own = systems.filter(({ origin }) => origin === 'project');
  const wanted = name.toLowerCase();
  const named = own
    .filter(
      (system) =>
        wanted === system.name || (wanted.startsWith(system.name) && /^[-./]/.test(wanted.slice(system.name.length))),
    )
    .toSorted((one, other) => other.name.length - one.name.length);
  const [best] = named;
  if (best) return best;
  const [only, ...others] = own.filter(({ loaded }) => !loaded);
  return only && others.length === 0 ? only : null;
}

/**
 * Returns the system to load first in a folder: the one with the folder's name, otherwise the only one that does not contain tests. Returns
 * null if that system is loaded or broken, or if there is no such system.
 */
export function mainSystem(systems: readonly SystemRecord[], folder: string): SystemRecord | null {
  const own = systems.filter(({ origin, name }) => origin === 'project' && !TESTS.test(name) && !name.includes('/'));
  const main = own.find(({ name }) => name === folder.toLowerCase()) ?? (own.length === 1 ? own[0]! : null);
  return main && !main.loaded && main.broken === null ? main : null;
}
