/** The application menu: the system's own entries, and before them the commands of the page's command table. */
import { Menu, type MenuItemConstructorOptions } from 'electron';
import type { CommandMenu } from '#contract/menu.ts';

/** The menu that exists before the page has said which commands there are; its keys work everywhere. */
export function installMenu(): void {
  const application: MenuItemConstructorOptions[] = process.platform === 'darwin' ? [{ role: 'appMenu' }] : [];
  Menu.setApplicationMenu(Menu.buildFromTemplate([...application, ...systemMenus()]));
}

/** A menu with the page's commands; `run` gets the id of the one that is chosen. */
export function menuOf(menus: readonly CommandMenu[], run: (command: string) => void): Menu {
  const commands = menus.map(({ title, items }) => ({
    label: title,
    submenu: items.map(({ command, title: label, keys, enabled }) => ({
      label: escaped(label),
      enabled,
      // Shown only: the page's own keymap hears the keys, for menus and palette alike.
      ...(keys === null ? {} : { accelerator: keys, registerAccelerator: false }),
      click: () => run(command),
    })),
  }));
  return Menu.buildFromTemplate([...commands, ...systemMenus()]);
}

function systemMenus(): MenuItemConstructorOptions[] {
  const view: MenuItemConstructorOptions = {
    label: 'View',
    submenu: [
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { type: 'separator' },
      { role: 'togglefullscreen' },
    ],
  };
  return [{ role: 'editMenu' }, view, { role: 'windowMenu' }];
}

/** An ampersand would underline the next letter. */
function escaped(label: string): string {
  return label.replaceAll('&', '&&');
}
