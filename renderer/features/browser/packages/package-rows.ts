/** The rows of packages, sorted by name with the user's packages first. Pure. */
import type { PackageRecord } from '#contract/image/introspection.ts';
import { shownPackage } from '../../../sexp/packages.ts';
import type { TreeRow } from '../../../ui/panels/tree.tsx';

export interface PackageRow extends TreeRow {
  readonly record: PackageRecord;
}

/** Returns the packages whose name or nickname contains the filter text. */
export function packageRows(found: readonly PackageRecord[], filter: string): PackageRow[] {
  const wanted = filter.trim().toUpperCase();
  const listed = found
    .filter(({ name, nicknames }) =>
      [name, shownPackage(name), ...nicknames].some((each) => each.toUpperCase().includes(wanted)),
    )
    .toSorted((a, b) => Number(b.user) - Number(a.user));
  return listed.map((record, index) => ({
    id: record.name,
    level: 1,
    label: `${shownPackage(record.name)} ${exportedWords(record)}`,
    expanded: null,
    position: index + 1,
    siblings: listed.length,
    record,
  }));
}

/** Describes how many symbols of a package are exported, such as "12 of 30 exported". */
export function exportedWords({ external, internal }: Pick<PackageRecord, 'external' | 'internal'>): string {
  return `${external.toLocaleString('en')} of ${(external + internal).toLocaleString('en')} exported`;
}

/** Returns the package that has a name or nickname, which may be in any letter case. */
export function packageNamed(found: readonly PackageRecord[], name: string): PackageRecord | undefined {
  const wanted = name.toUpperCase();
  return (
    found.find((each) => each.name === name) ??
    found.find((each) => [each.name, ...each.nicknames].some((known) => known.toUpperCase() === wanted))
  );
}
