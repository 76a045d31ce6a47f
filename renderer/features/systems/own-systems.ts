/** The system of the project that a missing package or an empty image probably needs. Pure. */
import type { SystemRecord } from '#contract/image/system.ts';

const TESTS = /(?:^|[-./])tests?$/;

/**
 * Returns the project's system that a package belongs to by its name: the one with the longest name that the package's name equals or extends,
 * as in `shop` for `SHOP.CART`. Returns null if there is none.
 */
export function systemOfPackage(systems: readonly SystemRecord[], name: string): SystemRecord | null {
  const wanted = name.toLowerCase();
  const extended = ({ name: own }: SystemRecord): boolean =>
    wanted === own || (wanted.startsWith(own) && /^[-./]/.test(wanted.slice(own.length)));
  const named = systems.filter((system) => system.origin === 'project' && extended(system));
  return named.toSorted((one, other) => other.name.length - one.name.length)[0] ?? null;
}

/** Returns the only system of the project that is not loaded; null if there are several or none. */
export function onlyUnloaded(systems: readonly SystemRecord[]): SystemRecord | null {
  const [only, ...others] = systems.filter(({ origin, loaded }) => origin === 'project' && !loaded);
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
