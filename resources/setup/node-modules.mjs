/** The npm packages, exactly as package-lock.json names them. */
import { readFileSync } from 'node:fs';
import { runNpm } from './npm.mjs';
import { inRoot } from './places.mjs';

/** Compares the lock file with npm's own record of what it installed, so that an `npm ci` by hand counts too. */
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
    // Install scripts are not needed by any package; Electron is fetched by a step of its own.
    await runNpm(['ci', '--ignore-scripts'], 'the packages of package-lock.json');
  } finally {
    stop();
  }
}

/** True when npm installs a package here: it leaves out binaries of other systems. */
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
