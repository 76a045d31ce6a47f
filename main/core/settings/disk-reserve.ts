/**
 * Disk space that is reserved beside a file whose changes must survive a full disk: a revoked client must stay revoked. The reserve has two
 * slots, which are overwritten alternately and in place, so that no new blocks are needed. Each slot has a digest of its text, so that a
 * partially written slot is detected, and a digest of the file content that it supersedes.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { z } from 'zod';

const HEADER = 512;
const LEAST_SLOT = 64 * 1024;

const header = z.object({
  sequence: z.int().positive(),
  length: z.int().nonnegative(),
  digest: z.string(),
  /** Digest of the file's content at the time when it could not be written. */
  base: z.string(),
});

export class Reserve {
  readonly #file: string;
  #sequence = 0;
  #held = false;

  constructor(beside: string) {
    this.#file = `${beside}.reserve`;
  }

  /** Reserves space for texts of this many octets, and the same space again for growth. Returns false if the disk is full. */
  prepare(octets: number): boolean {
    const slot = Math.max(LEAST_SLOT, 2 ** Math.ceil(Math.log2((octets + HEADER) * 2)));
    try {
      if (existsSync(this.#file) && readFileSync(this.#file).length >= slot * 2) return true;
      if (this.#held) return false; // its text is still needed
      writeFileSync(this.#file, Buffer.alloc(slot * 2, ' '), { mode: 0o600 });
      return true;
    } catch {
      rmSync(this.#file, { force: true });
      return false;
    }
  }

  /** Returns the newest text that supersedes a file with this digest; null if there is none. */
  read(base: string): string | null {
    let octets: Buffer;
    try {
      octets = readFileSync(this.#file);
    } catch {
      return null;
    }
    const half = octets.length / 2;
    const texts = [octets.subarray(0, half), octets.subarray(half)].flatMap((slot) => slotOf(slot) ?? []);
    for (const { sequence } of texts) this.#sequence = Math.max(this.#sequence, sequence);
    const newest = texts.toSorted((one, other) => other.sequence - one.sequence)[0];
    this.#held = newest?.base === base;
    return this.#held ? newest!.text : null;
  }

  /** Stores a text that could not be written to the file. Returns false if that fails too. */
  hold(text: string, base: string): boolean {
    const octets = Buffer.from(text, 'utf8');
    let descriptor: number | null = null;
    try {
      descriptor = openSync(this.#file, 'r+');
      const slot = fstatSync(descriptor).size / 2;
      if (octets.length + HEADER > slot) return false;
      const sequence = (this.#sequence += 1);
      const start = (sequence % 2) * slot;
      const digest = digestOf(octets);
      write(descriptor, octets, start + HEADER);
      const head = JSON.stringify({ sequence, length: octets.length, digest, base } satisfies z.infer<typeof header>);
      write(descriptor, Buffer.from(head.padEnd(HEADER)), start);
      fsyncSync(descriptor);
      this.#held = true;
      return true;
    } catch {
      return false;
    } finally {
      if (descriptor !== null) closeSync(descriptor);
    }
  }

  /** Clears the stored text, because the file has been written. */
  release(): void {
    if (!this.#held) return;
    try {
      const descriptor = openSync(this.#file, 'r+');
      try {
        const slot = fstatSync(descriptor).size / 2;
        for (const start of [0, slot]) write(descriptor, Buffer.alloc(HEADER, ' '), start);
      } finally {
        closeSync(descriptor);
      }
      this.#held = false;
    } catch {
      // the text replaces content that the file no longer has
    }
  }
}

function write(descriptor: number, octets: Buffer, start: number): void {
  for (let written = 0; written < octets.length;)
    written += writeSync(descriptor, octets, written, octets.length - written, start + written);
}

function slotOf(slot: Buffer): { sequence: number; base: string; text: string } | null {
  try {
    const { sequence, length, digest, base } = header.parse(JSON.parse(slot.subarray(0, HEADER).toString('utf8')));
    const octets = slot.subarray(HEADER, HEADER + length);
    return digestOf(octets) === digest ? { sequence, base, text: octets.toString('utf8') } : null;
  } catch {
    return null;
  }
}

/** Returns the digest of a file's content; a missing file counts as empty. */
export function digestOf(octets: Buffer): string {
  return createHash('sha256').update(octets).digest('hex');
}
