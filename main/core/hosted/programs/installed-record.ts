/** The record of an installation that came as an archive or as a package of Python: its version, and the file that is started. npm's packages have their own. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { readRegularFile } from '#core/base/held-files.ts';

const record = z.object({
  /** The version that the list named when it was installed. */
  version: z.string(),
  /** The name of the program in the folder of the installation. */
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
