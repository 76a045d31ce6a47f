/** The menus of the application as a projection of the command table: main draws them natively. Pure. */
import type { CommandMenu } from '#contract/menu.ts';

/** Menus in their order, and the first words of the ids of the commands that stand in them. */
const MENUS: readonly { title: string; ids: readonly string[] }[] = [
  { title: 'File', ids: ['file', 'project'] },
  { title: 'Evaluate', ids: ['evaluate'] },
  { title: 'Image', ids: ['image', 'repl', 'definitions', 'system'] },
  { title: 'Agents', ids: ['client', 'review', 'agents', 'editor'] },
  { title: 'Go', ids: ['palette', 'view', 'regions'] },
  { title: 'Help', ids: ['settings', 'theme', 'help'] },
];

export interface MenuCommand {
  readonly id: string;
  readonly title: string;
  readonly keys?: string;
  readonly when?: () => true | string;
}

/** Every command stands in exactly one menu; one that no menu claims stands in the last. */
export function commandMenus(commands: readonly MenuCommand[]): CommandMenu[] {
  const claimed = (id: string): string => {
    const kind = id.split('.', 1)[0]!;
    return (MENUS.find(({ ids }) => ids.includes(kind)) ?? MENUS.at(-1)!).title;
  };
  const menus = MENUS.map(({ title }) => ({
    title,
    items: commands
      .filter(({ id }) => claimed(id) === title)
      .map(({ id, title: name, keys, when }) => ({
        command: id,
        title: name,
        keys: keys ?? null,
        enabled: (when?.() ?? true) === true,
      })),
  }));
  return menus.filter(({ items }) => items.length > 0);
}
