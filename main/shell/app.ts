/**
 * Electron's entry point. Applies the settings that are needed before Electron is ready, opens the window, and then opens the desktop
 * around one workbench. The window needs little, so the rest of the program is loaded while the page is loading.
 */
import { app, session } from 'electron';
import { messageOf } from '#core/base/error.ts';
import { createPaths, findPaths, type Paths } from '#core/settings/paths.ts';
import { type Asked, askedBy, askedOn, NOTHING_ASKED } from './window/asked-paths.ts';
import type { Desktop } from './desktop.ts';
import { openingState } from './window/opening-state.ts';
import { pageReceived, readAhead, registerScheme, serveScheme } from './window/scheme.ts';
import { denyPermissions, openWindow } from './window/window.ts';
import path from 'node:path';

const testing = process.env['LISP_WORKBENCH_TEST'] === '1';

/** Ends the process when a fault occurs. Used in tests, because Electron's modal dialog would wait for a click that never comes. */
function onFault(error: unknown): void {
  process.stderr.write(`lisp-workbench: ${error instanceof Error ? error.stack : String(error)}\n`);
  if (testing) app.exit(1);
}

process.on('uncaughtException', onFault);
process.on('unhandledRejection', onFault);

const paths = madePlaces();
app.setName('Lisp Workbench');
app.setPath('userData', path.join(paths.config, 'window'));
// Every page already requests the sandbox. This also covers any other page that might be opened. Root cannot use the sandbox.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
registerScheme();

if (app.isPackaged && !testing && app.commandLine.hasSwitch('remote-debugging-port')) {
  process.stderr.write(
    'lisp-workbench: --remote-debugging-port is refused: it would let any program drive the window.\n',
  );
  app.exit(2);
}

const asked = askedOn(process.argv, app.isPackaged);
if (app.requestSingleInstanceLock(asked)) {
  void readAhead();
  const desktop = app.whenReady().then(() => openDesktop());
  app.on('second-instance', (_event, _argv, _directory, handed) => {
    void desktop.then((open) => open?.comeForward({ ...NOTHING_ASKED, ...(handed as Partial<Asked>) }));
  });
  // The file manager of macOS passes files through this event, including the files with which the program is started.
  app.on('open-file', (event, file) => {
    event.preventDefault();
    void desktop.then((open) => open?.comeForward(askedBy(file)));
  });
  desktop.catch((error: unknown) => {
    process.stderr.write(`lisp-workbench: ${messageOf(error)}\n`);
    app.exit(1);
  });
} else {
  process.stderr.write('lisp-workbench: the desktop is already running; its window was brought to the front.\n');
  app.quit();
}

/** Opens the window and then the desktop in it. Returns null if the window was closed in the meantime. */
async function openDesktop(): Promise<Desktop | null> {
  serveScheme();
  denyPermissions(session.defaultSession);
  const opened = openWindow(openingState(paths.config));
  await pageReceived(opened.window.webContents, session.defaultSession);
  const { Desktop } = await import('./desktop.ts');
  return Desktop.open(paths, asked, opened);
}

/** Creates the program's folders, without which it cannot start. */
function madePlaces(): Paths {
  try {
    return createPaths(findPaths());
  } catch (error) {
    process.stderr.write(`lisp-workbench: ${messageOf(error)}\n`);
    process.exit(2);
  }
}
