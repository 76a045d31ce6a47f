/** Reads the entries of a zip archive. */
import { PassThrough, pipeline } from 'node:stream';
import { crc32 } from 'node:zlib';
import type { Entry } from 'yauzl';
import { messageOf, WorkbenchError } from '#core/base/error.ts';
import type { ArchiveEntry } from '#core/downloads/unpacked-folder.ts';

/**
 * The code for Unix in a zip entry, which identifies the system on which the entry was created. The constants after it are the file types
 * in a Unix mode.
 */
const UNIX = 3;
const TYPES = { mask: 0o170000, file: 0o100000, folder: 0o040000, link: 0o120000 };
/** The maximum length of a link's target, in octets. */
const LONGEST_TARGET = 4_096;

/**
 * Calls `take` for each entry, one after the other. @throws WorkbenchError for a damaged archive, and for entries other than files, folders
 * and links.
 */
export async function readZip(file: string, take: (entry: ArchiveEntry) => Promise<void>): Promise<void> {
  const { openPromise } = await import('yauzl');
  const archive = await openPromise(file, { autoClose: false }).catch((error: unknown) => {
    throw damaged(error);
  });
  try {
    for await (const entry of read(archive.eachEntry())) {
      const { name, kind } = kindOf(entry);
      if (kind === 'folder') {
        await take({ kind, name });
        continue;
      }
      const stream = await archive.openReadStreamPromise(entry).catch((error: unknown) => {
        throw damaged(error);
      });
      // A stream of yauzl may fail before it is read, and then never ends. The pipeline passes that error to the reader.
      const passed = pipeline(stream, new PassThrough(), () => {});
      const content = read<Uint8Array>(passed);
      try {
        if (kind === 'file')
          await take({ kind, name, isExecutable: (modeOf(entry) & 0o111) !== 0, content: checked(content, entry) });
        else await take({ kind, name, target: await shortText(checked(content, entry), name) });
      } finally {
        passed.destroy();
      }
    }
  } finally {
    archive.close();
  }
}

/** Yields the data of the source. A read error is reported as a damaged archive. */
async function* read<Each>(source: AsyncIterable<Each>): AsyncGenerator<Each> {
  try {
    yield* source;
  } catch (error) {
    throw damaged(error);
  }
}

/** Yields the content of an entry, and compares its checksum at the end. */
async function* checked(content: AsyncIterable<Uint8Array>, { crc32: wanted }: Entry): AsyncGenerator<Uint8Array> {
  let sum = 0;
  for await (const chunk of content) {
    sum = crc32(chunk, sum);
    yield chunk;
  }
  if (sum !== wanted) throw damaged('a checksum differs');
}

function damaged(error: unknown): WorkbenchError {
  const words = messageOf(error);
  if (/^(?:invalid relative path|absolute path|invalid characters in fileName)/.test(words))
    return new WorkbenchError(
      'refused',
      `The archive has an entry that leads out of its folder (${words}), so it was not unpacked.`,
    );
  return new WorkbenchError('refused', `The archive is damaged (${words}). Try again later.`);
}

function modeOf({ versionMadeBy, externalFileAttributes }: Entry): number {
  return versionMadeBy >>> 8 === UNIX ? externalFileAttributes >>> 16 : 0;
}

function kindOf(entry: Entry): { readonly name: string; readonly kind: 'file' | 'folder' | 'symbolic link' } {
  const name = entry.fileName;
  const type = modeOf(entry) & TYPES.mask;
  if (type === TYPES.link) return { name, kind: 'symbolic link' };
  if (name.endsWith('/') || type === TYPES.folder) return { name, kind: 'folder' };
  if (type === 0 || type === TYPES.file) return { name, kind: 'file' };
  throw unusual(name);
}

async function shortText(content: AsyncIterable<Uint8Array>, name: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.byteLength;
    if (size > LONGEST_TARGET) throw unusual(name);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function unusual(name: string): WorkbenchError {
  return new WorkbenchError(
    'refused',
    `The archive has an entry that is not a file, a folder or a link, ${JSON.stringify(name.slice(0, 200))}, so it was not unpacked.`,
  );
}
