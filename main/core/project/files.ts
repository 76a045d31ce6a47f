/** Text files on disk: read with their digest, written atomically with their mode kept. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { systemCode, WorkbenchError } from '#core/error.ts';
import { readable } from './project.ts';

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

/** @throws WorkbenchError `system` or `too-large`. */
export async function readText(file: string): Promise<TextFile> {
  try {
    const found = await stat(file);
    // A pipe or a device could be read for ever, and each such read takes one of the few threads for files.
    if (!found.isFile() && !found.isDirectory())
      throw new WorkbenchError('refused', `${file} is no ordinary file, so it is neither read nor written.`);
    const { size } = found;
    if (size > LARGEST_TEXT)
      throw new WorkbenchError('too-large', `${file} has ${size} bytes; at most ${LARGEST_TEXT} can be read.`);
    const bytes = await readFile(file);
    return { ...decode(bytes), bytes: bytes.length, digest: digestOf(bytes) };
  } catch (error) {
    throw error instanceof WorkbenchError ? error : readable(error, file);
  }
}

/** The file, or null when there is none. */
export async function readTextIfAny(file: string): Promise<TextFile | null> {
  try {
    return await readText(file);
  } catch (error) {
    if (error instanceof WorkbenchError && systemCode(error.cause) === 'ENOENT') return null;
    throw error;
  }
}

/** Writes exactly these characters as UTF-8; folders on the way are made. The mode of a file that exists is kept. */
export async function writeText(file: string, text: string): Promise<{ bytes: number; digest: string }> {
  const bytes = Buffer.from(text, 'utf8');
  try {
    await checkWritable(file);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFileAtomic(file, bytes);
  } catch (error) {
    throw error instanceof WorkbenchError ? error : readable(error, file);
  }
  return { bytes: bytes.length, digest: digestOf(bytes) };
}

/** The rename of an atomic write would replace a file that its owner has protected. @throws WorkbenchError `system` for one. */
export async function checkWritable(file: string): Promise<void> {
  const mode = (await stat(file).catch(() => null))?.mode;
  if (mode !== undefined && (mode & 0o222) === 0) throw new WorkbenchError('system', `${file} is read-only.`);
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
