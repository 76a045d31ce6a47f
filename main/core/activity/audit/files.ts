/** The files of the audit: their names in order, which of them belong to running processes, and reading them in pieces. */
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';

const NAME = /^(\d{8}T\d{6}Z)-(\d+)(?:-(\d+))?\.jsonl$/;
/** Bytes that are read at once: about a millisecond of work, so that nobody waits for it. */
const PIECE = 32 * 1024;
const TAIL = 64 * 1024;
/** Octets of a line. No row is as long; what is longer fits in no string, and is a damaged file. */
const LONGEST_LINE = 128 * 1024 * 1024;

/** True when a name is that of a file of the audit. */
export function isAuditName(name: string): boolean {
  return NAME.test(name);
}

/** Names of the files of the audit, oldest first; the parts of one process by their number. */
export function auditNames(folder: string): string[] {
  return inOrder(readdirSync(folder).filter(isAuditName));
}

export function inOrder(names: Iterable<string>): string[] {
  return [...names]
    .map((name) => ({ name, ...keyOf(name) }))
    .toSorted((a, b) => (a.start === b.start ? a.pid - b.pid || a.part - b.part : a.start < b.start ? -1 : 1))
    .map(({ name }) => name);
}

function keyOf(name: string): { start: string; pid: number; part: number } {
  const [, start = '', pid = '0', part = '1'] = NAME.exec(name) ?? [];
  return { start, pid: Number(pid), part: Number(part) };
}

/** Tells a process from another that has its number later: where the system says when it began, by that. */
export function processMark(pid = process.pid): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return `${pid}:${text.slice(text.lastIndexOf(')') + 2).split(' ')[19]}`;
  } catch {
    return `${pid}`;
  }
}

/**
 * True when the process that writes this file still runs, and is another one. `mark` is the mark that it left in the file, if it
 * did.
 */
export function isLive(name: string, mark: string | null): boolean {
  const { pid } = keyOf(name);
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return mark === null || mark === processMark(pid);
}

/** The last whole line of a file, and up to where whole lines go; null for a file without any, or whose last is no row. */
export function tailOf(file: string): { line: string | null; end: number; size: number } {
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    for (let length = TAIL; ; length *= 4) {
      const start = Math.max(0, size - length);
      const octets = Buffer.alloc(size - start);
      for (let read = 0; read < octets.length;) {
        const got = readSync(descriptor, octets, read, octets.length - read, start + read);
        if (got === 0) break;
        read += got;
      }
      const end = octets.lastIndexOf(10);
      const begin = end < 0 ? -1 : octets.subarray(0, end).lastIndexOf(10);
      if (begin < 0 && start > 0) {
        if (length < LONGEST_LINE) continue;
        return { line: null, end: size, size };
      }
      if (end < 0) return { line: null, end: 0, size };
      return { line: octets.subarray(begin + 1, end).toString('utf8'), end: start + end + 1, size };
    }
  } finally {
    closeSync(descriptor);
  }
}

/**
 * The whole lines of a file, without their line feeds; a torn last one is left out. Reads in pieces, however big the file is,
 * and waits for `pause` after each. Of a line that is too long for a row only the beginning comes.
 */
export async function* linesOf(file: string, pause: () => Promise<void>): AsyncGenerator<string> {
  const handle = await open(file, 'r');
  try {
    let held: Buffer[] = [];
    let length = 0;
    const piece = Buffer.alloc(PIECE);
    const hold = (octets: Buffer): void => {
      length += octets.length;
      if (length <= LONGEST_LINE) held.push(octets);
      else held = held.slice(0, 1);
    };
    for (let at = 0; ;) {
      const { bytesRead } = await handle.read(piece, 0, PIECE, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      let from = 0;
      for (let end = piece.indexOf(10); end >= 0 && end < bytesRead; end = piece.indexOf(10, from)) {
        hold(piece.subarray(from, end));
        yield Buffer.concat(held).toString('utf8');
        held = [];
        length = 0;
        from = end + 1;
      }
      if (from < bytesRead) hold(Buffer.from(piece.subarray(from, bytesRead)));
      await pause();
    }
  } finally {
    await handle.close();
  }
}
