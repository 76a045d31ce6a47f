/** The application menu: the system's own entries, and before them the commands of the page's command table. */
import { type BaseWindow, BrowserWindow, Menu, type MenuItemConstructorOptions } from 'electron';
import type { CommandMenu } from '#contract/menu.ts';
import type { Settings } from '#contract/settings.ts';
import { zoom } from './zoom.ts';

type Keymap = Settings['keymap'];

/** The menu that exists before the page has said which commands there are; its keys work everywhere, as far as the keymap lets them. */
export function installMenu(keymap: Keymap): void {
  const application: MenuItemConstructorOptions[] = process.platform === 'darwin' ? [{ role: 'appMenu' }] : [];
  Menu.setApplicationMenu(Menu.buildFromTemplate([...application, ...systemMenus(keymap)]));
}

/** A menu with the page's commands; `run` gets the id of the one that is chosen. */
export function menuOf(menus: readonly CommandMenu[], run: (command: string) => void, keymap: Keymap): Menu {
  const commands = menus.map(({ title, items }) => ({
    label: title,
    submenu: items.map(({ command, title: label, keys, enabled }) => ({
      enabled,
      ...shownWith(label, keys),
      click: () => run(command),
    })),
  }));
  // Where each platform has them: Edit and View behind File, Window and Help at the end.
  const [edit, view, windows] = systemMenus(keymap);
  const [first, help] = [
    commands.filter(({ label }) => label === 'File'),
    commands.filter(({ label }) => label === 'Help'),
  ];
  const others = commands.filter((menu) => !first.includes(menu) && !help.includes(menu));
  return Menu.buildFromTemplate([...first, edit, view, ...others, windows, ...help]);
}

/**
 * A label with its keys. They are shown only: the page's own keymap hears them, for menus and palette alike. An accelerator is one
 * stroke, so that a sequence stands in the label.
 */
function shownWith(label: string, keys: string | null): MenuItemConstructorOptions {
  if (keys === null) return { label: escaped(label) };
  const plain = keys.replaceAll('Control+', 'Ctrl+').replaceAll('Arrow', '');
  if (plain.includes(' ')) return { label: `${escaped(label)}  [${escaped(plain)}]` };
  return { label: escaped(label), accelerator: keys.replaceAll('Arrow', ''), registerAccelerator: false };
}

/** Edit, View and Window. */
function systemMenus(
  keymap: Keymap,
): [MenuItemConstructorOptions, MenuItemConstructorOptions, MenuItemConstructorOptions] {
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
  // On macOS the system's own keys are with Cmd, which Emacs's leave alone.
  if (keymap !== 'slime' || process.platform === 'darwin') return [{ role: 'editMenu' }, view, { role: 'windowMenu' }];
  return [EMACS_EDIT, view, EMACS_WINDOW];
}

/** The roles with Emacs's keys in the place of those that mean something else there; the page hears them. */
const EMACS_EDIT: MenuItemConstructorOptions = {
  label: 'Edit',
  submenu: [
    { role: 'undo', accelerator: 'Ctrl+/', registerAccelerator: false },
    { role: 'redo', accelerator: 'Ctrl+Alt+_', registerAccelerator: false },
    { type: 'separator' },
    { role: 'cut', accelerator: 'Ctrl+W', registerAccelerator: false },
    { role: 'copy', accelerator: 'Alt+W', registerAccelerator: false },
    { role: 'paste', accelerator: 'Ctrl+Y', registerAccelerator: false },
    { label: 'Select All  [Ctrl+X H]', click: (_item, window) => selectAllIn(window) },
  ],
};

const EMACS_WINDOW: MenuItemConstructorOptions = {
  label: 'Window',
  submenu: [
    { label: 'Minimize', click: (_item, window) => window?.minimize() },
    { label: 'Close  [Ctrl+X Ctrl+C]', click: (_item, window) => window?.close() },
  ],
};

function selectAllIn(window: BaseWindow | undefined): void {
  if (window instanceof BrowserWindow) window.webContents.selectAll();
}

/** An ampersand would underline the next letter. */
function escaped(label: string): string {
  return label.replaceAll('&', '&&');
}
