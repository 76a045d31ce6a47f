/** The items of the palette for files: the project's files, for which a line can be given, and the open files. */
import { FileCode } from 'lucide-react';
import { counted } from '#contract/text/text.ts';
import { fuzzyScore } from '../../sexp/fuzzy.ts';
import { matchTitle } from '../../base/palette/match-title.ts';
import type { FilePlace, PaletteItem } from '../../base/palette/palette-item.ts';

interface FittingFiles {
  readonly items: PaletteItem[];
  /** The number of matching files that are not listed. */
  readonly more: number;
}

/**
 * Returns at most `most` project files with matching paths, the best first; of equal matches, recently shown files come first.
 * `shop.lisp:120:5` means line 120, column 5 of the file, unless a path contains exactly this text.
 */
export function fileItems(
  wanted: string,
  files: readonly string[],
  recent: readonly string[],
  most: number,
): FittingFiles {
  const whole = fittingFiles(wanted, files, recent);
  const placed = /^(.*?):(\d{0,9})(?::(\d{0,9}))?$/.exec(wanted);
  if (whole.length > 0 || !placed) return listed(whole, null, most);
  const [, name = '', line, column] = placed;
  const place = line ? { line: Math.max(1, Number(line)), column: Math.max(1, Number(column ?? 1)) } : null;
  return listed(fittingFiles(name, files, recent), place, most);
}

/** Returns a sentence about the number of matching files, or other items, that are not listed; null if all are listed. */
export function moreWords(more: number, one = 'file', many = `${one}s`): string | null {
  const things = counted(more, `more ${one}`, `more ${many}`);
  return more === 0 ? null : `${things} ${more === 1 ? 'matches' : 'match'}: type more of the name.`;
}

/**
 * Returns the open files with matching titles. If text was typed, the best match comes first; otherwise the files are in their own order.
 */
export function openFileItems(
  wanted: string,
  openFiles: readonly { readonly id: string; readonly title: string; readonly path: string | null }[],
): PaletteItem[] {
  const scored = openFiles.flatMap(({ id, title, path }) => {
    const found = matchTitle(title, wanted);
    if (!found) return [];
    const item = { ...fileItem(path ?? title, title, found.match), id: `open:${id}`, target: { buffer: id } };
    return [{ item: { ...item, section: 'Open files' as const }, score: found.score }];
  });
  return scored.toSorted((left, right) => left.score - right.score).map(({ item }) => item);
}

interface Fitting {
  readonly file: string;
  readonly name: string;
  readonly match: PaletteItem['match'];
  readonly score: number;
  /** The rank among files with the same score: the length of the name, or 0 for a recently shown file. */
  readonly length: number;
}

/** The lower-case paths of a list, by path. They are cached, because a list can be long and each key needs them. */
const folded = new WeakMap<readonly string[], ReadonlyMap<string, string>>();

function foldedPaths(files: readonly string[]): ReadonlyMap<string, string> {
  const known = folded.get(files) ?? new Map(files.map((file) => [file, file.toLowerCase()]));
  folded.set(files, known);
  return known;
}

function fittingFiles(wanted: string, files: readonly string[], recent: readonly string[]): Fitting[] {
  const sought = wanted.toLowerCase();
  const paths = foldedPaths(files);
  const latest = new Set(recent.filter((file) => paths.has(file)));
  const fitting: Fitting[] = [];
  const add = (file: string, path: string): void => {
    if (!hasInOrder(sought, path)) return; // skips most files
    const name = file.slice(file.lastIndexOf('/') + 1);
    const found = matchTitle(name, wanted);
    const length = latest.has(file) ? 0 : name.length;
    fitting.push({ file, name, match: found?.match ?? null, score: scoreOf(sought, path, name, found), length });
  };
  for (const file of latest) add(file, paths.get(file)!);
  for (const [file, path] of paths) if (!latest.has(file)) add(file, path);
  // Before anything is typed all files match equally, in their order.
  return sought === ''
    ? fitting
    : fitting.sort((left, right) => left.score - right.score || left.length - right.length);
}

function hasInOrder(sought: string, path: string): boolean {
  let next = 0;
  for (const char of sought) {
    next = path.indexOf(char, next) + char.length;
    if (next < char.length) return false;
  }
  return true;
}

/** The highest (worst) score of a name that contains the typed text as one piece. */
const WRITTEN = 2;
/** The score of a path that has the letters in order, perhaps across folders; it ranks after all matching names. */
const ACROSS = 10;

/** Returns the score of a match. If only scattered letters match, letters at the beginnings of words and adjacent letters count more. */
function scoreOf(sought: string, path: string, name: string, found: ReturnType<typeof matchTitle>): number {
  if (found && found.score <= WRITTEN) return found.score;
  const text = found ? name.toLowerCase() : path;
  return (found?.score ?? ACROSS) - (fuzzyScore(sought, text) ?? 0) / 1000;
}

function listed(fitting: readonly Fitting[], place: FilePlace | null, most: number): FittingFiles {
  const items = fitting.slice(0, most).map(({ file, name, match }): PaletteItem => {
    const item = fileItem(file, name, match);
    return place ? { ...item, detail: placeWords(item.detail, place), target: { file, place } } : item;
  });
  return { items, more: fitting.length - items.length };
}

function placeWords(folder: string | null, { line, column }: FilePlace): string {
  const place = `line ${line.toLocaleString('en')}${column > 1 ? `, column ${column.toLocaleString('en')}` : ''}`;
  return folder === null ? place : `${folder}, ${place}`;
}

function fileItem(file: string, title: string, match: PaletteItem['match']): PaletteItem {
  return {
    id: `file:${file}`,
    section: 'Files',
    title,
    match,
    detail: file.slice(0, -title.length - 1) || null,
    keys: null,
    icon: FileCode,
    letter: null,
    agent: null,
    state: null,
    disabled: null,
    target: { file },
  };
}
