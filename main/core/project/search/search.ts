/** Lists and searches a project folder within limits, without following links out of it. */
import { readdirSync, type Dirent } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as immediate } from 'node:timers/promises';
import { inHeldFolderSync, readCanonicalFilesSync } from '#core/base/held-files.ts';
import { maskTokens } from '#core/base/tokens.ts';
import { globMatcher } from './glob.ts';
import type { Hit, Matcher } from './matcher.ts';

export interface FoundFile {
  /** Canonical path. */
  readonly file: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** The size of a file; 0 for other entries. */
  readonly bytes: number;
}

interface FoundLine extends Hit {
  readonly file: string;
}

/** Folders that tools create, which contain no files written by people. */
export const SKIPPED: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules', '.cache', '__pycache__']);
const LARGEST_SEARCHED = 4 * 1024 * 1024;
/** The time limit, in milliseconds, after which a search ends and returns the point at which to continue. */
const LONGEST_MS = 5000;
/** The number of files that are read before other work gets a turn. */
const AT_ONCE = 16;
/** The number of file names that are listed before other work gets a turn. */
const LISTED_AT_ONCE = 1000;
/**
 * The maximum number of short texts that are searched in one call. They are grouped because starting the timer for a regular expression
 * takes as long as searching ten texts.
 */
const SEARCHED_AT_ONCE = 256;
/** The number of characters after which the texts collected so far are searched. */
const LONG = 1024 * 1024;
/** The maximum number of remaining files that are counted. */
const MOST_COUNTED = 100_000;

/**
 * Lists the content of a folder, sorted, down to `depth` levels. Links are listed but not followed. `more` is true if the list is
 * incomplete.
 */
export async function listFolder(
  folder: string,
  depth: number,
  most: number,
): Promise<{ found: FoundFile[]; more: boolean }> {
  const found: FoundFile[] = [];
  let more = false;
  const walk = async (at: string, left: number): Promise<void> => {
    for (const entry of entriesOf(at)) {
      if (found.length >= most) {
        more = true;
        return;
      }
      const file = path.join(at, entry.name);
      const bytes = entry.isFile() ? ((await stat(file).catch(() => null))?.size ?? 0) : 0;
      found.push({ file, kind: kindOf(entry), bytes });
      if (entry.isDirectory() && left > 1 && !SKIPPED.has(entry.name)) await walk(file, left - 1);
    }
  };
  await walk(folder, depth);
  return { found, more };
}

export interface TextSearch {
  readonly matches: Matcher;
  /** The pattern for the paths of files to search, relative to the searched place; null to search all files. */
  readonly glob: string | null;
  /** The path of the first file to search, relative to the searched place; this is `next` from an earlier search. */
  readonly from: string | null;
  /** The maximum number of hits to return; the others are only counted. */
  readonly most: number;
  readonly signal: AbortSignal;
  /** Unsaved texts of the person, by absolute path. They replace the contents of their files. */
  readonly unsaved?: ReadonlyMap<string, string>;
}

export interface FoundText {
  readonly lines: readonly FoundLine[];
  readonly total: number;
  /** The number of files with a hit. */
  readonly files: number;
  /** The number of text files that were searched. */
  readonly searched: number;
  /** Files that were skipped because they are too large. */
  readonly left: readonly string[];
  /** The path at which to continue, relative to the searched place; null if everything was searched. */
  readonly next: string | null;
  /** The number of files from `next` on, as far as they have been counted. */
  readonly rest: number;
}

/**
 * Returns the matching lines of a text file, or of the text files below a folder, in the order of their names. Stops after a time limit, or
 * when `signal` fires, and then returns the path at which to continue.
 * @throws WorkbenchError `invalid` for a pattern that is invalid or takes too long.
 */
