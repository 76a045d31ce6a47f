/** Installs the npm packages exactly as package-lock.json lists them. */
import { readFileSync } from 'node:fs';
import { runNpm } from './npm.mjs';
import { inRoot } from './places.mjs';

/** True if the installed packages match the lock file. Uses npm's own record of the installation, so a manual `npm ci` counts too. */
export function nodeModulesAreCurrent() {
  const wanted = packages(inRoot('package-lock.json'));
  const installed = packages(inRoot('node_modules', '.package-lock.json'));
  if (!wanted || !installed) return false;
  const names = Object.keys(wanted).filter((name) => name !== '' && isForHere(wanted[name]));
  return names.every((name) =>
    installed[name]
      ? installed[name].version === wanted[name].version && installed[name].integrity === wanted[name].integrity
      : wanted[name].optional,
  );
}

export async function installNodeModules(report) {
  const stop = report.working('installing npm packages');
  try {
    // Ignores install scripts, because no package needs them. A separate step downloads Electron.
    await runNpm(['ci', '--ignore-scripts'], 'the packages of package-lock.json');
  } finally {
    stop();
  }
}

/** True if npm installs a package on this machine. npm leaves out binaries for other systems. */
function isForHere({ os, cpu, peer, optional }) {
  if (peer && optional) return false;
  return fits(os, process.platform) && fits(cpu, process.arch);
}

function fits(list, here) {
  if (!list) return true;
  const values = [list].flat();
  if (values.includes(`!${here}`)) return false;
  return values.every((value) => value.startsWith('!')) || values.includes(here);
}

function packages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}
