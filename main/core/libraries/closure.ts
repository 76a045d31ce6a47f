/** The releases that a system needs, directly and through its dependencies. Pure. */
import type { DistInfo, DistSystem, Release } from './dist-index.ts';

/** A dist with its index. */
export interface Dist {
  readonly info: DistInfo;
  readonly systems: ReadonlyMap<string, DistSystem>;
  readonly releases: ReadonlyMap<string, Release>;
}

/** A release with the dist that provides it. */
export interface WantedRelease {
  readonly dist: DistInfo;
  readonly release: Release;
  /** The names of its systems that are needed; absent if they are unknown. */
  readonly systems?: readonly string[];
}

export interface Closure {
  /** The releases, each after those that it needs. */
  readonly releases: readonly WantedRelease[];
  /** The names that no dist provides, sorted. They may be systems of the image or of SBCL. */
  readonly missing: readonly string[];
}

/** Returns the release of the first dist that provides a system; null if none does. A name such as `shop/tests` means its primary system. */
function releaseOf(name: string, dists: readonly Dist[]): WantedRelease | null {
  for (const { info, systems, releases } of dists) {
    const system = systems.get(name) ?? systems.get(primaryName(name));
    const release = system && releases.get(system.project);
    if (release) return { dist: info, release };
  }
  return null;
}

/** Returns the releases that the named systems need. Systems for which `isPresent` returns true need nothing. */
export function closureOf(
  names: readonly string[],
  dists: readonly Dist[],
  isPresent: (name: string) => boolean = () => false,
): Closure {
  const found = new Map<string, WantedRelease>();
  const missing = new Set<string>();
  const seen = new Set<string>();
  const visit = (name: string): void => {
    if (seen.has(name) || isPresent(name) || PART_OF_SBCL.test(name)) return;
    seen.add(name);
    const wanted = releaseOf(name, dists);
    if (wanted === null) return void missing.add(name);
    const dist = dists.find(({ info }) => info === wanted.dist)!;
    for (const dependency of dist.systems.get(name)?.dependencies ?? []) visit(dependency);
    const before = found.get(wanted.release.prefix)?.systems ?? [];
    found.set(wanted.release.prefix, { ...wanted, systems: [...before, name] });
  };
  for (const name of names) visit(name);
  return { releases: [...found.values()], missing: [...missing].toSorted() };
}

/** Systems that come with SBCL. */
const PART_OF_SBCL = /^(?:asdf|uiop|sb-[a-z0-9-]+|asdf-package-system)$/;

function primaryName(name: string): string {
  return name.split('/')[0]!;
}
