/** Text files on disk: read with their digest, written atomically with their mode kept. */
import { createHash } from 'node:crypto';
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomic } from '#core/base/atomic-write.ts';
import { systemCode, WorkbenchError } from '#core/base/error.ts';
import { readCanonicalFile, readRegularFile } from '#core/base/held-files.ts';
import { readable } from '../project.ts';

/** Larger files are refused: neither the editor nor a diff serves anybody there. */
export const LARGEST_TEXT = 10 * 1024 * 1024;

export interface TextFile {
  readonly text: string;
  readonly bytes: number;
  /** SHA-256 of the bytes. */
  readonly digest: string;
  /** The bytes were no valid UTF-8, so `text` is not all that the file holds. */
  readonly lossy: boolean;
}

/** Reads a file of the project by its canonical path, as `Project.locate` tells it. @throws WorkbenchError `system`, `refused` or `too-large`. */
export async function readText(file: string): Promise<TextFile> {
  return textOf(await readProjectFile(file, LARGEST_TEXT));
}

/** Reads the bytes of a file of the project by its canonical path. @throws as `readText`, `too-large` where there are more than `most`. */
export function readProjectFile(file: string, most: number): Promise<Buffer> {
  return inWords(file, () => readCanonicalFile(file, most));
}

/** The bytes of a file that the person names. @throws WorkbenchError `system`, `refused`, or `too-large` where there are more than `most`. */
export function readBytes(file: string, most: number): Promise<Buffer> {
  return inWords(file, () => readRegularFile(file, most));
}

async function inWords<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof WorkbenchError ? error : readable(error, file);
  }
}

/** Reads a text that anybody may have named, also through links. @throws as `readText`. */
export async function readAnyText(file: string): Promise<TextFile> {
  return textOf(await readBytes(file, LARGEST_TEXT));
}

/** Reads as `readText` does. Resolves with null where there is no such file. */
export async function readTextIfAny(file: string): Promise<TextFile | null> {
  try {
    return await readText(file);
  } catch (error) {
    if (error instanceof WorkbenchError && systemCode(error.cause) === 'ENOENT') return null;
    throw error;
  }
}

/** Writes exactly these bytes; folders on the way are made. The mode of a file that exists is kept. */
export async function writeBytes(file: string, bytes: Buffer): Promise<{ bytes: number; digest: string }> {
  try {
    await checkWritable(file);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFileAtomic(file, bytes, { keepLinks: true });
  } catch (error) {
    throw error instanceof WorkbenchError ? error : readable(error, file);
  }
  return { bytes: bytes.length, digest: digestOf(bytes) };
}

/** The rename of an atomic write would replace a file that its owner has protected. @throws WorkbenchError `system` for one. */
export async function checkWritable(file: string): Promise<void> {
  const mode = (await stat(file).catch(() => null))?.mode;
  if (mode !== undefined && (mode & 0o222) === 0)
    throw new WorkbenchError('system', `${file} is read-only. Make it writable, or write to another file.`);
}

function textOf(bytes: Buffer): TextFile {
  return { ...decode(bytes), bytes: bytes.length, digest: digestOf(bytes) };
}

function decode(bytes: Buffer): { text: string; lossy: boolean } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), lossy: false };
  } catch {
    return { text: bytes.toString('utf8'), lossy: true };
  }
}

export function digestOf(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
