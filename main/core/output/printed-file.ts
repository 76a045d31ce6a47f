/**
 * The output of one evaluation on disk, in parts that end at line ends, so that output of any length can be read and searched one part at a
 * time. Writes are asynchronous and in order. Pending text is counted, so that the caller can pause the image.
 */
import { rmSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

interface Part {
  /** The number of octets in the file before this part. The next field is the number of octets in this part. */
  readonly at: number;
  octets: number;
  /** The length of the part in UTF-16 code units. */
  characters: number;
  /** The number of line breaks in the whole text before this part. */
  readonly line: number;
}

export interface PrintedPlace {
  readonly part: number;
  /** The offset from the part's start, in UTF-16 code units. */
  readonly offset: number;
}

export interface PrintedSearch {
  readonly text: string;
  readonly matchCase: boolean;
  readonly backwards: boolean;
  /** The position after which matches start, or before which they start when searching backwards. */
  readonly from: PrintedPlace;
}

/** The number of code units after which a part ends at the next line end. At the next constant's number, it ends even within a line. */
const PART = 512 * 1024;
const LONGEST_PART = 2 * PART;
/** The number of code units that are written together. */
const BATCH = 256 * 1024;

export class PrintedFile {
  readonly #path: string;
  readonly #failed: (error: unknown) => void;
  readonly #parts: Part[] = [{ at: 0, octets: 0, characters: 0, line: 0 }];
  #waiting: string[] = [];
  #waitingLength = 0;
  #lines = 0;
  #file: FileHandle | null = null;
  #writing: Promise<void> = Promise.resolve();
  #busy = false;
  #removed = false;
  readonly #written: () => void;

  /** `written` is called after each write; `failed` is called once if the disk accepts no more data. */
  constructor(path: string, written: () => void, failed: (error: unknown) => void) {
    this.#path = path;
    this.#written = written;
    this.#failed = failed;
  }

  /** The number of code units that are waiting to be written. */
  get pending(): number {
    return this.#waitingLength;
  }

  get characters(): number {
    return this.#parts.reduce((sum, { characters }) => sum + characters, 0);
  }

  get octets(): number {
    const last = this.#parts.at(-1)!;
    return last.at + last.octets;
  }

  get parts(): number {
    return this.#parts.length;
  }

  get lines(): number {
    return this.#lines + 1;
  }

  append(text: string): void {
    if (this.#removed) return;
    let rest = text;
    while (rest !== '') {
      const cut = this.#cutOf(rest);
      this.#add(rest.slice(0, cut));
      rest = rest.slice(cut);
      if (rest !== '') this.#parts.push({ at: this.octets, octets: 0, characters: 0, line: this.#lines });
    }
    if (!this.#busy) this.#writing = this.#write();
  }

  /** Reads a part, or the last part if the index is too high. */
  async part(index: number): Promise<{ text: string; part: number; line: number }> {
    await this.#settled();
    const part = Math.min(index, this.#parts.length - 1);
    const { at, octets, line } = this.#parts[part]!;
    const buffer = Buffer.alloc(octets);
    if (octets > 0) await this.#file?.read(buffer, 0, octets, at);
    return { text: buffer.toString('utf8'), part, line };
  }

  /** Finds the next match after a position, or the last one before it when searching backwards; null if there is none. */
  async search({ text, matchCase, backwards, from }: PrintedSearch): Promise<(PrintedPlace & { line: number }) | null> {
    const folded = (given: string): string => (matchCase ? given : foldCase(given));
    const wanted = folded(text);
    if (wanted === '') return null;
    const step = backwards ? -1 : 1;
    for (let part = Math.min(from.part, this.#parts.length - 1); part >= 0 && part < this.#parts.length; part += step) {
      const { text: own, line } = await this.part(part);
      const all = folded(own);
      const here = part === from.part;
      const offset = backwards
        ? here && from.offset === 0
          ? -1
          : all.lastIndexOf(wanted, here ? from.offset - 1 : all.length)
        : all.indexOf(wanted, here ? from.offset : 0);
      if (offset >= 0) return { part, offset, line: line + count(own, offset) };
    }
    return null;
  }

  /** Deletes the file immediately and permanently. */
  async remove(): Promise<void> {
    this.#removed = true;
    this.#waiting = [];
    this.#waitingLength = 0;
    await this.#writing.catch(() => {});
    await this.#file?.close().catch(() => {});
    this.#file = null;
    rmSync(this.#path, { force: true });
  }

  /** Returns the offset in `text` at which the current part ends; the text's length if the part continues after it. */
  #cutOf(text: string): number {
    const { characters } = this.#parts.at(-1)!;
    if (characters + text.length <= PART) return text.length;
    const eol = text.indexOf('\n', Math.max(0, PART - characters));
    if (eol >= 0 && characters + eol < LONGEST_PART) return eol + 1;
    const room = Math.max(1, LONGEST_PART - characters);
    if (text.length <= room) return text.length;
    const paired = isHighSurrogate(text.charCodeAt(room - 1));
    return paired ? room + 1 : room;
  }

  #add(text: string): void {
    const last = this.#parts.at(-1)!;
    last.octets += Buffer.byteLength(text);
    last.characters += text.length;
    this.#lines += count(text, text.length);
    this.#waiting.push(text);
    this.#waitingLength += text.length;
  }

  async #write(): Promise<void> {
    this.#busy = true;
    try {
      this.#file ??= await open(this.#path, 'wx+', 0o600);
      while (this.#waiting.length > 0 && !this.#removed) {
        const batch = this.#takeBatch();
        await writeAll(this.#file, Buffer.from(batch));
        this.#waitingLength = Math.max(0, this.#waitingLength - batch.length);
        this.#written();
      }
    } catch (error) {
      if (!this.#removed) this.#failed(error);
    } finally {
      this.#busy = false;
    }
  }

  #takeBatch(): string {
    let length = 0;
    let taken = 0;
    while (taken < this.#waiting.length && length < BATCH) length += this.#waiting[taken++]!.length;
    return this.#waiting.splice(0, taken).join('');
  }

  async #settled(): Promise<void> {
    while (this.#busy) await this.#writing;
  }
}

/** Returns the text in lower case with the same length, so that offsets stay valid. */
function foldCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Returns the number of line breaks before an offset. */
function count(text: string, end: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

async function writeAll(file: FileHandle, octets: Buffer): Promise<void> {
  for (let at = 0; at < octets.length;) at += (await file.write(octets, at)).bytesWritten;
}
