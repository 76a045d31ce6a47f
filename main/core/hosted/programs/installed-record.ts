/**
 * The record of an installation from an archive or a Python package: its version, and the file to start. npm packages have their own
 * record.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { readRegularFile } from '#core/base/held-files.ts';

const record = z.object({
  /** The version, in the agent list, at the time of the installation. */
  version: z.string(),
  /** The path of the program in the installation folder. */
  program: z.string(),
});

type InstalledRecord = z.infer<typeof record>;

const NAME = 'installed.json';
const MOST_OCTETS = 64 * 1024;

/** Resolves with the record; null if there is none. */
export async function readRecord(folder: string): Promise<InstalledRecord | null> {
  try {
    return record.parse(JSON.parse(String(await readRegularFile(path.join(folder, NAME), MOST_OCTETS))));
  } catch {
    return null;
  }
}

export async function writeRecord(folder: string, installed: InstalledRecord): Promise<void> {
  await writeFile(path.join(folder, NAME), JSON.stringify(installed), { mode: 0o600 });
}
