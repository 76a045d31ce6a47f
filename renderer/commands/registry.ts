/**
 * Every action of the window, once: its name, its keys, whether it can run now, and what it does. The palette, the menus, the
 * keymap, the buttons and the help read this table; `all.ts` fills it.
 */
import type { LucideIcon } from 'lucide-react';
import { orNotice } from '../layout/notices.tsx';
import { focusedRegion } from '../layout/regions.ts';
import type { MenuEntry } from '../ui/menu.tsx';
import { find, type KeyPress } from './keymap.ts';

export interface Command {
  id: string;
  title: string;
  keys?: string;
  /** The region in which the keys mean this; everywhere when left out. */
  keysIn?: string;
  icon?: LucideIcon;
  /** True, or the words that say when it can run ("only with an open file"). */
  when?: () => true | string;
  /** What it would act on, or its consequence. */
  detail?: () => string | undefined;
  /** The key also goes on to whatever has the focus. */
  passes?: boolean;
  run: () => unknown;
}

const table = new Map<string, Command>();

export function registerCommands(commands: readonly Command[]): void {
  for (const command of commands) table.set(command.id, command);
}

export function allCommands(): Command[] {
  return [...table.values()];
}

/** Runs a command by its id, if it can run now. A failure becomes a notice. */
export function runCommand(id: string): void {
  const command = table.get(id);
  if (!command || (command.when?.() ?? true) !== true) return;
  void orNotice(Promise.resolve().then(() => command.run()));
}

export function commandKeys(id: string): string | undefined {
  return table.get(id)?.keys;
}

export function menuEntry(id: string): MenuEntry {
  const command = table.get(id);
  if (!command) throw new Error(`There is no command ${id}.`);
  return {
    id,
    title: command.title,
    keys: command.keys,
    detail: command.detail?.(),
    disabled: (command.when?.() ?? true) !== true,
    run: () => runCommand(id),
  };
}

/** Listens to all keys before anything on the page does. */
export function startKeymap(): () => void {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing || event.key === 'Process') return;
    const command = commandFor(event);
    if (!command) return;
    // Also when it cannot run now: what the key means to the system instead (closing the window, say) is not what was meant.
    if (!command.passes) {
      event.preventDefault();
      event.stopPropagation();
    }
    runCommand(command.id);
  };
  window.addEventListener('keydown', onKeyDown, { capture: true });
  return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
}

function commandFor(event: KeyPress): Command | null {
  const region = focusedRegion();
  const bound = allCommands().filter(
    (command): command is Command & { keys: string } =>
      command.keys !== undefined && (command.keysIn === undefined || command.keysIn === region),
  );
  return find(bound, event, (command) => (command.when?.() ?? true) === true) ?? find(bound, event, () => true);
}
