/** The definitions browser as rows: packages, their definitions by name, methods under their generic function. */
import type { DefinitionKind, DefinitionRecord, PackageDefinitions } from '#contract/definition.ts';
import { shownPackage } from '../../sexp/packages.ts';
import type { TreeRow } from '../../ui/tree.tsx';

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

export type BrowserRow = PackageRow | DefinitionRow;

/** Letter and names of each kind, in the order of the legend. */
export const KINDS: Record<DefinitionKind, { letter: string; title: string; one: string }> = {
  function: { letter: 'ƒ', title: 'Functions', one: 'function' },
  'generic-function': { letter: 'g', title: 'Generic functions', one: 'generic function' },
  method: { letter: 'm', title: 'Methods', one: 'method' },
  variable: { letter: 'v', title: 'Variables', one: 'variable' },
  constant: { letter: 'k', title: 'Constants', one: 'constant' },
  class: { letter: 'c', title: 'Classes', one: 'class' },
  structure: { letter: 's', title: 'Structures', one: 'structure' },
  condition: { letter: '!', title: 'Conditions', one: 'condition' },
  macro: { letter: 'M', title: 'Macros', one: 'macro' },
  type: { letter: 'y', title: 'Types', one: 'type' },
};

export interface Narrowing {
  text: string;
  /** Null: all. */
  kind: DefinitionKind | null;
  byAgents: boolean;
  /** Only these, by `definitionKey`; null: all. */
  waiting: ReadonlyMap<string, unknown> | null;
  /** Likewise. */
  among: ReadonlySet<string> | null;
}

/** A definition ready to be searched and drawn: prepared once, since a key in the filter visits all of them. */
interface Prepared {
  definition: DefinitionRecord;
  shown: string;
  folded: string;
  /** Of a method: the name of its generic function, folded. */
  generic: string | null;
}

const prepared = new WeakMap<PackageDefinitions, Prepared[]>();

/** Rows of what is left under a filter. `isExpanded` decides about packages while nothing is typed. */
export function browserRows(
  definitions: ReadonlyMap<string, PackageDefinitions>,
  { text, kind, byAgents, waiting, among }: Narrowing,
  isExpanded: (name: string) => boolean,
): { rows: BrowserRow[]; count: number } {
  const wanted = text.trim().toLowerCase();
  const narrowed = wanted !== '' || kind !== null || byAgents || waiting !== null || among !== null;
  const rows: BrowserRow[] = [];
  let count = 0;
  const packages = [...definitions.keys()].toSorted(byPackage);
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
    if (found.length === 0) continue;
    count += found.length;
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
      count: found.length,
    };
    packageRows.push(row);
    rows.push(row);
    if (expanded) rows.push(...definitionRows(name, found));
  }
  packageRows.forEach((row, index) => {
    row.position = index + 1;
    row.siblings = packageRows.length;
  });
  return { rows, count };
}

/** How many there are of each kind, and by agents. */
export function countKinds(definitions: ReadonlyMap<string, PackageDefinitions>): {
  kinds: Map<DefinitionKind, number>;
  byAgents: number;
  total: number;
} {
  const kinds = new Map<DefinitionKind, number>();
  let byAgents = 0;
  let total = 0;
  for (const each of definitions.values()) {
    for (const definition of each.definitions) {
      kinds.set(definition.kind, (kinds.get(definition.kind) ?? 0) + 1);
      if (isAgent(definition)) byAgents += 1;
      total += 1;
    }
  }
  return { kinds, byAgents, total };
}

/** A name as source is usually written: the image prints it in upper case. */
export function shownName(name: string): string {
  return /[|\\"a-z]/.test(name) ? name : name.toLowerCase();
}

/** Open from the start: where something was evaluated by hand or by an agent, and everything while it is little. */
export function opensByItself({ definitions }: PackageDefinitions, total: number): boolean {
  return total <= 120 || definitions.some((definition) => definition.actor !== null);
}

/** Names a definition among all of the image. */
export function definitionKey(inPackage: string | null, { kind, name }: { kind: string; name: string }): string {
  return JSON.stringify([inPackage, kind, name]);
}

/** Whether a file holds it, as far as the image knows. */
export function isInFile({ source }: Pick<DefinitionRecord, 'source'>): boolean {
  return /[/\\]/.test(source?.file ?? '');
}

export function isAgent(definition: DefinitionRecord): boolean {
  return definition.actor !== null && definition.actor !== 'person';
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

/** A generic function stands before its methods. */
function rank({ definition }: Prepared): number {
  return definition.kind === 'method' ? 1 : 0;
}

/** `DISCOUNT :AROUND (CLUB-MEMBER T)` → `DISCOUNT`; `(SETF NAME) (T T)` → `(SETF NAME)`. */
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

/** By name, CL-USER last: it is where things land that belong nowhere. */
function byPackage(left: string, right: string): number {
  if (left === 'COMMON-LISP-USER' || left === 'CL-USER') return 1;
  if (right === 'COMMON-LISP-USER' || right === 'CL-USER') return -1;
  return left < right ? -1 : 1;
}
