/**
 * The entries of the key list: the keys of the chosen keymap, the single-letter keys of panels, the keys of Review's cards, and the editor's own
 * keys.
 */
import { CARD_KEYS } from '#contract/decisions/card-keys.ts';
import { ownKeys } from '../../editor/monaco/own-keys.ts';
import { allBindings, allCommands, meantBy } from '../../base/keys/command-registry.ts';
import { features } from '../../features/all.ts';
import type { HelpEntry } from './help-rows.ts';
import { MENU_TITLES, menuOf } from '../menus.ts';
import { layeredOwnKeys } from './own-key-rows.ts';

const TEXT = 'Moving and changing text';
const OWN = 'Keys of the editor';
const CARDS = 'Open card in Review';
const MISSING = 'Not implemented yet';
/** The single-letter keys of the panels. */
const LETTERS = features.flatMap((feature) => feature.letters ?? []);
/** The groups of the list, in their order. */
export const HELP_ORDER: readonly string[] = [
  ...MENU_TITLES,
  TEXT,
  ...LETTERS.map(({ group }) => group),
  CARDS,
  OWN,
  MISSING,
];

/** Descriptions of the contexts; null for contexts that are not mentioned because keys usually apply to the text. */
const PLACES: Readonly<Record<string, string | null>> = {
  Text: null,
  'Editor text': 'editor',
  Editor: 'editor',
  'Opened result': null,
  'REPL input': 'REPL',
  REPL: 'REPL',
  Find: 'while searching',
  Field: 'in a field',
  Elsewhere: 'lists',
  Selecting: 'with the mark set',
};

/** Returns the keys of the chosen keymap with their meanings, for the key list and the key reference. */
export function helpEntries(): HelpEntry[] {
  const titles = new Map(allCommands().map(({ id, title }) => [id, title]));
  const bindings = allBindings();
  const bound = bindings.map((binding): HelpEntry => {
    const command = meantBy(binding);
    const id = command?.id ?? binding.command;
    return {
      id,
      title: command?.title ?? binding.title ?? binding.command,
      group: command === undefined ? MISSING : /^(?:text|keys)\./.test(id) ? TEXT : menuOf(id),
      keys: binding.keys,
      where: binding.in === null ? null : PLACES[binding.in] === undefined ? binding.in : PLACES[binding.in]!,
      missing: command === undefined,
    };
  });
  const lettersOf = (group: string, all: readonly { key: string; command: string }[]): HelpEntry[] =>
    all.map(({ key, command }) => ({
      id: command,
      title: titles.get(command)?.replace(/^Inspector: /, '') ?? command,
      group,
      // A capital letter is displayed as Shift and the letter.
      keys: /^[A-Z]$/.test(key) ? `Shift+${key}` : key.length === 1 ? key.toUpperCase() : key,
      where: null,
    }));
  const own = layeredOwnKeys(
    bindings,
    ownKeys((id) => titles.get(id)),
  );
  return [
    ...bound,
    ...LETTERS.flatMap(({ group, letters }) => lettersOf(group, letters)),
    ...Object.entries(CARD_KEYS).map(([id, { keys, title }]) => ({
      id: `card.${id}`,
      title,
      keys,
      group: CARDS,
      where: null,
    })),
    ...own.map(({ id, title, keys }) => ({ id, title, keys, group: OWN, where: null })),
  ];
}
