/** The SBCL that a package includes. Its runtime, contribs and licence are in one folder, and work wherever the folder is. */
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ask, run } from '../setup/children.mjs';
import { inRoot } from '../setup/places.mjs';
import { SetupProblem } from '../setup/report.mjs';

/** Files that are needed only to build SBCL, or to build C programs with it. */
const LEFT_OUT = new Set(['sbcl.o', 'sbcl.mk', 'sbcl-run']);

/**
 * The locations of SBCL's licence: for an SBCL built from source, for Debian's, and for others. Relative paths start at the folder that
 * contains SBCL's home.
 */
const LICENCES = [join('..', 'COPYING'), '/usr/share/doc/sbcl/copyright', 'COPYING'];

/** Copies the SBCL `command` into `folder`. @returns SBCL's version, and the Debian packages with the libraries that SBCL loads. */
export function collectSbcl(command, folder) {
  const said = ask(command, ['--noinform', '--non-interactive', '--no-sysinit', '--no-userinit', '--eval', QUESTION]);
  const [program, home, version] = said?.trim().split('\n').slice(-3) ?? [];
  if (!version) throw new SetupProblem(`${command} does not tell where it is, and cannot be put into a package.`);
  rmSync(folder, { recursive: true, force: true });
  const windows = process.platform === 'win32';
  const bin = windows ? folder : join(folder, 'bin');
  const lib = windows ? folder : join(folder, 'lib', 'sbcl');
  for (const each of [bin, lib, join(folder, 'doc')]) mkdirSync(each, { recursive: true });
  copyFileSync(realpathSync(program), join(bin, windows ? 'sbcl.exe' : 'sbcl'));
  cpSync(home, lib, { recursive: true, dereference: true, filter: (file) => !LEFT_OUT.has(basename(file)) });
  const licence = LICENCES.map((file) => join(file.startsWith('/') ? '/' : dirname(home), file)).find(existsSync);
  if (!licence) throw new SetupProblem(`The licence of ${command} is not at any of ${LICENCES.join(', ')}.`);
  copyFileSync(licence, join(folder, 'doc', 'copyright'));
  return { version, libraries: windows ? [] : librariesOf(join(bin, 'sbcl')) };
}

/**
 * Returns the Debian packages that a Linux program needs: the C library, in the newest version whose functions the program uses, and the
 * library for compressed cores. Finds the names as text in the program.
 */
export function librariesOf(program) {
  const text = readFileSync(program, 'latin1');
  const versions = [...text.matchAll(/\bGLIBC_(\d+)\.(\d+)/g)].map(([, major, minor]) => [
    Number(major),
    Number(minor),
  ]);
  const [newest] = versions.toSorted(([a, b], [c, d]) => c - a || d - b);
  return [
    ...(newest ? [`libc6 (>= ${newest.join('.')})`] : []),
    ...(text.includes('libzstd.so.1') ? ['libzstd1'] : []),
  ];
}

const QUESTION = `(format t "~A~%~A~%~A~%" (sb-ext:native-namestring sb-ext:*runtime-pathname*)
  (sb-ext:native-namestring (sb-int:sbcl-homedir-pathname)) (lisp-implementation-version))`;

/**
 * Builds the engine's core with the SBCL in `folder`. Reads the sources from a neutral folder, because the core records their location. The
 * core contains nothing from this machine's own Lisp installation.
 */
export async function buildCore(folder, core) {
  const neutral = join(tmpdir(), 'lisp-workbench-engine');
  rmSync(neutral, { recursive: true, force: true });
  try {
    cpSync(inRoot('lisp'), join(neutral, 'lisp'), { recursive: true, filter: (file) => basename(file) !== 'tests' });
    const program = join(folder, process.platform === 'win32' ? 'sbcl.exe' : join('bin', 'sbcl'));
    const args = ['--noinform', '--non-interactive', '--no-sysinit', '--no-userinit'];
    const { SBCL_HOME: _other, ...env } = process.env;
    const { code, all } = await run(program, [...args, '--load', join(neutral, 'lisp', 'build.lisp')], {
      env: { ...env, HOME: neutral, LISP_WORKBENCH_CORE: core },
    });
    if (code !== 0 || !existsSync(core))
      throw new SetupProblem(`The core could not be built:\n${all.trim().slice(-1500)}`);
  } finally {
    rmSync(neutral, { recursive: true, force: true });
  }
}
