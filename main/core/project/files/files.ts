/** Text files on disk: read with their digest, written atomically with their mode unchanged. */
import { createHash } from 'node:crypto';
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomic } from '#core/base/atomic-write.ts';
import { systemCode, WorkbenchError } from '#core/base/error.ts';
import { readCanonicalFile, readRegularFile } from '#core/base/held-files.ts';
import { readable } from '../project.ts';

/** The maximum size in bytes; neither the editor nor a diff is useful for larger files. */
export const LARGEST_TEXT = 10 * 1024 * 1024;

export interface TextFile {
  readonly text: string;
  readonly bytes: number;
  /** SHA-256 of the bytes. */
  readonly digest: string;
  /** True if the bytes are not valid UTF-8, so `text` does not represent all the file's content. */
  readonly lossy: boolean;
}

/** Reads a file of the project by its canonical path from `Project.locate`. @throws WorkbenchError `system`, `refused` or `too-large`. */
export async function readText(file: string): Promise<TextFile> {
  return textOf(await readProjectFile(file, LARGEST_TEXT));
}

/** Reads the bytes of a file of the project by its canonical path. @throws as `readText`, and `too-large` if there are more than `most`. */
export function readProjectFile(file: string, most: number): Promise<Buffer> {
  return inWords(file, () => readCanonicalFile(file, most));
}

/**
 * Reads the bytes of a file that the person named. @throws WorkbenchError `system`, `refused`, or `too-large` if there are more than
 * `most`.
 */
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

/** Reads a text file at any path, following links. @throws as `readText`. */
export async function readAnyText(file: string): Promise<TextFile> {
  return textOf(await readBytes(file, LARGEST_TEXT));
}

/** Like `readText`, but resolves with null if there is no such file. */
export async function readTextIfAny(file: string): Promise<TextFile | null> {
  try {
    return await readText(file);
  } catch (error) {
    if (error instanceof WorkbenchError && systemCode(error.cause) === 'ENOENT') return null;
    throw error;
  }
}

/** Writes exactly these bytes and creates missing folders. The mode of an existing file does not change. */
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

/**
 * Verifies that a file is not read-only, because the rename of an atomic write would replace a protected file. @throws WorkbenchError
 * `system` if it is read-only.
 */
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
