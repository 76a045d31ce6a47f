/** The files of the audit: lists their names in order, detects which of them belong to running processes, and reads them in pieces. */
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';

const NAME = /^(\d{8}T\d{6}Z)-(\d+)(?:-(\d+))?\.jsonl$/;
/** The number of bytes to read at once. Reading this many takes about a millisecond, which does not block other work. */
const PIECE = 32 * 1024;
const TAIL = 64 * 1024;
/**
 * The maximum length of a line in octets. A longer line would not fit into a string; it means that the file is damaged, because no row is
 * that long.
 */
const LONGEST_LINE = 128 * 1024 * 1024;

/** Returns true if a name is the name of an audit file. */
export function isAuditName(name: string): boolean {
  return NAME.test(name);
}

/** Returns the names of the audit files, oldest first; the files of one process are ordered by their number. */
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

/**
 * Returns a mark that distinguishes a process from a later one with the same id. The mark is the start time of the process, if the system
 * reports it.
 */
export function processMark(pid = process.pid): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return `${pid}:${text.slice(text.lastIndexOf(')') + 2).split(' ')[19]}`;
  } catch {
    return `${pid}`;
  }
}

/**
 * Returns true if the process that writes this file is still running and is not this process. `mark` is the mark that the process stored in
 * the anchor; null if there is none.
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

/**
 * Returns the last complete line of a file, and the offset at which the complete lines end. The line is null if there is none, or if it is
 * longer than any row can be.
 */
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
 * Yields the complete lines of a file without their line feeds. Reads a file of any size in pieces, and awaits `pause` after each. If a
 * line is longer than any row can be, yields only its beginning.
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
