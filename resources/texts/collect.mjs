/** All texts of the program that a person or a model may read, with their places. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { inRoot, root } from '../setup/places.mjs';
import { textsOfLisp } from './of-lisp.mjs';
import { textsOfTypeScript } from './of-typescript.mjs';

/** Returns `{ file, line, text }` of each shown text in `main`, `renderer` and `lisp`, without tests, sorted by place. */
export function collectTexts() {
  const listed = execFileSync('git', ['ls-files', 'main', 'renderer', 'lisp'], { cwd: root, encoding: 'utf8' });
  return listed
    .split('\n')
    .filter((file) => /\.(?:tsx?|lisp)$/.test(file) && !/\.(?:test|fixture)\.|^lisp\/tests\//.test(file))
    .filter((file) => existsSync(inRoot(file)))
    .flatMap((file) => textsOf(file, readFileSync(inRoot(file), 'utf8')));
}

/** Returns the shown texts of one file of that name. */
export function textsOf(file, source) {
  const found = file.endsWith('.lisp') ? textsOfLisp(source) : textsOfTypeScript(file, source);
  return found.map(({ offset, text }) => ({ file, line: source.slice(0, offset).split('\n').length, text }));
}
