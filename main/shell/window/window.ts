/** The single window of the program. Its position is saved, its page is sandboxed, and it shows no other pages. */
import path from 'node:path';
import { BrowserWindow, nativeTheme, screen, type Session, type WebContents, type WebPreferences } from 'electron';
import { PageLink } from '../calls/ipc.ts';
import { WORKBENCH_PAGE } from './scheme.ts';
import type { OpeningState } from './opening-state.ts';
import type { Place } from './window-place.ts';
import { zoom } from './zoom.ts';

export const TITLE_BAR = 40;

const INITIAL: Place = { width: 1600, height: 1000, maximized: false };

/** The colours of the window until the page has painted its own. */
const COLOURS = { dark: { back: '#131417', symbols: '#b0b3bc' }, light: { back: '#e8e9ec', symbols: '#4b4e58' } };

/** Returns the preferences for every page of the program. Only the page's preload has access to Electron. */
export function pagePreferences(preload: string): WebPreferences {
  return {
    preload: path.join(import.meta.dirname, '..', 'preload', preload),
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    webviewTag: false,
    spellcheck: false,
    navigateOnDragDrop: false,
  };
}

/** The window after it was opened. It shows the page's colours and loads the page before the rest of the program has been loaded. */
export interface OpenWindow {
  readonly window: BrowserWindow;
  readonly link: PageLink;
}

export function openWindow({ theme, place }: OpeningState): OpenWindow {
  nativeTheme.themeSource = theme;
  const window = new BrowserWindow({
    ...onScreen(place ?? INITIAL),
    minWidth: 900,
    minHeight: 560,
    show: false,
    title: 'Lisp Workbench',
    titleBarStyle: 'hidden',
    titleBarOverlay: process.platform === 'darwin' ? true : overlay(),
    backgroundColor: colours().back,
    webPreferences: pagePreferences('preload.cjs'),
  });
  if (place?.maximized === true) window.maximize();
  window.once('ready-to-show', () => window.show());
  const drawOverlay = (): void => {
    if (!window.isDestroyed() && process.platform !== 'darwin') window.setTitleBarOverlay(overlay());
  };
  nativeTheme.on('updated', () => {
    if (!window.isDestroyed()) window.setBackgroundColor(colours().back);
    drawOverlay();
  });
  zoom.attach(window);
  zoom.events.on('changed', drawOverlay);
  confine(window.webContents);
  const link = new PageLink('workbench', window.webContents, 'app://workbench');
  // Shows the window even if the event for its first frame is missing, because nothing is drawn in a hidden window.
  void link.drawn.then(() => {
    if (!window.isDestroyed() && !window.isVisible() && !window.isMinimized()) window.show();
  });
  void window.loadURL(WORKBENCH_PAGE);
  return { window, link };
}

/** Prevents a page from navigating and from opening windows or webviews. */
export function confine(contents: WebContents): void {
  contents.on('will-navigate', (event) => event.preventDefault());
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}

/** Denies every permission, because no page of the program needs a camera, a location, notifications or similar. */
export function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
}

function colours(): { back: string; symbols: string } {
  return nativeTheme.shouldUseDarkColors ? COLOURS.dark : COLOURS.light;
}

function overlay(): { color: string; symbolColor: string; height: number } {
  return { color: colours().back, symbolColor: colours().symbols, height: Math.round(TITLE_BAR * zoom.factor) };
}

/** Returns the stored position and size, or only the size if the position is no longer visible on any screen. */
function onScreen(kept: Place): { x?: number; y?: number; width: number; height: number } {
  const { x, y, width, height } = kept;
  if (x === undefined || y === undefined) return { width, height };
  const shown = screen
    .getAllDisplays()
    .some(
      ({ workArea: area }) =>
        x < area.x + area.width - 100 && x + width > area.x + 100 && y >= area.y - 10 && y < area.y + area.height - 50,
    );
  return shown ? { x, y, width, height } : { width, height };
}
