/** Reads the entries of a tar archive, uncompressed or compressed with gzip. */
import type { Readable } from 'node:stream';
import type { ReadEntry } from 'tar';
import { WorkbenchError } from '#core/base/error.ts';
import type { ArchiveEntry } from './unpacked-folder.ts';

/**
 * Calls `take` for each entry, one after the other. @throws WorkbenchError for a damaged archive, and for entries other than files, folders
 * and links.
 */
export async function readTar(source: Readable, take: (entry: ArchiveEntry) => Promise<void>): Promise<void> {
  const { Parser } = await import('tar');
  const parser = new Parser({ strict: true });
  let taking = Promise.resolve();
  try {
    await new Promise<void>((resolve, reject) => {
      const next = (entry: ReadEntry): void => {
        taking = taking.then(async () => {
          await take(entryOf(entry));
          entry.resume();
        });
        taking.catch(reject);
      };
      parser.on('entry', next);
      parser.on('ignoredEntry', (entry: ReadEntry) => reject(unusual(entry)));
      parser.on('error', (error: Error) => reject(damaged(error)));
      parser.on('end', resolve);
      source.on('error', reject);
      source.pipe(parser);
    });
    await taking;
  } finally {
    source.destroy();
  }
}

/** Types of file entries. All except the first occur only in very old archives. */
const FILES: readonly string[] = ['File', 'OldFile', 'ContiguousFile'];

function entryOf(entry: ReadEntry): ArchiveEntry {
  const { path: name, linkpath: target = '', mode = 0, type } = entry;
  if (FILES.includes(type)) return { kind: 'file', name, isExecutable: (mode & 0o111) !== 0, content: entry };
  if (type === 'Directory') return { kind: 'folder', name };
  if (type === 'SymbolicLink') return { kind: 'symbolic link', name, target };
  if (type === 'Link') return { kind: 'hard link', name, target };
  throw unusual(entry);
}

function unusual({ path: name, type }: ReadEntry): WorkbenchError {
  return new WorkbenchError(
    'refused',
    `The archive has an entry that is not a file, a folder or a link, ${JSON.stringify(name.slice(0, 200))} (${type}), so it was not unpacked.`,
  );
}

function damaged({ message }: Error): WorkbenchError {
  return new WorkbenchError('refused', `The archive is damaged (${message}). Try again later.`);
}