export async function searchText(place: string, search: TextSearch, longest = LONGEST_MS): Promise<FoundText> {
  const { matches, glob, from, most, signal, unsaved } = search;
  const wanted = glob === null ? null : globMatcher(glob);
  const lines: FoundLine[] = [];
  const left: string[] = [];
  let [total, files, searched, rest] = [0, 0, 0, 0];
  let next: string | null = null;
  const began = performance.now();
  let texts: { readonly file: string; readonly characters: string }[] = [];
  let characters = 0;
  const read = (batch: readonly string[]): void => {
    for (const [index, text] of textsOf(place, batch, unsaved).entries()) {
      const file = path.join(place, batch[index]!);
      if (text === 'too large') left.push(file);
      if (text === 'too large' || text === null) continue;
      texts.push({ file, ...text });
      characters += text.characters.length;
    }
  };
  const look = (): void => {
    const found = matches.all(texts.map((text) => text.characters));
    for (const [index, { file }] of texts.entries()) {
      searched += 1;
      const hits = found[index]!;
      files += hits.length > 0 ? 1 : 0;
      total += hits.length;
      for (const hit of hits) if (lines.length < most) lines.push({ file, ...hit });
    }
    texts = [];
    characters = 0;
  };
  let batch: string[] = [];
  let late = false;
  let seen = 0;
  for (const name of (await isFile(place)) ? [''] : filesBelow(place, from)) {
    if ((seen += 1) % LISTED_AT_ONCE === 0) await immediate();
    if (signal.aborted || rest >= MOST_COUNTED) break;
    if (wanted && name !== '' && !wanted(name)) continue;
    if (late) {
      next ??= name;
      rest += 1;
      continue;
    }
    batch.push(name);
    if (batch.length < AT_ONCE) continue;
    read(batch);
    batch = [];
    await immediate(); // lets other work run
    late = performance.now() - began > longest;
    if (late || texts.length >= SEARCHED_AT_ONCE || characters >= LONG) look();
  }
  read(batch);
  look();
  return { lines, total, files, searched, left, next, rest };
}

/** Yields the paths below a folder, sorted by name within each folder, starting with `from`. */
function* filesBelow(folder: string, from: string | null): Generator<string> {
  const [first = null, ...further] = from === null ? [] : from.split('/');
  for (const entry of entriesOf(folder)) {
    if (first !== null && entry.name < first) continue;
    if (entry.isFile()) yield entry.name;
    if (!entry.isDirectory() || SKIPPED.has(entry.name)) continue;
    const within = entry.name === first && further.length > 0 ? further.join('/') : null;
    for (const file of filesBelow(path.join(folder, entry.name), within)) yield `${entry.name}/${file}`;
  }
}

async function isFile(place: string): Promise<boolean> {
  return (await stat(place).catch(() => null))?.isFile() ?? false;
}

type Text = { characters: string } | 'too large' | null;

/**
 * Returns the texts of files below a folder; null for a file that is unreadable or not text. Tokens are masked, because a pattern could
 * reveal them character by character.
 */
function textsOf(place: string, names: readonly string[], unsaved: TextSearch['unsaved']): Text[] {
  const texts: Text[] = [];
  for (const files of byFolder(names.map((name) => path.join(place, name)))) {
    const read = readCanonicalFilesSync(
      path.dirname(files[0]!),
      files.map((file) => path.basename(file)),
      LARGEST_SEARCHED,
      textIn,
    );
    for (const [index, text] of read.entries()) {
      const typed = unsaved?.get(files[index]!);
      texts.push(typed === undefined ? text : { characters: maskTokens(typed) });
    }
  }
  return texts;
}

function textIn(bytes: Buffer): Text {
  return bytes.subarray(0, 8000).includes(0) ? null : { characters: maskTokens(bytes.toString('utf8')) };
}

/** Groups adjacent files of the same folder. */
function byFolder(files: readonly string[]): string[][] {
  const groups: string[][] = [];
  for (const file of files) {
    const last = groups.at(-1);
    if (last && path.dirname(last[0]!) === path.dirname(file)) last.push(file);
    else groups.push([file]);
  }
  return groups;
}

function kindOf(entry: Dirent): FoundFile['kind'] {
  if (entry.isDirectory()) return 'folder';
  if (entry.isSymbolicLink()) return 'link';
  return entry.isFile() ? 'file' : 'other';
}

/** Returns the sorted entries of a folder with a canonical path; empty if the folder is unreadable, or has become a link. */
export function entriesOf(folder: string): Dirent[] {
  try {
    const entries = inHeldFolderSync(folder, (held) => readdirSync(held, { withFileTypes: true }));
    return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch {
    return []; // an unreadable folder has no entries to show
  }
}
