/**
 * The items that the palette lists for the typed text. The first character selects the kind: `>` commands, `/` files, `:` definitions of
 * the shown file, `@` definitions of the image, `#` systems, `?` the HyperSpec, `%` open files, `~` recently opened folders and files, `(`
 * evaluates, `=` inspects a value.
 */
import { ListTree } from 'lucide-react';
import type { DefinitionRecord, PackageDefinitions } from '#contract/image/definition.ts';
import type { SystemRecord } from '#contract/image/system.ts';
import { definitionKey, isAgent, KINDS, shownName } from '../../features/definitions/definition-rows.ts';
import type { StatesByKey } from '../../features/definitions/states.ts';
import { shownPackage } from '../../sexp/packages.ts';
import type { Command } from '../../base/keys/command-registry.ts';
import { fileItems, openFileItems } from '../../features/files/file-items.ts';
import { hyperspecItems } from '../../features/documentation/hyperspec-items.ts';
import { matchTitle } from '../../base/palette/match-title.ts';
import type { PaletteItem } from '../../base/palette/palette-item.ts';
import { recentItems, type Recent } from './recent-items.ts';
import { fileName, pathWithin } from '../../base/text/paths.ts';

export interface PaletteSources {
  commands: readonly Command[];
  definitions: ReadonlyMap<string, PackageDefinitions>;
  /** The project's folder; null if no project is open. */
  folder: string | null;
  states: StatesByKey;
  systems: readonly SystemRecord[];
  /** The files' paths relative to the project. */
  files: readonly string[];
  recent: Recent;
  /** The paths of recently shown `files`, the latest first. */
  recentInProject: readonly string[];
  /** The open texts, in the order of the list. */
  openFiles: readonly { readonly id: string; readonly title: string; readonly path: string | null }[];
  /** The definitions of the shown file, in order. */
  outline: readonly Outlined[];
}

interface Outlined {
  readonly operator: string;
  readonly name: string;
  /** The offset of the name in the text. */
  readonly named: number;
}

const SHOWN = 60;
const MIXED = { Commands: 8, Definitions: 8 };

export interface PaletteList {
  readonly items: readonly PaletteItem[];
  /** The number of matching items that are not listed, for a list of a single kind. */
  readonly more: number;
}

export function paletteItems(text: string, sources: PaletteSources): PaletteList {
  const { commands, definitions, folder, states, systems, files, recent, recentInProject, openFiles, outline } =
    sources;
  const wanted = text.slice(1).trim();
  switch (text.charAt(0)) {
    case '(':
      return shown([evaluateItem(text)]);
    case '=':
      return shown(wanted === '' ? [] : [inspectItem(wanted)]);
    case '>':
      return shown(commandItems(wanted, commands));
    case '/':
      return fileItems(wanted, files, recentInProject, SHOWN);
    case '~':
      return shown(recentItems(wanted, recent));
    case '%':
      return shown(openFileItems(wanted, openFiles));
    case ':':
      return shown(outlineItems(wanted, outline));
    case '@':
      return shown(definitionItems(wanted, definitions, folder, states));
    case '#':
      return shown(systemItems(wanted, systems));
    case '?':
      return shown(hyperspecItems(wanted));
    default:
      return mixedItems(text.trim(), sources);
  }
}

function mixedItems(wanted: string, { commands, definitions, folder, states }: PaletteSources): PaletteList {
  const found = commandItems(wanted, commands);
  if (wanted === '') return shown(found);
  const defined = definitionItems(wanted, definitions, folder, states);
  return shown([...found.slice(0, MIXED.Commands), ...defined.slice(0, MIXED.Definitions)]);
}

function shown(items: readonly PaletteItem[]): PaletteList {
  return { items: items.slice(0, SHOWN), more: Math.max(0, items.length - SHOWN) };
}

function commandItems(wanted: string, commands: readonly Command[]): PaletteItem[] {
  const scored = commands.flatMap((command) => {
    if (command.id === 'palette.open') return [];
    const found = matchTitle(command.title, wanted);
    if (!found) return [];
    const when = command.when?.() ?? true;
    const item: PaletteItem = {
      id: `command:${command.id}`,
      section: 'Commands',
      title: command.title,
      match: found.match,
      detail: when === true ? (command.detail?.() ?? null) : `only ${when}`,
      keys: command.keys ?? null,
      icon: command.icon ?? null,
      letter: null,
      agent: null,
      state: null,
      disabled: when === true ? null : when,
      target: { command: command.id },
    };
    return [{ item, score: found.score + (when === true ? 0 : 0.5) }];
  });
  return scored.toSorted((left, right) => left.score - right.score).map(({ item }) => item);
}

