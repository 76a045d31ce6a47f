/** The audit on disk: one file a process, one line an event, each chained to the one before (DESIGN section 7). */
import {
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { ActivityEvent, AuditState } from '#contract/activity.ts';
import { messageOf } from '#core/error.ts';
import { auditLine, GENESIS, verifyLine } from './audit-line.ts';

/** Events that are on disk before what they announce runs: everything that leaves the image. */
const SYNCED: ReadonlySet<ActivityEvent['kind']> = new Set([
  'approval-requested',
  'approval-decided',
  'client-changed',
]);
const FILE_LIMIT = 64 * 1024 * 1024;
const GROUP_MS = 200;
/** Lines that are checked before others have their turn. */
const BREATH = 1000;

export class Audit {
  readonly #folder: string;
  #descriptor: number | null = null;
  #hash: string;
  #size = 0;
  #part = 0;
  #failure: string | null = null;
  #syncTimer: NodeJS.Timeout | null = null;
  /** Files of this run with where in them it begins, and the hash that the first of them continues. */
  #files: { file: string; start: number }[] = [];
  #before: string;
  #rows = 0;
  /** What was found wrong with earlier files, for the person; null when the chain is whole. */
  readonly problem: string | null;

  constructor(folder: string, keepDays: number) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { hash, problem } = continueFrom(folder);
    this.#hash = hash;
    this.#before = hash;
    this.problem = problem;
    removeOld(folder, keepDays);
  }

  /** Why the last event could not be written; null while all is well. Nothing that must be recorded may run meanwhile. */
  get failure(): string | null {
    return this.#failure;
  }

  /**
   * Writes the event at once; it is synced before returning when it announces something that leaves the image, else soon.
   * Never throws: `failure` tells.
   */
  append(event: ActivityEvent): void {
    try {
      this.#write(event);
      this.#failure = null;
    } catch (error) {
      this.#failure = `The audit cannot be written: ${messageOf(error)}.`;
      this.#leaveFile(); // its last line may be torn
    }
  }

  #write(event: ActivityEvent): void {
    const { line, hash } = auditLine(event, this.#hash);
    const octets = Buffer.from(line, 'utf8');
    if (this.#descriptor === null || this.#size + octets.length > FILE_LIMIT) this.#open();
    // On a disk that is nearly full a part is written without an error; the error comes with the rest.
    for (let written = 0; written < octets.length;) written += writeSync(this.#descriptor!, octets, written);
    this.#size += octets.length;
    this.#hash = hash;
    this.#rows += 1;
    if (SYNCED.has(event.kind)) this.sync();
    else this.#syncTimer ??= setTimeout(() => this.sync(), GROUP_MS).unref();
  }

  /** Reads what this run has written and checks that each line chains to the one before. */
  async verify(): Promise<AuditState> {
    const state = { rows: this.#rows, hash: this.#rows === 0 ? null : this.#hash };
    const wanted = this.#rows;
    let hash = this.#before;
    let row = 0;
    for (const { file, start } of this.#files) {
      const octets = await readFile(file).catch(() => Buffer.alloc(0));
      const text = octets.subarray(start).toString('utf8');
      for (const line of text.split('\n').slice(0, -1)) {
        if (row === wanted) break; // written since
        row += 1;
        const next = verifyLine(line, hash);
        if (next === null) return { ...state, problem: `The audit chain is broken from row ${row} of this run.` };
        hash = next;
        if (row % BREATH === 0) await setImmediate();
      }
    }
    const missing = row < wanted ? `The audit chain is broken: rows of it are gone (${wanted - row}).` : null;
    return { ...state, problem: this.#failure ?? missing ?? this.problem };
  }

  /** Everything written so far survives a loss of power when this returns. */
  sync(): void {
    if (this.#syncTimer) clearTimeout(this.#syncTimer);
    this.#syncTimer = null;
    if (this.#descriptor !== null) fsyncSync(this.#descriptor);
  }

  #leaveFile(): void {
    try {
      this.close();
    } catch {
      this.#descriptor = null;
    }
  }

  close(): void {
    this.sync();
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  #open(): void {
    this.close();
    const start = new Date().toISOString().replace(/[-:]/g, '').replace(/\.\d+/, '');
    const part = this.#part++ === 0 ? '' : `-${this.#part}`;
    const file = path.join(this.#folder, `${start}-${process.pid}${part}.jsonl`);
    this.#descriptor = openSync(file, 'a', 0o600);
    this.#files.push({ file, start: fstatSync(this.#descriptor).size });
    this.#size = 0;
  }
}

/** The hash to chain to: that of the newest file's last whole line. A torn last line is cut off; a broken chain is told. */
function continueFrom(folder: string): { hash: string; problem: string | null } {
  const newest = filesOf(folder)
    .filter((name) => !isLive(name))
    .at(-1);
  if (!newest) return { hash: GENESIS, problem: null };
  const file = path.join(folder, newest);
  const text = readFileSync(file, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole.length < text.length) truncateSync(file, Buffer.byteLength(whole));
  let hash = /^\{"previous":"([0-9a-f]{64})"/.exec(whole)?.[1] ?? GENESIS;
  for (const [row, line] of whole.split('\n').slice(0, -1).entries()) {
    const next = verifyLine(line, hash);
    if (next === null) return { hash: GENESIS, problem: `The audit chain is broken in ${file} from row ${row + 1}.` };
    hash = next;
  }
  return { hash, problem: null };
}

function filesOf(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => /^\d{8}T\d{6}Z-\d+(-\d+)?\.jsonl$/.test(name))
    .toSorted();
}

/** A file of another process that still runs belongs to that process. */
function isLive(name: string): boolean {
  const pid = Number(/Z-(\d+)/.exec(name)?.[1]);
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function removeOld(folder: string, keepDays: number): void {
  const oldest = new Date(Date.now() - keepDays * 24 * 3600 * 1000).toISOString().slice(0, 10).replaceAll('-', '');
  for (const name of filesOf(folder)) if (name.slice(0, 8) < oldest) rmSync(path.join(folder, name), { force: true });
}
