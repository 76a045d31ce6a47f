/** The available keymaps and their bindings. The bindings in a keymap's table take precedence over the keys of the commands themselves. */
import type { Settings } from '#contract/settings.ts';
import { readStroke, strokesOf } from '../../ui/menus/key-strokes.ts';
import { layered } from './key-sequences.ts';
import { ALIVE } from './alive.ts';
import type { KeymapBinding } from './bindings.ts';
import { SLIME } from './slime.ts';

export type Keymap = Settings['keymap'];

export const KEYMAPS: readonly { value: Keymap; title: string; about: string }[] = [
  {
    value: 'vscode',
    title: 'VS Code',
    about: 'Ctrl+Enter evaluates the form at the caret, F12 goes to a definition, Ctrl+S saves.',
  },
  {
    value: 'slime',
    title: 'SLIME',
    about:
      'Emacs with SLIME or SLY: chords such as Ctrl+X Ctrl+E, Alt as Meta, mark and kill ring. Keys with F1 to F12 and Ctrl+Shift are as in VS Code.',
  },
  {
    value: 'alive',
    title: 'Alive',
    about: 'The keys of VS Code, plus those of its extension Alive: Alt+Shift+E evaluates the top-level form.',
  },
];

export function keymapTitle(keymap: Keymap): string {
  return KEYMAPS.find(({ value }) => value === keymap)!.title;
}

interface Keyed {
  readonly id: string;
  readonly keys?: string;
  readonly keysIn?: string | readonly string[];
}

const TABLES: Record<Keymap, readonly KeymapBinding[]> = { vscode: [], slime: SLIME, alive: ALIVE };

/** The other contexts in which a keymap's rows of a context come before the commands' own keys. */
const AROUND: Readonly<Record<string, readonly string[]>> = {
  Text: ['Editor text', 'REPL', 'REPL input'],
  'REPL input': ['REPL'],
};

/**
 * Returns all bindings of a keymap. The table comes first. A command keeps its own keys if the table does not bind those keys to something
 * else.
 */
export function bindingsOf(keymap: Keymap, commands: readonly Keyed[]): KeymapBinding[] {
  const own = commands.flatMap(({ id, keys, keysIn }): KeymapBinding[] =>
    keys === undefined
      ? []
      : [keysIn ?? null].flat().map((region) => ({ keys, in: region, command: id, otherwise: [], title: null })),
  );
  const table = TABLES[keymap];
  const kept = keymap === 'slime' ? own.filter(({ keys }) => !isEmacsKey(keys)) : own;
  const covering = table.flatMap((row) => (AROUND[row.in ?? ''] ?? []).map((context) => ({ ...row, in: context })));
  const below = layered([...table, ...covering], kept).slice(table.length + covering.length);
  return [...table, ...below];
}

/** True for Ctrl or Alt with a letter. In Emacs these keys edit text, so they must not close or open a file. */
function isEmacsKey(keys: string): boolean {
  const { primary, alt, shift, key } = readStroke(strokesOf(keys)[0]!);
  return (primary || alt) && !shift && /^[a-z]$/.test(key);
}
