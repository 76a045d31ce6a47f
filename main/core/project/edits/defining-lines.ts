/** Finds where the files of a folder define a name, by their text only; this needs no image. */
import type { Hit, Matcher } from '../search/matcher.ts';
import { searchText } from '../search/search.ts';

export interface DefiningLine {
  /** Canonical path. */
  readonly file: string;
  /** The number of the line, from 1. */
  readonly line: number;
}

const LISP_FILE = /\.(?:lisp|lsp|cl|asd|sexp)$/i;
/** The maximum number of places to return. */
const MOST = 100;
/** The time limit, in milliseconds, after which the search returns the places found so far. */
const LONGEST_MS = 2_000;

/** Returns lines of the Lisp files below a folder at which a definition of a name begins. The name has no package prefix. */
export async function definingLines(folder: string, name: string, signal: AbortSignal): Promise<DefiningLine[]> {
  const search = { matches: definitionsOf(name), glob: null, from: null, most: MOST, signal };
  const { lines } = await searchText(folder, search, LONGEST_MS);
  return lines.filter(({ file }) => LISP_FILE.test(file)).map(({ file, line }) => ({ file, line }));
}

/** Matches `(defun name`, `(shop:define-thing name`, `(defstruct (name`, `(defun (setf name)` and `(defpackage #:name`. @internal Exported for its test. */
export function definitionsOf(name: string): Matcher {
  const wanted = name.toLowerCase();
  const escaped = wanted.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  const line = RegExp(
    String.raw`^\s*\((?:[^\s()":]+::?)?def[^\s()"]*\s+(?:\(\s*(?:setf\s+)?)?(?:#?:|"|[^\s()":]+::?)?${escaped}(?=[\s()";]|$)`,
    'u',
  );
  const matches = (text: string): Hit[] => {
    if (!text.toLowerCase().includes(wanted)) return []; // a quick check that skips most files
    return text
      .toLowerCase()
      .split('\n')
      .flatMap((each, index) => (line.test(each) ? [{ line: index + 1, column: 1, text: '', marks: [] }] : []));
  };
  return Object.assign(matches, { all: (texts: readonly string[]) => texts.map((text) => matches(text)) });
}
