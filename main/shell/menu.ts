/** The application menu: the system's own entries. Commands of the workbench stand in the page's command table, palette and menus. */
import { Menu, type MenuItemConstructorOptions } from 'electron';

export function installMenu(): void {
  const application: MenuItemConstructorOptions[] = process.platform === 'darwin' ? [{ role: 'appMenu' }] : [];
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
  Menu.setApplicationMenu(Menu.buildFromTemplate([...application, { role: 'editMenu' }, view, { role: 'windowMenu' }]));
}
