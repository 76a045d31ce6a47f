/** The application menu: the system's own entries, and before them the commands of the page's command table. */
import { Menu, type MenuItemConstructorOptions } from 'electron';
import type { CommandMenu } from '#contract/menu.ts';
import { zoom } from './zoom.ts';

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
      // The roles would zoom only what has the keyboard, the page or Review.
      { label: 'Actual Size', accelerator: 'CommandOrControl+0', click: () => zoom.change('actual') },
      { label: 'Zoom In', accelerator: 'CommandOrControl+Plus', click: () => zoom.change('larger') },
      // The same key without Shift.
      { label: 'Zoom In', accelerator: 'CommandOrControl+=', visible: false, click: () => zoom.change('larger') },
      { label: 'Zoom Out', accelerator: 'CommandOrControl+-', click: () => zoom.change('smaller') },
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
