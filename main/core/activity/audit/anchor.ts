/**
 * The anchors of the audit. For each audit file, a separate file stores the number of rows and the digest of the last row. It reveals if
 * the audit file was truncated, emptied, renamed, changed or deleted. An anchor is overwritten in place, which works even on a full disk.
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
  /** The number of events that could not be written. */
  count: z.int().positive(),
  /** Milliseconds since the epoch. */
  from: z.number(),
  to: z.number(),
  why: z.string().max(300),
  /** True if a row of the audit records the missed events. */
  recorded: z.boolean(),
});

const anchor = z.object({
  rows: z.int().nonnegative(),
  /** The hash of the last row of the file. */
  hash: z.string(),
  /** The process that writes the audit file. */
  writer: z.string(),
  missed: missed.nullable(),
});

export type Anchor = z.infer<typeof anchor>;
export type Missed = z.infer<typeof missed>;

/** The anchor of one audit file, open while that file is written. */
export class OpenAnchor {
  readonly #descriptor: number;

  /** @throws if the disk is full, or if the anchor already exists and `flag` does not allow it to be replaced. */
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

/** Returns the anchors by the name of their audit file; null for a damaged anchor. */
export function readAnchors(folder: string): Map<string, Anchor | null> {
  const names = existing(folder).filter((name) => name.endsWith(ENDING));
  const files = names.map((name) => name.slice(0, -ENDING.length)).filter(isAuditName);
  return new Map(files.map((name) => [name, readAnchor(path.join(folder, name + ENDING))]));
}

export function readAnchorOf(folder: string, name: string): Anchor | null {
  return readAnchor(path.join(folder, name + ENDING));
}

/** Writes the anchor of a file that is not being written by a process. */
export function writeAnchor(folder: string, name: string, state: Anchor): void {
  new OpenAnchor(folder, name, state, 'w').close();
}

export function removeAnchor(folder: string, name: string): void {
  rmSync(path.join(folder, name + ENDING), { force: true });
}

/** The content of the folder's ledger. The ledger has one entry per line and is append-only, so that several processes can write it. */
export interface Ledger {
  /** Findings that the person has already seen. */
  readonly seen: ReadonlySet<string>;
  /** The digests of the last rows of files that are known to be missing, so that they are not reported again. */
  readonly known: ReadonlySet<string>;
  /** True if the files from before anchors were introduced have received anchors. From then on, every file must have one. */
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
      return []; // an incomplete line
    }
  });
  return {
    seen: new Set(entries.flatMap(({ seen }) => seen ?? [])),
    known: new Set(entries.flatMap(({ known }) => known ?? [])),
    begun: entries.some(({ begun }) => begun === true),
  };
}

/** Adds entries to the ledger. If that fails, the findings are reported again later, which does no harm. */
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

/** Returns a sentence about the events that could not be written. */
export function gapInWords({ count, from, to, why }: Missed): string {
  return `${eventsInWords(count)} not recorded in the audit, from ${timeOf(from)} to ${timeOf(to)}: ${why}.`;
}

export function eventsInWords(count: number): string {
  return plural(count, 'event was', 'events were');
}

function timeOf(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}
