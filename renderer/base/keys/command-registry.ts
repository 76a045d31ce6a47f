/**
 * Every action of the window, once: its name, its keys, whether it can run now, and what it does. The palette, the menus, the
 * keymaps, the buttons and the help read this table; `all.ts` fills it.
 */
import type { LucideIcon } from 'lucide-react';
import { orNotice } from '../notices/notices.tsx';
import { bindingsOf, type Keymap } from './keymaps.ts';
import type { KeymapBinding } from './bindings.ts';
import type { MenuEntry } from '../../ui/menus/menu.tsx';
import { type ReadBinding, readBinding } from './key-sequences.ts';

export interface Command {
  id: string;
  title: string;
  /** The keys in the keymap of VS Code. */
  keys?: string;
  /** The region in which the keys mean this, or several; everywhere when left out. */
  keysIn?: string | readonly string[];
  icon?: LucideIcon;
  /** True, or the words that say when it can run ("only with an open file"). */
  when?: () => true | string;
  /** Returns the target of the command, or its consequence, in words. */
  detail?: () => string | undefined;
  /** The key also goes on to whatever has the focus. */
  passes?: boolean;
  /** True for what only keys are for, such as moving the caret: it stands in no menu, and in the palette where it has keys. */
  keysOnly?: boolean;
  run: () => unknown;
}

const table = new Map<string, Command>();

let keymap: Keymap = 'vscode';
let bindings: readonly (KeymapBinding & ReadBinding)[] | null = null;
let previous: string | null = null;

export function registerCommands(commands: readonly Command[]): void {
  for (const command of commands) table.set(command.id, command);
  bindings = null;
}

/** Has keys mean what they mean in a keymap, from the next one on. */
export function setKeymap(chosen: Keymap): void {
  keymap = chosen;
  bindings = null;
}

export function currentKeymap(): Keymap {
  return keymap;
}

/** The bindings of the chosen keymap, those of commands that are not there among them. */
export function allBindings(): readonly (KeymapBinding & ReadBinding)[] {
  bindings ??= bindingsOf(keymap, [...table.values()]).map(readBinding);
  return bindings;
}

/** The commands for menus, palette and help, with their keys in the chosen keymap. */
export function allCommands(): Command[] {
  return [...table.values()].flatMap((command) => {
    const keys = commandKeys(command.id);
    if (command.keysOnly && keys === undefined) return [];
    const { keys: _own, ...rest } = command;
    return [keys === undefined ? rest : { ...rest, keys }];
  });
}

export function canRun(command: Command): boolean {
  return (command.when?.() ?? true) === true;
}

/** Runs a command by its id, if it can run now. A failure becomes a notice. */
export function runCommand(id: string): void {
  const command = table.get(id);
  if (!command || !canRun(command)) return;
  const before = previous;
  previous = id;
  void orNotice(
    Promise.resolve().then(() => {
      earlier = before;
      return command.run();
    }),
  );
}

let earlier: string | null = null;

/** While a command runs that keys were pressed for: the command right before it; null where something else was done in between. */
export function previousCommand(): string | null {
  return earlier;
}

/** Notes that something was done that is no command, such as typing. */
export function forgetPrevious(): void {
  previous = null;
}

/** The keys of a command in the chosen keymap, the first where it has several. */
export function commandKeys(id: string): string | undefined {
  return allBindings().find((binding) => meantBy(binding)?.id === id)?.keys;
}

/** The command that a binding means: the first that can run, or else the first that is there. */
export function meantBy({ command, otherwise }: KeymapBinding): Command | undefined {
  if (otherwise.length === 0) return table.get(command);
  const there = [command, ...otherwise].flatMap((id) => table.get(id) ?? []);
  return there.find(canRun) ?? there[0];
}

export function menuEntry(id: string): MenuEntry {
  const command = table.get(id);
  if (!command) throw new Error(`There is no command ${id}.`);
  return {
    id,
    title: command.title,
    keys: commandKeys(id),
    detail: command.detail?.(),
    disabled: !canRun(command),
    run: () => runCommand(id),
  };
}
