/** The packages that `npm run package` has made, and functions that list their contents. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');

const FOLDER = path.join(ROOT, 'out', 'packages');
/** The folder into which a package manager installs the program. */
export const PROGRAM = '/opt/Lisp Workbench';

/** Returns the path of the package whose name ends with `ending`. */
export function packageFile(ending: string): string {
  const found = readdirSync(FOLDER).filter((name) => name.endsWith(ending));
  if (found.length !== 1) throw new Error(`out/packages has ${found.length} files that end with ${ending}, not one.`);
  return path.join(FOLDER, found[0]!);
}

/**
 * Functions that return the sorted files of each kind of package. The program's files are relative to its folder; other files have their
 * full paths.
 */
export const filesOf = {
  dir: () => sorted(filesBelow(path.join(FOLDER, 'linux-unpacked'))),
  'tar.gz': () => sorted(lines('tar', ['-tzf', packageFile('.tar.gz')]).map((line) => line.replace(/^[^/]*\//, ''))),
  deb: () => {
    const listed = lines('dpkg-deb', ['--contents', packageFile('.deb')]).filter((line) => !line.startsWith('d'));
    return installed(listed.map((line) => line.replace(/^.*? \.\//, '/')));
  },
  rpm: () => installed(lines('rpm', ['--query', '--list', '--package', packageFile('.rpm')])),
};

/** Returns the required contents of a package: patterns of names, and the sources that the package includes. */
export function wanted(): { patterns: { pattern: string; isOptional: boolean }[]; sources: string[] } {
  const lines = readFileSync(path.join(ROOT, 'resources', 'package', 'content.txt'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const engine = filesBelow(path.join(ROOT, 'lisp')).filter((file) => /\.(lisp|asd)$/.test(file));
  const tour = filesBelow(path.join(ROOT, 'resources', 'tour'));
  return {
    patterns: lines.map((line) => ({ pattern: line.replace(/\?$/, ''), isOptional: line.endsWith('?') })),
    sources: [
      ...engine.filter((file) => !file.startsWith('tests/')).map((file) => `resources/lisp/${file}`),
      ...tour.map((file) => `resources/tour/${file}`),
    ],
  };
}

function installed(files: string[]): string[] {
  const own = `${PROGRAM}/`;
  return sorted(files.map((file) => (file.startsWith(own) ? file.slice(own.length) : file)));
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
}

function lines(program: string, args: string[]): string[] {
  const said = execFileSync(program, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return said.split('\n').filter((line) => line !== '' && !line.endsWith('/'));
}

const sorted = (files: string[]): string[] => files.toSorted((a, b) => (a < b ? -1 : 1));
