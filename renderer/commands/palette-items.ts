/** What the palette lists for a text. The first character chooses the kind: `>` commands, `@` definitions, `#` systems, `(` evaluates. */
import type { LucideIcon } from 'lucide-react';
import type { DefinitionRecord, PackageDefinitions } from '#contract/definition.ts';
import type { SystemRecord } from '#contract/system.ts';
import { definitionKey, isAgent, KINDS, shownName } from '../panels/definitions/model.ts';
import type { DeviantState, StatesByKey } from '../panels/definitions/states.ts';
import { shownPackage } from '../sexp/packages.ts';
import type { Command } from './registry.ts';

export interface PaletteItem {
  id: string;
  section: 'Commands' | 'Definitions' | 'Systems' | 'Evaluate';
  title: string;
  /** Characters of the title that match what was typed: start and end. */
  match: { start: number; end: number } | null;
  detail: string | null;
  keys: string | null;
  icon: LucideIcon | null;
  /** Drawn in place of an icon. */
  letter: string | null;
  /** Actor that made the definition, when it was an agent. */
  agent: string | null;
  /** How the definition stands to its file, where it is not as that. */
  state: DeviantState | null;
  /** Says when it can run; null when it can now. */
  disabled: string | null;
  target: { command: string } | { definition: DefinitionRecord } | { system: string } | { code: string };
}

export interface PaletteSources {
  commands: readonly Command[];
  definitions: ReadonlyMap<string, PackageDefinitions>;
  states: StatesByKey;
  systems: readonly SystemRecord[];
}

const SHOWN = 60;
const MIXED = { Commands: 8, Definitions: 8 };

export function paletteItems(text: string, { commands, definitions, states, systems }: PaletteSources): PaletteItem[] {
  const kind = text[0];
  const wanted = text.slice(1).trim();
  if (kind === '(') return [evaluateItem(text)];
  if (kind === '>') return commandItems(wanted, commands).slice(0, SHOWN);
  if (kind === '@') return definitionItems(wanted, definitions, states).slice(0, SHOWN);
  if (kind === '#') return systemItems(wanted, systems).slice(0, SHOWN);
  const found = commandItems(text.trim(), commands);
  if (text.trim() === '') return found.slice(0, SHOWN);
  return [
    ...found.slice(0, MIXED.Commands),
    ...definitionItems(text.trim(), definitions, states).slice(0, MIXED.Definitions),
  ];
}

/** How well a title fits: the start of it, the start of a word, anywhere, as scattered letters; null when it does not. */
export function matchTitle(title: string, wanted: string): { score: number; match: PaletteItem['match'] } | null {
  if (wanted === '') return { score: 0, match: null };
  const folded = title.toLowerCase();
  const sought = wanted.toLowerCase();
  const at = folded.indexOf(sought);
  if (at === 0) return { score: 0, match: { start: 0, end: sought.length } };
  for (let start = at; start > 0; start = folded.indexOf(sought, start + 1)) {
    if (!/[\p{L}\p{N}]/u.test(folded[start - 1]!)) return { score: 1, match: { start, end: start + sought.length } };
  }
  if (at > 0) return { score: 2, match: { start: at, end: at + sought.length } };
  let next = 0;
  for (const char of sought) {
    next = folded.indexOf(char, next) + 1;
    if (next === 0) return null;
  }
  return sought.length > 2 ? { score: 3, match: null } : null;
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

function definitionItems(
  wanted: string,
  definitions: PaletteSources['definitions'],
  states: StatesByKey,
): PaletteItem[] {
  const scored: { item: PaletteItem; score: number }[] = [];
  for (const { package: name, definitions: records } of definitions.values()) {
    for (const definition of records) {
      const title = shownName(definition.name);
      const found = matchTitle(title, wanted);
      if (!found) continue;
      const state = states.get(definitionKey(name, definition)) ?? null;
      scored.push({ score: found.score, item: { ...definitionItem(name, definition, title, found.match), state } });
    }
  }
  return scored
    .toSorted((left, right) => left.score - right.score || left.item.title.length - right.item.title.length)
    .map(({ item }) => item);
}

function definitionItem(
  name: string,
  definition: DefinitionRecord,
  title: string,
  match: PaletteItem['match'],
): PaletteItem {
  const { kind, source } = definition;
  const file = source?.file.slice(Math.max(source.file.lastIndexOf('/'), source.file.lastIndexOf('\\')) + 1);
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
