/** The menus of the application, derived from the command table. The main process draws them natively. Pure. */
import type { CommandMenu } from '#contract/menu.ts';

/** The menus in their order. Each has the first components of its commands' ids. */
const MENUS: readonly { title: string; ids: readonly string[] }[] = [
  { title: 'File', ids: ['file', 'project', 'window'] },
  { title: 'Code', ids: ['complete', 'rename', 'fold', 'indent'] },
  { title: 'Forms', ids: ['structure', 'move'] },
  { title: 'Evaluate', ids: ['evaluate', 'macro', 'inspect', 'inspector'] },
  { title: 'Test', ids: ['test'] },
  { title: 'Debug', ids: ['debugger', 'trace', 'record', 'coverage'] },
  { title: 'Image', ids: ['image', 'repl', 'definitions', 'system', 'build'] },
  { title: 'Agents', ids: ['agent', 'client', 'servers', 'review', 'agents', 'editor'] },
  {
    title: 'Go',
    ids: [
      'go',
      'palette',
      'xref',
      'apropos',
      'browse',
      'disassemble',
      'describe',
      'view',
      'search',
      'split',
      'regions',
      'zoom',
    ],
  },
  { title: 'Help', ids: ['documentation', 'settings', 'theme', 'keymap', 'tour', 'help'] },
];

/** The first components of the ids of commands that are already in the View menu of the main process. */
const IN_VIEW = ['zoom'];

export interface MenuCommand {
  readonly id: string;
  readonly title: string;
  readonly keys?: string;
  readonly when?: () => true | string;
  readonly keysOnly?: boolean;
}

/** The titles of the menus, in their order. */
export const MENU_TITLES: readonly string[] = MENUS.map(({ title }) => title);

/** Returns the menu of a command, by its id. */
export function menuOf(id: string): string {
  const kind = kindOf(id);
  return (MENUS.find(({ ids }) => ids.includes(kind)) ?? MENUS.at(-1)!).title;
}

/** Returns commands in the order of the menus and, within a menu, in the order of the first components of their ids. */
export function inMenuOrder<Some extends { readonly id: string }>(commands: readonly Some[]): Some[] {
  const kinds = MENUS.flatMap(({ ids }) => ids);
  const placeOf = ({ id }: Some): number => (kinds.includes(kindOf(id)) ? kinds.indexOf(kindOf(id)) : kinds.length);
  return commands.toSorted((one, other) => placeOf(one) - placeOf(other));
}

function kindOf(id: string): string {
  return id.split('.', 1)[0]!;
}

/**
 * Returns the menus for commands. Each command is in exactly one menu; a command that no menu claims is in the last menu. Commands that
 * only have keys, and commands that the View menu already has, are left out.
 */
export function commandMenus(commands: readonly MenuCommand[]): CommandMenu[] {
  const menus = MENUS.map(({ title }) => ({
    title,
    items: commands
      .filter(({ id, keysOnly }) => !keysOnly && menuOf(id) === title && !IN_VIEW.includes(kindOf(id)))
      .map(({ id, title: name, keys, when }) => ({
        command: id,
        title: name,
        keys: keys ?? null,
        enabled: (when?.() ?? true) === true,
      })),
  }));
  return menus.filter(({ items }) => items.length > 0);
}
