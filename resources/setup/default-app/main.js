/**
 * The program that Electron runs when it is given a folder; the stand-in runtime comes without it. It does what Electron's own does:
 * `electron --version`, `-r MODULE` (Playwright needs it) and `electron FOLDER …`.
 */
import { app } from 'electron';
import { existsSync, readFileSync } from 'node:fs';
import Module from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const wanted = { modules: [], folder: undefined };
const given = process.argv.slice(1);

if (given.includes('--version') || given.includes('-v')) {
  process.stdout.write(`v${process.versions.electron}\n`);
  app.exit(0);
} else {
  for (let at = 0; at < given.length && wanted.folder === undefined; at++) {
    if (given[at] === '-r' || given[at] === '--require') wanted.modules.push(given[++at]);
    else if (!given[at].startsWith('-')) wanted.folder = given[at];
  }
  if (wanted.modules.length > 0) Module._preloadModules(wanted.modules);
  if (wanted.folder === undefined) {
    process.stderr.write('Name the folder of the application: electron FOLDER\n');
    app.exit(2);
  } else {
    await load(resolve(wanted.folder));
  }
}

async function load(folder) {
  Object.defineProperty(process, 'defaultApp', { configurable: false, enumerable: true, value: true });
  const description = join(folder, 'package.json');
  let entry = folder;
  if (existsSync(description)) {
    const {
      name,
      productName,
      version,
      desktopName,
      main = 'index.js',
    } = JSON.parse(readFileSync(description, 'utf8'));
    if (version) app.setVersion(version);
    if (productName ?? name) app.name = productName ?? name;
    if (process.platform === 'linux') app.setDesktopName(desktopName ?? `${app.name}.desktop`);
    app.setAppPath(folder);
    entry = join(folder, main);
  }
  // Awaited, so that `ready` waits for the entry module, as with Electron's own.
  await import(pathToFileURL(entry).href);
}
