/** Walking and searching a project folder, bounded, without following links out of it. */
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

/** Folders of tools, which hold nothing that anybody wrote. */
export const SKIPPED: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules', '.cache', '__pycache__']);
const LARGEST_SEARCHED = 4 * 1024 * 1024;
/** A search ends after so many milliseconds, and says where to go on. */
const LONGEST_MS = 5000;
/** Files that are read before other work has its turn. */
const AT_ONCE = 16;
/** Names of files that are listed before other work has its turn. */
const LISTED_AT_ONCE = 1000;
/** Texts that are searched at once, when they are not long: to start the clock of a regular expression takes as long as to search in ten. */
const SEARCHED_AT_ONCE = 256;
/** Characters after which the texts that were read are searched. */
const LONG = 1024 * 1024;
/** The most remaining files that are counted. */
const MOST_COUNTED = 100_000;

/** Lists the content of a folder, sorted, down to `depth` levels; links are named and not followed. `more`: the list was cut. */
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
  /** The pattern of the files to search, for their paths below the place; null for all. */
  readonly glob: string | null;
  /** Path below the place of the file to begin with, as `next` of an earlier search. */
  readonly from: string | null;
  /** Hits to give; the rest is counted. */
  readonly most: number;
  readonly signal: AbortSignal;
  /** Texts that stand for the contents of their files, by absolute path: what the person has not saved yet. */
  readonly unsaved?: ReadonlyMap<string, string>;
}

export interface FoundText {
  readonly lines: readonly FoundLine[];
  readonly total: number;
  /** Files with a hit. */
  readonly files: number;
  /** Text files that were looked into. */
  readonly searched: number;
  /** Files that are too large. */
  readonly left: readonly string[];
  /** Where to go on, below the place; null when all was searched. */
  readonly next: string | null;
  /** Files from there on, as far as they were counted. */
  readonly rest: number;
}

/**
 * Lines that match of a text file, or of the text files below a folder, in the order of their names. Ends after a while, or when
 * `signal` fires, and then says where to go on.
 * @throws WorkbenchError `invalid` for a pattern that is none or takes too long.
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
    await immediate(); // whoever waits has its turn
    late = performance.now() - began > longest;
    if (late || texts.length >= SEARCHED_AT_ONCE || characters >= LONG) look();
  }
  read(batch);
  look();
  return { lines, total, files, searched, left, next, rest };
}

/** Paths below a folder, in the order of their names folder by folder; from one of them on. */
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
 * Returns the texts of files below a folder; null for one that is no text, or cannot be read. Tokens are masked: a pattern could find them
 * out character by character.
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

/** Groups neighbours of one folder. */
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

/** The entries of a folder of a canonical path, sorted; none where it may not be read, or is a link by now. */
export function entriesOf(folder: string): Dirent[] {
  try {
    const entries = inHeldFolderSync(folder, (held) => readdirSync(held, { withFileTypes: true }));
    return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch {
    return []; // a folder that may not be read has nothing to show
  }
}
