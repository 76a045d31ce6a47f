/**
 * The anchors of the audit: for each of its files, kept apart from it, the number of rows and the digest of the last, so that a
 * file which was cut, emptied, renamed, changed or taken away is noticed. An anchor is written in place, which a full disk allows.
 */
import { appendFileSync, closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { plural } from '#contract/text/text.ts';
import { isAuditName } from './files.ts';

const SIZE = 1024;
const ENDING = '.anchor';
const LEDGER = 'ledger.jsonl';

const missed = z.object({
  /** Events that could not be written. */
  count: z.int().positive(),
  /** Milliseconds since the epoch. */
  from: z.number(),
  to: z.number(),
  why: z.string().max(300),
  /** A row of the audit tells of them. */
  recorded: z.boolean(),
});

const anchor = z.object({
  rows: z.int().nonnegative(),
  /** The hash of the last of these rows. */
  hash: z.string(),
  /** The process that writes the file. */
  writer: z.string(),
  missed: missed.nullable(),
});

export type Anchor = z.infer<typeof anchor>;
export type Missed = z.infer<typeof missed>;

/** The anchor of one file, open for as long as that is written. */
export class OpenAnchor {
  readonly #descriptor: number;

  /** @throws when the disk has no room for it, or, unless it is to be replaced, when there is one. */
  constructor(folder: string, name: string, first: Anchor, flag: 'w' | 'wx' = 'wx') {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#descriptor = openSync(path.join(folder, name + ENDING), flag, 0o600);
    try {
      this.write(first);
    } catch (error) {
      this.close();
      rmSync(path.join(folder, name + ENDING), { force: true });
      throw error;
    }
  }

  write(state: Anchor): void {
    writeSync(this.#descriptor, textOf(state), 0, 'utf8');
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** Anchors by the name of their file; null for one that is damaged. */
export function readAnchors(folder: string): Map<string, Anchor | null> {
  const names = existing(folder).filter((name) => name.endsWith(ENDING));
  const files = names.map((name) => name.slice(0, -ENDING.length)).filter(isAuditName);
  return new Map(files.map((name) => [name, readAnchor(path.join(folder, name + ENDING))]));
}

export function readAnchorOf(folder: string, name: string): Anchor | null {
  return readAnchor(path.join(folder, name + ENDING));
}

/** Makes or changes the anchor of a file that nobody writes. */
export function writeAnchor(folder: string, name: string, state: Anchor): void {
  new OpenAnchor(folder, name, state, 'w').close();
}

export function removeAnchor(folder: string, name: string): void {
  rmSync(path.join(folder, name + ENDING), { force: true });
}

/** The content of the folder's ledger: one entry a line, appended only, so that several processes can write it. */
export interface Ledger {
  /** Findings that the person has seen. */
  readonly seen: ReadonlySet<string>;
  /** Digests of last rows of files that were taken away for a reason. */
  readonly known: ReadonlySet<string>;
  /** Files from before there were anchors have got theirs. */
  readonly begun: boolean;
}

const entry = z.object({
  seen: z.string().optional(),
  known: z.string().optional(),
  begun: z.literal(true).optional(),
});

export function readLedger(folder: string): Ledger {
  const entries = linesOfLedger(folder).flatMap((line) => {
    try {
      return entry.parse(JSON.parse(line));
    } catch {
      return []; // a torn line
    }
  });
  return {
    seen: new Set(entries.flatMap(({ seen }) => seen ?? [])),
    known: new Set(entries.flatMap(({ known }) => known ?? [])),
    begun: entries.some(({ begun }) => begun === true),
  };
}

/** Adds to the ledger; what cannot be added is told again, which hurts nobody. */
export function addToLedger(folder: string, ...entries: z.infer<typeof entry>[]): void {
  if (entries.length === 0) return;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const text = entries.map((each) => `${JSON.stringify(each)}\n`).join('');
    appendFileSync(path.join(folder, LEDGER), text, { mode: 0o600 });
  } catch {
    // see above
  }
}

function linesOfLedger(folder: string): string[] {
  try {
    return readFileSync(path.join(folder, LEDGER), 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

function existing(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readAnchor(file: string): Anchor | null {
  try {
    return anchor.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}

function textOf(state: Anchor): string {
  return `${JSON.stringify(state).padEnd(SIZE - 1)}\n`;
}

/** Events that could not be written, as a sentence. */
export function gapInWords({ count, from, to, why }: Missed): string {
  return `${eventsInWords(count)} not recorded in the audit, from ${timeOf(from)} to ${timeOf(to)}: ${why}.`;
}

export function eventsInWords(count: number): string {
  return plural(count, 'event was', 'events were');
}

function timeOf(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}
