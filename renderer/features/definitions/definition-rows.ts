/** Converts definitions to the browser's rows: packages, their definitions by name, and methods under their generic functions. */
import type { DefinitionKind, DefinitionRecord, PackageDefinitions } from '#contract/image/definition.ts';
import { isPersonId } from '#contract/clients/known-actors.ts';
import { sortedPackages } from './package-order.ts';
import { shownPackage } from '../../sexp/packages.ts';
import type { TreeRow } from '../../ui/panels/tree.tsx';
import { hasFolder } from '../../base/text/paths.ts';

interface PackageRow extends TreeRow {
  type: 'package';
  package: string;
  count: number;
}

export interface DefinitionRow extends TreeRow {
  type: 'definition';
  package: string;
  definition: DefinitionRecord;
}

/** The row that represents the unlisted definitions of a large package. */
interface MoreRow extends TreeRow {
  type: 'more';
  package: string;
}

export type BrowserRow = PackageRow | DefinitionRow | MoreRow;

/** The letter and heading of each kind, in the order of the legend; `kindInWords` returns the singular. */
export const KINDS: Record<DefinitionKind, { letter: string; title: string }> = {
  function: { letter: 'ƒ', title: 'Functions' },
  'generic-function': { letter: 'g', title: 'Generic functions' },
  method: { letter: 'm', title: 'Methods' },
  variable: { letter: 'v', title: 'Variables' },
  constant: { letter: 'k', title: 'Constants' },
  class: { letter: 'c', title: 'Classes' },
  structure: { letter: 's', title: 'Structures' },
  condition: { letter: '!', title: 'Conditions' },
  macro: { letter: 'M', title: 'Macros' },
  type: { letter: 'y', title: 'Types' },
};

export interface Narrowing {
  text: string;
  /** The kind to show; null to show all kinds. */
  kind: DefinitionKind | null;
  byAgents: boolean;
  /** If only definitions that are waiting for review are shown, these definitions by `definitionKey`; null to show all. */
  waiting: ReadonlyMap<string, unknown> | null;
  /** If only definitions that deviate from their files are shown, these definitions by `definitionKey`; null to show all. */
  among: ReadonlySet<string> | null;
}

/** A definition that is prepared once for searching and drawing, because each key typed in the filter visits all definitions. */
interface Prepared {
  definition: DefinitionRecord;
  shown: string;
  folded: string;
  /** The name of a method's generic function in lower case; null for any other definition. */
  generic: string | null;
}

const prepared = new WeakMap<PackageDefinitions, Prepared[]>();

/**
 * Returns the browser's rows for the definitions that match a filter. Without a filter, `isExpanded` decides which packages are open.
 * Packages with the person's or an agent's own definitions, or with definitions from the folder `root`, come first.
 */
export function browserRows(
  definitions: ReadonlyMap<string, PackageDefinitions>,
  { text, kind, byAgents, waiting, among }: Narrowing,
  isExpanded: (name: string) => boolean,
  root: string | null = null,
): { rows: BrowserRow[]; count: number } {
  const wanted = text.trim().toLowerCase();
  const narrowed = wanted !== '' || kind !== null || byAgents || waiting !== null || among !== null;
  const rows: BrowserRow[] = [];
  let count = 0;
  const packages = sortedPackages(definitions, root);
  const packageRows: PackageRow[] = [];
  for (const name of packages) {
    const found = prepare(definitions.get(name)!).filter(
      ({ definition, folded }) =>
        (wanted === '' || folded.includes(wanted)) &&
        (kind === null || definition.kind === kind) &&
        (!byAgents || isAgent(definition)) &&
        (waiting === null || waiting.has(definitionKey(name, definition))) &&
        (among === null || among.has(definitionKey(name, definition))),
    );
    const more = kind === null && !byAgents && waiting === null && among === null ? definitions.get(name)!.more : 0;
    if (found.length + more === 0) continue;
    count += found.length + more;
    const expanded = narrowed || isExpanded(name);
    const row: PackageRow = {
      type: 'package',
      id: `p:${name}`,
      level: 1,
      label: shownPackage(name),
      expanded,
      position: 0,
      siblings: 0,
      package: name,
      count: found.length + more,
    };
    packageRows.push(row);
    rows.push(row);
    if (expanded) rows.push(...definitionRows(name, found), ...moreRows(name, more));
  }
  packageRows.forEach((row, index) => {
    row.position = index + 1;
    row.siblings = packageRows.length;
  });
  return { rows, count };
}

/** Counts the definitions of each kind, the definitions by agents, the `listed` ones and the `total`. */
export function countKinds(definitions: ReadonlyMap<string, PackageDefinitions>): {
  kinds: Map<DefinitionKind, number>;
  byAgents: number;
  listed: number;
  total: number;
} {
  const kinds = new Map<DefinitionKind, number>();
  let byAgents = 0;
  let listed = 0;
  let total = 0;
  for (const each of definitions.values()) {
    for (const definition of each.definitions) {
      kinds.set(definition.kind, (kinds.get(definition.kind) ?? 0) + 1);
      if (isAgent(definition)) byAgents += 1;
    }
    listed += each.definitions.length;
    total += each.definitions.length + each.more;
  }
  return { kinds, byAgents, listed, total };
}

