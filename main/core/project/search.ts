/** Walking and searching a project folder, bounded, without following links out of it. */
import type { Dirent } from 'node:fs';
import { opendir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { WorkbenchError } from '#core/error.ts';

export interface FoundFile {
  /** Canonical path. */
  readonly file: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** Of a file; 0 for the rest. */
  readonly bytes: number;
}

export interface FoundLine {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** Folders of tools, which hold nothing that anybody wrote. */
const SKIPPED = new Set(['.git', '.hg', '.svn', 'node_modules', '.cache', '__pycache__']);
const LARGEST_SEARCHED = 4 * 1024 * 1024;
const MOST_FILES = 20_000;
/** A pattern that takes longer on one text goes round in circles, and everybody waits for it. */
const PATTERN_MS = 100;
/** On all texts together. */
const PATTERNS_MS = 5000;
const LONGEST_LINE = 300;

/** What a folder holds, sorted, down to `depth` levels; links are named and not followed. `more`: the list was cut. */
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

/**
 * Lines that match of a text file, or of the text files below a folder. Stops when `signal` fires. `searched` counts the
 * files that were looked into, `files` those with a hit; `left` names those that are too large.
 * @throws WorkbenchError `invalid` for a pattern that is none or takes too long.
 */
export async function searchText(
  place: string,
  { matches, glob, most, signal }: { matches: Matcher; glob: string | null; most: number; signal: AbortSignal },
): Promise<{ lines: FoundLine[]; total: number; files: number; searched: number; cut: boolean; left: string[] }> {
  const wanted = glob === null ? null : globMatcher(glob);
  const lines: FoundLine[] = [];
  const left: string[] = [];
  let [total, files, seen, searched] = [0, 0, 0, 0];
  let [cut, spent] = [false, 0];
  const walk = async (at: string): Promise<void> => {
    for (const entry of await entriesOf(at)) {
      if (signal.aborted || cut) return;
      const file = path.join(at, entry.name);
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) await walk(file);
      if (!entry.isFile() || (wanted && !wanted(path.relative(place, file).split(path.sep).join('/')))) continue;
      if ((seen += 1) > MOST_FILES) {
        cut = true;
        return;
      }
      await search(file);
    }
  };
  const search = async (file: string): Promise<void> => {
    const text = await textOf(file);
    if (text === 'too large') left.push(file);
    if (text === 'too large' || text === null) return;
    searched += 1;
    const started = performance.now();
    const hits = matches(text.characters);
    spent += performance.now() - started;
    if (spent > PATTERNS_MS) cut = true;
    files += hits.length > 0 ? 1 : 0;
    total += hits.length;
    for (const hit of hits) if (lines.length < most) lines.push({ file, ...hit });
  };
  if ((await stat(place).catch(() => null))?.isFile()) await search(place);
  else await walk(place);
  return { lines, total, files, searched, cut, left };
}

export type Matcher = (text: string) => { line: number; text: string }[];

/** Lines that contain a text, or match a regular expression; case counts when the pattern has capital letters. */
export function matcher(pattern: string, regex: boolean): Matcher {
  const flags = /[A-Z]/.test(pattern) ? '' : 'i';
  const source = regex ? pattern : pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  try {
    RegExp(source, `u${flags}`);
  } catch (error) {
    throw new WorkbenchError('invalid', `${pattern} is no regular expression: ${(error as Error).message}.`);
  }
  return (text) => matchingLines(text, source, `u${flags}`);
}

/** Run apart with a time limit, which is all that stops a pattern that backtracks without end. */
function matchingLines(text: string, source: string, flags: string): { line: number; text: string }[] {
  const lines = text.split('\n');
  const code =
    'const p = new RegExp(source, flags); const hits = []; lines.forEach((l, i) => { if (p.test(l)) hits.push(i) }); hits';
  let hits: number[];
  try {
    hits = [...(runInNewContext(code, { lines, source, flags }, { timeout: PATTERN_MS }) as Iterable<number>)];
  } catch {
    throw new WorkbenchError('invalid', `The pattern ${source} takes too long. Search for a plain text instead.`);
  }
  return hits.map((index) => ({ line: index + 1, text: shortened(lines[index]!) }));
}

function shortened(line: string): string {
  const text = line.trimEnd();
  return text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text;
}

/** Null for what is no text, or cannot be read. */
async function textOf(file: string): Promise<{ characters: string } | 'too large' | null> {
  const size = (await stat(file).catch(() => null))?.size ?? 0;
  if (size > LARGEST_SEARCHED) return 'too large';
  const bytes = await readFile(file).catch(() => null);
  return bytes === null || bytes.subarray(0, 8000).includes(0) ? null : { characters: bytes.toString('utf8') };
}

function kindOf(entry: Dirent): FoundFile['kind'] {
  if (entry.isDirectory()) return 'folder';
  if (entry.isSymbolicLink()) return 'link';
  return entry.isFile() ? 'file' : 'other';
}

async function entriesOf(folder: string) {
  const entries = [];
  try {
    for await (const entry of await opendir(folder)) entries.push(entry);
  } catch {
    return []; // a folder that may not be read has nothing to show
  }
  return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
}

type GlobToken =
  | { readonly kind: 'one' | 'run' | 'folders' | 'all' }
  | { readonly kind: 'literal'; readonly text: string };

/**
 * `*` and `?` within a name, `**` over folders; a pattern without a slash is about the name alone. Follows all ways through
 * the pattern at once: a regular expression would try them one after another, for ever where there are many `*`.
 */
export function globMatcher(glob: string): (file: string) => boolean {
  const tokens = (glob.includes('/') ? glob : `**/${glob}`).split(/(\*\*\/|\*+|\?)/).flatMap((part): GlobToken[] => {
    if (part === '**/') return [{ kind: 'folders' }];
    if (part.startsWith('*')) return [{ kind: part.length > 1 ? 'all' : 'run' }];
    if (part === '?') return [{ kind: 'one' }];
    return Array.from(part, (text) => ({ kind: 'literal', text }));
  });
  // A state is twice the index of the token that comes next, and one more within folders that `**/` passes over.
  const enter = (index: number, states: Set<number>): void => {
    states.add(2 * index);
    const kind = tokens[index]?.kind;
    if (kind === 'run' || kind === 'all' || kind === 'folders') enter(index + 1, states);
  };
  const follow = (state: number, character: string, states: Set<number>): void => {
    const index = state >> 1;
    const token = tokens[index];
    if (!token) return;
    const slash = character === '/';
    if (token.kind === 'folders') {
      states.add(2 * index + 1);
      if (slash) enter(index + 1, states);
    } else if (token.kind === 'all' || (token.kind === 'run' && !slash)) enter(index, states);
    else if (token.kind === 'one' ? !slash : token.kind === 'literal' && token.text === character)
      enter(index + 1, states);
  };
  return (file) => {
    let states = new Set<number>();
    enter(0, states);
    for (const character of file) {
      const next = new Set<number>();
      for (const state of states) follow(state, character, next);
      states = next;
    }
    return states.has(2 * tokens.length);
  };
}
