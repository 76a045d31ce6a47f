/** Finds the SBCL that runs the Lisp images: the one that `LISP_WORKBENCH_SBCL` names, otherwise the one on the path. */
import { ask } from './children.mjs';
import { canInstall, commandFor, installPackages } from './debian.mjs';
import { SetupProblem } from './report.mjs';

/** The oldest SBCL whose internals the engine supports (`lisp/internals.lisp`). */
const OLDEST = [2, 2, 9];

/**
 * Finds the SBCL.
 * @returns {{ command: string, version: string, title: string } | undefined} undefined if there is no SBCL, or it is too old
 */
export function findSbcl() {
  const command = process.env.LISP_WORKBENCH_SBCL || 'sbcl';
  const version = /^SBCL (\d\S*)/.exec(ask(command, ['--version']) ?? '')?.[1];
  if (!version || isTooOld(version)) return undefined;
  return { command, version, title: `SBCL ${version}${command === 'sbcl' ? '' : ` (${command})`}` };
}

/** Installs SBCL if this process may do so; otherwise explains how to install it. */
export async function installSbcl(report) {
  const named = process.env.LISP_WORKBENCH_SBCL;
  const said = ask(named || 'sbcl', ['--version']);
  if (named && said === undefined) {
    throw new SetupProblem(
      `LISP_WORKBENCH_SBCL names ${named}, which does not run. Correct it, or use the SBCL on the path:`,
      ['unset LISP_WORKBENCH_SBCL'],
    );
  }
  if (said !== undefined) {
    const found = said.startsWith('SBCL ')
      ? `${said} is too old`
      : `${named ?? 'sbcl'} is no SBCL (it says "${said.split('\n')[0].slice(0, 60)}")`;
    throw new SetupProblem(`${found}: SBCL ${OLDEST.join('.')} or newer is needed. Install one and name it:`, [
      'LISP_WORKBENCH_SBCL=/path/to/sbcl npm start',
    ]);
  }
  if (canInstall()) return installPackages(['sbcl'], report);
  const command =
    { darwin: 'brew install sbcl', win32: 'choco install sbcl' }[process.platform] ?? commandFor(['sbcl']);
  throw new SetupProblem(
    'SBCL, the Common Lisp that everything runs on, is missing. Install it, then run the same command again:',
    [command],
  );
}

function isTooOld(version) {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10));
  for (const [at, least] of OLDEST.entries()) {
    if ((parts[at] || 0) !== least) return (parts[at] || 0) < least;
  }
  return false;
}
