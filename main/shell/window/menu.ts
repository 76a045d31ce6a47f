/** The application menu. It consists of the commands in the page's command table and the system's own entries. */
import { type BaseWindow, BrowserWindow, Menu, type MenuItemConstructorOptions } from 'electron';
import type { CommandMenu } from '#contract/menu.ts';
import type { Settings } from '#contract/settings.ts';
import { zoom } from './zoom.ts';

type Keymap = Settings['keymap'];

/** Installs the menu that is used before the page has sent its commands. Its keys work everywhere, except for keys that the keymap uses. */
export function installMenu(keymap: Keymap): void {
  const application: MenuItemConstructorOptions[] = process.platform === 'darwin' ? [{ role: 'appMenu' }] : [];
  Menu.setApplicationMenu(Menu.buildFromTemplate([...application, ...systemMenus(keymap)]));
}

/** Returns a menu with the page's commands. `run` gets the id of the chosen command. */
export function menuOf(menus: readonly CommandMenu[], run: (command: string) => void, keymap: Keymap): Menu {
  const commands = menus.map(({ title, items }) => ({
    label: title,
    submenu: items.map(({ command, title: label, keys, enabled }) => ({
      enabled,
      ...shownWith(label, keys),
      click: () => run(command),
    })),
  }));
  // The order is the usual one of each platform: Edit and View after File, Window and Help at the end.
  const [edit, view, windows] = systemMenus(keymap);
  const [first, help] = [
    commands.filter(({ label }) => label === 'File'),
    commands.filter(({ label }) => label === 'Help'),
  ];
  const others = commands.filter((menu) => !first.includes(menu) && !help.includes(menu));
  return Menu.buildFromTemplate([...first, edit, view, ...others, windows, ...help]);
}

/**
 * Returns a label with its keys. The keys are only displayed here; the page's own keymap handles them. An accelerator is a single stroke,
 * so a sequence of strokes is displayed as part of the label.
 */
function shownWith(label: string, keys: string | null): MenuItemConstructorOptions {
  if (keys === null) return { label: escaped(label) };
  const plain = keys.replaceAll('Control+', 'Ctrl+').replaceAll('Arrow', '');
  if (plain.includes(' ')) return { label: `${escaped(label)}  [${escaped(plain)}]` };
  return { label: escaped(label), accelerator: keys.replaceAll('Arrow', ''), registerAccelerator: false };
}

/** Returns the menus Edit, View and Window. */
function systemMenus(
  keymap: Keymap,
): [MenuItemConstructorOptions, MenuItemConstructorOptions, MenuItemConstructorOptions] {
  const view: MenuItemConstructorOptions = {
    label: 'View',
    submenu: [
      // Standard roles are not used, because they would zoom only the focused view: the page or Review.
      { label: 'Actual Size', accelerator: 'CommandOrControl+0', click: () => zoom.change('actual') },
      { label: 'Zoom In', accelerator: 'CommandOrControl+Plus', click: () => zoom.change('larger') },
      // Has the same key as Zoom In, without Shift.
      { label: 'Zoom In', accelerator: 'CommandOrControl+=', visible: false, click: () => zoom.change('larger') },
      { label: 'Zoom Out', accelerator: 'CommandOrControl+-', click: () => zoom.change('smaller') },
      { type: 'separator' },
      { role: 'togglefullscreen' },
    ],
  };
  // On macOS the system's own keys use Cmd, which Emacs's keys do not use, so there is no conflict.
  if (keymap !== 'slime' || process.platform === 'darwin') return [{ role: 'editMenu' }, view, { role: 'windowMenu' }];
  return [EMACS_EDIT, view, EMACS_WINDOW];
}

/** The edit commands, shown with Emacs's keys, because in Emacs the standard keys have other meanings. The page handles these keys. */
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

/** Doubles each ampersand, because a single one would underline the next letter. */
function escaped(label: string): string {
  return label.replaceAll('&', '&&');
}
