/**
 * The table of all window commands: name, keys, whether the command can run now, and its action. The palette, menus, keymaps, buttons and
 * help read this table; `all.ts` fills it.
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
  /** The region or regions in which the keys run the command; everywhere if omitted. */
  keysIn?: string | readonly string[];
  icon?: LucideIcon;
  /** Returns true if the command can run, otherwise text that explains when it can run ("only with an open file"). */
  when?: () => true | string;
  /** Returns a description of the command's target or consequence. */
  detail?: () => string | undefined;
  /** True if the focused element also receives the key. */
  passes?: boolean;
  /**
   * True for commands that are only useful by key, such as moving the caret. They are not in menus, and are in the palette only if they
   * have keys.
   */
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

/** Switches to a keymap, starting with the next key. */
export function setKeymap(chosen: Keymap): void {
  keymap = chosen;
  bindings = null;
}

export function currentKeymap(): Keymap {
  return keymap;
}

/** Returns the bindings of the chosen keymap, including those of missing commands. */
export function allBindings(): readonly (KeymapBinding & ReadBinding)[] {
  bindings ??= bindingsOf(keymap, [...table.values()]).map(readBinding);
  return bindings;
}

/** Returns the commands for menus, palette and help, with their keys in the chosen keymap. */
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

/** Runs a command by its id if it can run now. Shows a notice if it fails. */
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

/** Returns the command that ran directly before the current one; null if the person did something else in between, such as typing. */
export function previousCommand(): string | null {
  return earlier;
}

/** Records that the person did something other than a command, such as typing. */
export function forgetPrevious(): void {
  previous = null;
}

/** Returns the keys of a command in the chosen keymap; if it has several key sequences, the first. */
export function commandKeys(id: string): string | undefined {
  return allBindings().find((binding) => meantBy(binding)?.id === id)?.keys;
}

/** Returns the command of a binding: the first that can run, otherwise the first that exists. */
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
