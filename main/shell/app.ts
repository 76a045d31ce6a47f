/** Electron's entry: what must be said before Electron is ready, then the desktop around one workbench. */
import { app } from 'electron';
import { messageOf } from '#core/error.ts';
import { createPlaces, findPlaces, type Places } from '#core/settings/places.ts';
import { folderArgument } from './command-line.ts';
import { Desktop } from './desktop.ts';
import { registerScheme } from './scheme.ts';
import path from 'node:path';

const testing = process.env['LISP_WORKBENCH_TEST'] === '1';

/** In tests a fault must end the process: Electron's modal box would wait for a click that never comes. */
function onFault(error: unknown): void {
  process.stderr.write(`lisp-workbench: ${error instanceof Error ? error.stack : String(error)}\n`);
  if (testing) app.exit(1);
}

process.on('uncaughtException', onFault);
process.on('unhandledRejection', onFault);

const places = madePlaces();
app.setName('Lisp Workbench');
app.setPath('userData', path.join(places.config, 'window'));
// Every page asks for the sandbox by itself; this covers whatever else might be opened. Root cannot have one at all.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
registerScheme();

if (app.isPackaged && !testing && app.commandLine.hasSwitch('remote-debugging-port')) {
  process.stderr.write(
    'lisp-workbench: --remote-debugging-port is refused: it would let any program drive the window.\n',
  );
  app.exit(2);
}

const folder = folderArgument(process.argv, app.isPackaged);
if (app.requestSingleInstanceLock({ folder })) {
  const desktop = app.whenReady().then(() => Desktop.open(places, folder));
  app.on('second-instance', (_event, _argv, _directory, handed) => {
    const { folder: other } = (handed ?? {}) as { folder?: string | null };
    void desktop.then((open) => open.comeForward(other ?? null));
  });
  desktop.catch((error: unknown) => {
    process.stderr.write(`lisp-workbench: ${messageOf(error)}\n`);
    app.exit(1);
  });
} else {
  process.stderr.write('lisp-workbench: the desktop is already running; its window was brought forward.\n');
  app.quit();
}

/** Without a place for what it keeps there is nothing to open. */
function madePlaces(): Places {
  try {
    return createPlaces(findPlaces());
  } catch (error) {
    process.stderr.write(`lisp-workbench: ${messageOf(error)}\n`);
    process.exit(2);
  }
}
