/** Walking and searching a project folder, bounded, without following links out of it. */
import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as immediate } from 'node:timers/promises';
import { inHeldFolder, readCanonicalFilesSync } from '#core/held-files.ts';
import { maskTokens } from '#core/tokens.ts';
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
/** Files that are read and searched before other work has its turn. */
const AT_ONCE = 16;
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
    for (const entry of await entriesOf(at)) {
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
  const look = (batch: readonly string[]): void => {
    const texts = textsOf(place, batch, unsaved);
    const found = matches.all(texts.map((text) => (typeof text === 'object' && text !== null ? text.characters : '')));
    for (const [index, text] of texts.entries()) {
      const file = path.join(place, batch[index]!);
      if (text === 'too large') left.push(file);
      if (text === 'too large' || text === null) continue;
      searched += 1;
      const hits = found[index]!;
      files += hits.length > 0 ? 1 : 0;
      total += hits.length;
      for (const hit of hits) if (lines.length < most) lines.push({ file, ...hit });
    }
  };
  let batch: string[] = [];
  let late = false;
  for await (const name of (await isFile(place)) ? [''] : filesBelow(place, from)) {
    if (signal.aborted || rest >= MOST_COUNTED) break;
    if (wanted && name !== '' && !wanted(name)) continue;
    if (late) {
      next ??= name;
      rest += 1;
      continue;
    }
    batch.push(name);
    if (batch.length < AT_ONCE) continue;
    look(batch);
    await immediate(); // whoever waits has its turn
    batch = [];
    late = performance.now() - began > longest;
  }
  look(batch);
  return { lines, total, files, searched, left, next, rest };
}

/** Paths below a folder, in the order of their names folder by folder; from one of them on. */
async function* filesBelow(folder: string, from: string | null): AsyncGenerator<string> {
  const [first = null, ...further] = from === null ? [] : from.split('/');
  for (const entry of await entriesOf(folder)) {
    if (first !== null && entry.name < first) continue;
    if (entry.isFile()) yield entry.name;
    if (!entry.isDirectory() || SKIPPED.has(entry.name)) continue;
    const within = entry.name === first && further.length > 0 ? further.join('/') : null;
    for await (const file of filesBelow(path.join(folder, entry.name), within)) yield `${entry.name}/${file}`;
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
    );
    for (const [index, bytes] of read.entries()) {
      const typed = unsaved?.get(files[index]!);
      texts.push(typed === undefined ? textIn(bytes) : { characters: maskTokens(typed) });
    }
  }
  return texts;
}

function textIn(bytes: Buffer | 'too large' | null): Text {
  if (bytes === null || bytes === 'too large') return bytes;
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
export async function entriesOf(folder: string): Promise<Dirent[]> {
  const entries: Dirent[] = [];
  try {
    await inHeldFolder(path.join(folder, 'entry'), async (name) => {
      entries.push(...(await readdir(path.dirname(name), { withFileTypes: true })));
    });
  } catch {
    return []; // a folder that may not be read has nothing to show
  }
  return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
}
