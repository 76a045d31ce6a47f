/** The classes of style sheets and their uses. No other tool notices a class that is used but not defined, or defined but not used. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { inRoot } from '../setup/places.mjs';

const renderer = inRoot('renderer');
const read = (file) => readFileSync(path.join(renderer, file), 'utf8');

/** Returns the local classes of a style sheet. First removes global classes and everything that is not a selector. */
function classesOf(sheet) {
  const selectors = sheet.replaceAll(/\/\*[^]*?\*\/|:global\([^)]*\)|'[^']*'|:[^{};]*;/g, '');
  return [...new Set([...selectors.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name]) => name))];
}

/**
 * Returns the classes of each sheet that the sources use. A class name may be composed of a prefix and a value, such as `diff-` and
 * `added`.
 */
function taken() {
  const all = new Map(
    globSync('**/*.module.css', { cwd: renderer }).map((sheet) => [sheet, { names: [], beginnings: [] }]),
  );
  for (const file of globSync('**/*.{ts,tsx}', { cwd: renderer })) {
    const source = read(file);
    for (const [line, variable, from] of source.matchAll(/import (\w+) from '([^']+\.module\.css)'/g)) {
      const { names, beginnings } = all.get(path.join(path.dirname(file), from));
      const uses = source
        .replace(line, '')
        .matchAll(new RegExp(`\\b${variable}(?:\\.(\\w+)|\\['([^']+)'\\]|\\[\`([^$\`]*)\\$)`, 'g'));
      for (const [, name, quoted, beginning] of uses) {
        if (beginning === undefined) names.push(name ?? quoted);
        else beginnings.push(beginning);
      }
    }
  }
  // The classes of this sheet are named after the values of a type, so they do not appear in the sources.
  all.delete(path.join('ui', 'look.module.css'));
  return [...all];
}

test.each(taken())('%s has each class that is taken of it, and none that is not', (sheet, { names, beginnings }) => {
  const classes = classesOf(read(sheet));
  expect(names.filter((name) => !classes.includes(name))).toEqual([]);
  const isTaken = (name) => names.includes(name) || beginnings.some((beginning) => name.startsWith(beginning));
  expect(classes.filter((name) => !isTaken(name))).toEqual([]);
});
