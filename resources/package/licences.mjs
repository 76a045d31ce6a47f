/** The licences of all libraries in the bundles, with their texts. The package includes them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from '../setup/places.mjs';
import { SetupProblem } from '../setup/report.mjs';

/** Licences that allow redistribution with a notice. Before adding a licence, check that it also allows this. */
const PERMISSIVE =
  /^(?:\(?(?:MIT|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|Python-2\.0|PSF-2\.0|BlueOak-1\.0\.0|Unlicense|CC0-1\.0|OFL-1\.1|MPL-2\.0)(?: (?:AND|OR) |\)?$))+/;

const IMPORT = /(?:from |import |import\(|url\()'([^'.#][^']*)'/g;

/**
 * Returns the texts of all licences, sorted by the names of the libraries. @throws SetupProblem for a licence that is not permissive, or
 * that has no text.
 */
export function thirdPartyLicences() {
  const lock = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8')).packages;
  const places = closure(lock, [...imported('main'), ...imported('renderer')]);
  const texts = places
    .toSorted((one, other) => one.localeCompare(other))
    .map((place) => {
      const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
      const { version, license } = lock[place];
      if (!PERMISSIVE.test(license ?? ''))
        throw new SetupProblem(`${name} has the licence ${license}, which nobody has looked at.`);
      return `${name} ${version} (${license})\n\n${licenceText(place) ?? `The package has no text of its licence; it is ${license}.`}`;
    });
  return `Libraries in Lisp Workbench, with their licences\n\n${texts.join(`\n\n${'-'.repeat(78)}\n\n`)}\n`;
}

/** Returns the names of the packages that the program's own files import. Ignores tests. */
function imported(folder) {
  const files = readdirSync(inRoot(folder), { recursive: true }).filter(
    (name) => /\.(?:tsx?|css)$/.test(name) && !/\.(?:test|fixture)\./.test(name),
  );
  const names = files.flatMap((file) => {
    const text = readFileSync(inRoot(folder, file), 'utf8');
    return [...text.matchAll(IMPORT)].map(([, specifier]) =>
      specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/'),
    );
  });
  return [...new Set(names)].filter(
    (name) => existsSync(inRoot('node_modules', name)) && name !== 'electron' && !name.startsWith('@types/'),
  );
}

/** Returns the positions in the lock file of packages and of all their dependencies. */
function closure(lock, names) {
  const found = new Set();
  const add = (name, from) => {
    const place = resolve(lock, name, from);
    if (place === undefined || found.has(place)) return; // an optional dependency that is not installed
    found.add(place);
    const { dependencies = {}, optionalDependencies = {} } = lock[place];
    for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) add(each, place);
  };
  for (const name of names) add(name, '');
  return [...found].filter((place) => existsSync(inRoot(place)));
}

/**
 * Returns the position of the package that Node would find for an import from another package: in that package's own folder, or else in one
 * of the folders above it.
 */
function resolve(lock, name, from) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const place = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (place in lock) return place;
    if (at === '') return undefined;
  }
}

function licenceText(place) {
  const file = readdirSync(inRoot(place)).find((name) => /^(?:licen[cs]e|copying|ofl)/i.test(name));
  return file && readFileSync(join(inRoot(place), file), 'utf8').trim();
}
