/** The items of the palette for files: those of the project, which a line can be asked of, and those that are open. */
import { FileCode } from 'lucide-react';
import { counted } from '#contract/text/text.ts';
import { fuzzyScore } from '../../sexp/fuzzy.ts';
import { matchTitle } from '../../base/palette/match-title.ts';
import type { FilePlace, PaletteItem } from '../../base/palette/palette-item.ts';

interface FittingFiles {
  readonly items: PaletteItem[];
  /** Files that fit besides those of the items. */
  readonly more: number;
}

/**
 * The project files whose paths fit, the best first and at most `most`; of those that fit alike, files that were shown lately come first.
 * `shop.lisp:120:5` is the file at that line and column, unless a path has these very letters.
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

/** Returns how many files, or other things of a list, fit and are not listed, in a sentence; null where all are. */
export function moreWords(more: number, one = 'file', many = `${one}s`): string | null {
  const things = counted(more, `more ${one}`, `more ${many}`);
  return more === 0 ? null : `${things} ${more === 1 ? 'fits' : 'fit'}: type more of the name.`;
}

/** The open files whose titles fit, in their order; the best first once something is typed. */
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
  /** The rank among files of one score: the length of the name, 0 for a file that was shown lately. */
  readonly length: number;
}

/** The paths of a list in small letters, by path; made once, since a list can be long and each key asks for it. */
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
    if (!hasInOrder(sought, path)) return; // most of many files
    const name = file.slice(file.lastIndexOf('/') + 1);
    const found = matchTitle(name, wanted);
    const length = latest.has(file) ? 0 : name.length;
    fitting.push({ file, name, match: found?.match ?? null, score: scoreOf(sought, path, name, found), length });
  };
  for (const file of latest) add(file, paths.get(file)!);
  for (const [file, path] of paths) if (!latest.has(file)) add(file, path);
  // Before anything is typed all fit alike, in their order.
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

/** Scores of names that have the text as it was typed go up to this one. */
const WRITTEN = 2;
/** A path that has the letters in order, perhaps across folders, ranks after all names that fit. */
const ACROSS = 10;

/** Where only scattered letters fit, those at the beginnings of words and those in a row count for more. */
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
