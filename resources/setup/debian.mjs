/** The packages of a Debian-like system that are needed: the libraries of Electron's runtime, a virtual display, and Lisp libraries. */
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ask, run } from './children.mjs';
import { SetupProblem } from './report.mjs';

/**
 * The packages of the libraries that Electron needs, with their names in Debian 13 (which has a 64-bit time_t) and in Debian 12. It is
 * enough if one name of each package is installed.
 */
const ELECTRON = [['libgtk-3-0t64', 'libgtk-3-0'], ['libnss3'], ['libasound2t64', 'libasound2'], ['libgbm1']];
const DISPLAY = [['xvfb'], ['xauth'], ['fonts-dejavu-core']];
const LISP_TESTS = [['cl-fiveam'], ['cl-fiasco'], ['cl-rt'], ['cl-alexandria'], ['cl-swank'], ['cl-ppcre']];
/** The packages of a real Emacs, which tests connect to SWANK. */
const EMACS = [['emacs-nox', 'emacs-gtk', 'emacs'], ['slime']];
/** The package of the program that creates the sandbox for images. */
const SANDBOX = [['bubblewrap']];
/** The packages of an ssh server, which tests start on loopback. */
const SSH = [['openssh-server'], ['openssh-client']];
const PICTURES = [['imagemagick']];
/** The package of a headless browser, in which panels and dialogs are tested. */
const BROWSER = [['chromium-headless-shell', 'chromium']];
/** The packages of Emacs with SLIME, and of the libraries whose indentation is compared. */
const INDENTATION = [
  ...EMACS,
  ['cl-swank'],
  ['cl-alexandria'],
  ['cl-ppcre'],
  ['cl-ironclad'],
  ['cl-hunchentoot'],
  ['cl-iterate'],
];

/** The packages of 7-Zip, for tar.gz, and of rpmbuild. A Debian system already has dpkg-deb. */
const PACKERS = [['p7zip-full'], ['rpm']];
/**
 * The packages of the programs that create the minimal system and the container in which packages are tested. Only an administrator can use
 * these programs.
 */
const BARE_SYSTEM = [['debootstrap'], ['buildah']];

const hasDisplay = () => Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);

/** Returns the packages needed for a purpose. A desktop with a screen needs no virtual display, and may already have fonts. */
const needed = (purpose) => {
  if (purpose === 'indentation') return INDENTATION;
  if (purpose === 'packages') return PACKERS;
  return purpose === 'tests'
    ? [
        ...ELECTRON,
        ...DISPLAY,
        ...LISP_TESTS,
        ...EMACS,
        ...SANDBOX,
        ...SSH,
        ...PICTURES,
        ...BROWSER,
        ...(canInstall() ? [...PACKERS, ...BARE_SYSTEM] : []),
      ]
    : [...ELECTRON, ...(hasDisplay() ? [] : DISPLAY)];
};

/** Returns the step that installs the packages for `purpose` ('desktop', 'tests', 'indentation' or 'packages'). */
export function debianPackages(purpose) {
  return {
    check() {
      if (process.platform !== 'linux') return `system libraries (${process.platform} has them)`;
      if (!onPath('dpkg-query'))
        return `system libraries (not checked: this is no Debian; needed are the equals of ${flat(needed(purpose))})`;
      return missing(needed(purpose)).length === 0 ? 'Debian packages' : undefined;
    },
    async mend(report) {
      const wanted = missing(needed(purpose));
      // SBCL is installed here, because one run of apt can install everything. On other systems, a separate step installs it.
      if (!process.env.LISP_WORKBENCH_SBCL && !onPath('sbcl')) wanted.push(['sbcl']);
      if (!canInstall()) {
        const why = onPath('apt-get') ? 'only root may install them' : 'there is no apt-get here';
        throw new SetupProblem(
          `Missing Debian packages: ${flat(wanted)} (${why}). Install them, then run the same command again:`,
          [commandFor(choose(wanted))],
        );
      }
      await installPackages(choose(wanted), report);
    },
  };
}

/** True if this process may install Debian packages. */
export const canInstall = () => process.platform === 'linux' && process.getuid() === 0 && onPath('apt-get');

/** Returns the command with which a person can install the packages `names`. */
export function commandFor(names) {
  if (!onPath('apt-get')) return `install with your system's package tool: ${names.join(' ')}`;
  const sudo = process.getuid?.() === 0 ? '' : 'sudo ';
  return `${sudo}apt-get update && ${sudo}apt-get install --no-install-recommends ${names.join(' ')}`;
}

/** Installs packages with apt-get. Downloads package lists only if they are missing or out of date. */
export async function installPackages(names, report) {
  const stop = report.working(
    `installing ${names.length === 1 ? names[0] : `${names.length} Debian packages`} (${names.join(' ')})`,
  );
  try {
    let updated = false;
    if (!hasLists()) {
      await aptGet(['update']);
      updated = true;
    }
    let result = await install(names);
    if (result.code !== 0 && !updated) {
      await aptGet(['update']);
      result = await install(names);
    }
    if (result.code !== 0) throw aptProblem(result, names);
  } finally {
    stop();
  }
}

const install = (names) => aptGet(['install', '--no-install-recommends', '-y', ...names]);

function aptGet(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
  return run('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=2', ...args], { env });
}

function aptProblem({ all }, names) {
  const noNetwork =
    /Could not resolve|Temporary failure|Could not connect|Connection (?:failed|refused|timed out)|Network is unreachable/.test(
      all,
    );
  const said = all
    .split('\n')
    .filter((line) => /^(E|Err|W):/.test(line))
    .slice(-6)
    .join('\n');
  const message = noNetwork
    ? 'No network: apt-get could not fetch packages. Connect, or set its proxy, then run:'
    : `apt-get failed:\n${said || all.slice(-600)}\nTo see more, run:`;
  return new SetupProblem(message, [commandFor(names)]);
}

const hasLists = () => {
  try {
    return readdirSync('/var/lib/apt/lists').some((name) => /_Packages(\.|$)/.test(name));
  } catch {
    return false;
  }
};

/** Returns the lists of equivalent names in which no name is installed. Uses a single query for all names. */
function missing(wanted) {
  // If dpkg-query does not know a name, it exits with 1, but still reports the other names.
  const names = wanted
    .flat()
    .map((name) => `'${name}'`)
    .join(' ');
  const said =
    ask('sh', ['-c', `dpkg-query -W -f '\${Package} \${db:Status-Status}\\n' ${names} 2>/dev/null || true`]) ?? '';
  const installed = new Set(
    said
      .split('\n')
      .filter((line) => line.endsWith(' installed'))
      .map((line) => line.split(' ')[0]),
  );
  return wanted.filter((names) => !names.some((name) => installed.has(name)));
}

/** Chooses, from each list of equivalent names, the name that this system has. */
function choose(wanted) {
  return wanted.map((names) =>
    names.length === 1 ? names[0] : (names.find((name) => ask('apt-cache', ['show', name])) ?? names.at(-1)),
  );
}

const flat = (wanted) => wanted.map((names) => names.at(-1)).join(' ');

function onPath(command) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => folder && existsSync(join(folder, command)));
}