/**
 * Returns the matching definitions, those in the project's folder before those of libraries. If only scattered letters match, the
 * definition comes last.
 */
function definitionItems(
  wanted: string,
  definitions: PaletteSources['definitions'],
  folder: string | null,
  states: StatesByKey,
): PaletteItem[] {
  const scored: { item: PaletteItem; score: number }[] = [];
  for (const { package: name, definitions: records } of definitions.values()) {
    for (const definition of records) {
      const title = shownName(definition.name);
      const found = matchTitle(title, wanted);
      if (!found) continue;
      const state = states.get(definitionKey(name, definition)) ?? null;
      const foreign = isOwn(definition, folder) ? 0 : FOREIGN;
      const score = found.score > WRITTEN ? found.score * FOREIGN + foreign : found.score + foreign;
      scored.push({ score, item: { ...definitionItem(name, definition, title, found.match), state } });
    }
  }
  return scored
    .toSorted((left, right) => left.score - right.score || left.item.title.length - right.item.title.length)
    .map(({ item }) => item);
}

/** The highest (worst) score of a title that contains the typed text as one piece. */
const WRITTEN = 2;
const FOREIGN = 3;

/** True for a definition in the project's folder, or evaluated without a file. */
function isOwn({ source, actor }: DefinitionRecord, folder: string | null): boolean {
  return source === null ? actor !== null : folder !== null && pathWithin(folder, source.file) !== null;
}

function definitionItem(
  name: string,
  definition: DefinitionRecord,
  title: string,
  match: PaletteItem['match'],
): PaletteItem {
  const { kind, source } = definition;
  const file = source && fileName(source.file);
  const place = file === undefined ? shownPackage(name) : `${file}${source?.line ? `:${source.line}` : ''}`;
  return {
    id: `definition:${name}:${kind}:${definition.name}`,
    section: 'Definitions',
    title,
    match,
    detail: place,
    keys: null,
    icon: null,
    letter: KINDS[kind].letter,
    agent: isAgent(definition) ? definition.actor : null,
    state: null,
    disabled: null,
    target: { definition },
  };
}

/** Returns the matching items; if no text has been typed, returns all items in the order of the file. */
function outlineItems(wanted: string, outline: readonly Outlined[]): PaletteItem[] {
  const scored = outline.flatMap(({ name, operator, named }) => {
    const found = matchTitle(name, wanted);
    if (!found) return [];
    const item: PaletteItem = {
      id: `place:${named}`,
      section: 'In this file',
      title: name,
      match: found.match,
      detail: operator,
      keys: null,
      icon: ListTree,
      letter: null,
      agent: null,
      state: null,
      disabled: null,
      target: { place: named },
    };
    return [{ item, score: found.score }];
  });
  return scored.toSorted((left, right) => left.score - right.score).map(({ item }) => item);
}

function systemItems(wanted: string, systems: readonly SystemRecord[]): PaletteItem[] {
  const scored = systems.flatMap((system) => {
    const found = matchTitle(system.name, wanted);
    if (!found) return [];
    const item: PaletteItem = {
      id: `system:${system.name}`,
      section: 'Systems',
      title: system.name,
      match: found.match,
      detail: [system.loaded ? 'loaded' : 'load', system.version].filter((part) => part !== null).join(' · '),
      keys: null,
      icon: null,
      letter: null,
      agent: null,
      state: null,
      disabled: null,
      target: { system: system.name },
    };
    return [{ item, score: found.score }];
  });
  return scored.toSorted((left, right) => left.score - right.score).map(({ item }) => item);
}

function inspectItem(code: string): PaletteItem {
  return { ...evaluateItem(code), id: 'inspect', detail: 'in the inspector', target: { inspects: code } };
}

function evaluateItem(code: string): PaletteItem {
  return {
    id: 'evaluate',
    section: 'Evaluate',
    title: code,
    match: null,
    detail: 'in the REPL',
    keys: null,
    icon: null,
    letter: null,
    agent: null,
    state: null,
    disabled: null,
    target: { code },
  };
}
