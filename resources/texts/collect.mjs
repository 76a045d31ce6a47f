/** Collects all texts of the program that a person or a model may read, and all comments, with their locations. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { inRoot, root } from '../setup/places.mjs';
import { commentsOfLisp, textsOfLisp } from './of-lisp.mjs';
import { commentsOfTypeScript, textsOfTypeScript } from './of-typescript.mjs';

/** Returns `{ file, line, text }` for each shown text in `main`, `renderer` and `lisp`, excluding tests, sorted by location. */
export function collectTexts() {
  return sources(['main', 'renderer', 'lisp'])
    .filter((file) => !/\.(?:test|fixture)\.|^lisp\/tests\//.test(file))
    .flatMap((file) => textsOf(file, readFileSync(inRoot(file), 'utf8')));
}

/**
 * Returns `{ file, line, text, code }` for each comment and docstring, including those in tests, sorted by location. `code` is the line
 * that the comment belongs to.
 */
export function collectComments() {
  return sources(['main', 'renderer', 'lisp', 'e2e', 'resources']).flatMap((file) =>
    commentsOf(file, readFileSync(inRoot(file), 'utf8')),
  );
}

function sources(folders) {
  const listed = execFileSync('git', ['ls-files', ...folders], { cwd: root, encoding: 'utf8' });
  return listed.split('\n').filter((file) => /\.(?:tsx?|mjs|lisp|asd)$/.test(file) && existsSync(inRoot(file)));
}

/** Returns the shown texts of a file. Its name determines the language. */
export function textsOf(file, source) {
  const found = isLisp(file) ? textsOfLisp(source) : textsOfTypeScript(file, source);
  return found.map(({ offset, text }) => ({ file, line: lineOf(source, offset), text }));
}

/**
 * Returns the comments and docstrings in a file, with their offsets. The file's name determines the language. Line breaks in a comment
 * become spaces.
 */
export function commentsOf(file, source) {
  const found = isLisp(file) ? commentsOfLisp(source) : commentsOfTypeScript(file, source);
  return found.map(({ start, end, text }) => ({
    file,
    start,
    line: lineOf(source, start),
    text: text.replaceAll(/\s+/g, ' ').trim(),
    code: codeOf(source, start, end),
  }));
}

const isLisp = (file) => /\.(?:lisp|asd)$/.test(file);

/**
 * Returns the code line that a comment belongs to: for docstrings and comments after code, the code before the comment; otherwise the line
 * below it.
 */
function codeOf(source, start, end) {
  const before = source.slice(0, start);
  if (source[start] === '"' || lastLine(before).trim() !== '') return lastLine(before.trimEnd()).trim();
  return /^[^\n]*\n*([^\n]*)/.exec(source.slice(end))[1].trim();
}

const lastLine = (text) => text.slice(text.lastIndexOf('\n') + 1);

const lineOf = (source, offset) => source.slice(0, offset).split('\n').length;