/** Returns a name as it is usually written in source code, because the image prints names in upper case. */
export function shownName(name: string): string {
  return /[|\\"a-z]/.test(name) ? name : name.toLowerCase();
}

/**
 * The maximum number of definitions in a package that is open initially, because a large library would push the other packages out of
 * sight.
 */
const FEW = 120;

/**
 * True for a package that is open initially. If there are few definitions in total, every package is open. Otherwise a package is open if
 * it is small and the person or an agent evaluated definitions in it.
 */
export function opensByItself({ definitions, more }: PackageDefinitions, total: number): boolean {
  if (total <= FEW) return true;
  return definitions.length + more <= FEW && definitions.some((definition) => definition.actor !== null);
}

/** Returns a key that identifies a definition in the image. */
export function definitionKey(inPackage: string | null, { kind, name }: { kind: string; name: string }): string {
  return JSON.stringify([inPackage, kind, name]);
}

/** True if the image knows a file that contains the definition. */
export function isInFile({ source }: Pick<DefinitionRecord, 'source'>): boolean {
  return hasFolder(source?.file ?? '');
}

export function isAgent(definition: DefinitionRecord): boolean {
  return definition.actor !== null && !isPersonId(definition.actor);
}

function prepare(known: PackageDefinitions): Prepared[] {
  const ready = prepared.get(known);
  if (ready) return ready;
  const list = known.definitions.map((definition) => {
    const shown = shownName(definition.name);
    return {
      definition,
      shown,
      folded: shown.toLowerCase(),
      generic: definition.kind === 'method' ? genericOf(definition.name).toLowerCase() : null,
    };
  });
  const order = new Intl.Collator('en');
  list.sort(
    (left, right) =>
      order.compare(left.generic ?? left.folded, right.generic ?? right.folded) ||
      rank(left) - rank(right) ||
      order.compare(left.shown, right.shown),
  );
  prepared.set(known, list);
  return list;
}

/** Returns a rank that sorts a generic function before its methods. */
function rank({ definition }: Prepared): number {
  return definition.kind === 'method' ? 1 : 0;
}

/**
 * Returns the name of a method's generic function: `DISCOUNT :AROUND (CLUB-MEMBER T)` → `DISCOUNT`; `(SETF NAME) (T T)` → `(SETF NAME)`.
 */
function genericOf(method: string): string {
  if (method.startsWith('(')) return method.slice(0, method.indexOf(')') + 1);
  const end = method.search(/\s/);
  return end < 0 ? method : method.slice(0, end);
}

function definitionRows(name: string, found: readonly Prepared[]): DefinitionRow[] {
  const rows: DefinitionRow[] = [];
  let generic: string | null = null;
  for (const { definition, shown, folded, generic: mine } of found) {
    if (definition.kind === 'generic-function') generic = folded;
    const nested = mine !== null && mine === generic;
    rows.push({
      type: 'definition',
      id: `d:${name}:${definition.kind}:${definition.name}`,
      level: nested ? 3 : 2,
      label: nested ? shown.slice(genericOf(definition.name).length).trim() : shown,
      expanded: null,
      position: 0,
      siblings: 0,
      package: name,
      definition,
    });
  }
  numberSiblings(rows);
  return rows;
}

function moreRows(name: string, more: number): MoreRow[] {
  if (more === 0) return [];
  const label = `${more.toLocaleString('en')} more: filter by name to see them`;
  return [{ type: 'more', id: `m:${name}`, level: 2, label, expanded: null, position: 1, siblings: 1, package: name }];
}

/** Adds the definitions found by a text search to the listed ones. The search also reports how many of its hits are not listed. */
export function withFound(
  definitions: ReadonlyMap<string, PackageDefinitions>,
  found: readonly PackageDefinitions[],
): ReadonlyMap<string, PackageDefinitions> {
  const hits = new Map(found.map((each) => [each.package, each]));
  const names = new Set([...definitions.keys(), ...hits.keys()]);
  return new Map(
    [...names].map((name) => {
      const listed = definitions.get(name)?.definitions ?? [];
      const hit = hits.get(name) ?? { definitions: [], more: 0 };
      const known = new Set(listed.map((each) => definitionKey(name, each)));
      const fresh = hit.definitions.filter((each) => !known.has(definitionKey(name, each)));
      return [name, { package: name, definitions: [...listed, ...fresh], more: hit.more }];
    }),
  );
}

function numberSiblings(rows: DefinitionRow[]): void {
  let run: DefinitionRow[] = [];
  const close = (): void => {
    run.forEach((row, index) => {
      row.position = index + 1;
      row.siblings = run.length;
    });
    run = [];
  };
  const outer: DefinitionRow[] = [];
  for (const row of rows) {
    if (row.level === 3) {
      run.push(row);
    } else {
      close();
      outer.push(row);
    }
  }
  close();
  outer.forEach((row, index) => {
    row.position = index + 1;
    row.siblings = outer.length;
  });
}
