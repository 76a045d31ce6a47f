/** Takes chosen files out of a zip archive (stored or deflated, no zip64): a bare machine has no unzip. */
import { createReadStream, createWriteStream, mkdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createInflateRaw } from 'node:zlib';

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const DEFLATED = 8;

/**
 * @param {string} archive
 * @param {(name: string) => string | undefined} target where an entry goes, or undefined to leave it
 */
export async function extractZip(archive, target) {
  const file = await open(archive);
  try {
    for (const entry of await directory(file)) {
      const to = entry.name.endsWith('/') ? undefined : target(entry.name);
      if (to === undefined) continue;
      mkdirSync(dirname(to), { recursive: true });
      const header = await bytes(file, entry.offset, 30);
      const start = entry.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
      const source = createReadStream(archive, { start, end: start + entry.size - 1, highWaterMark: 1 << 20 });
      const out = createWriteStream(to, { mode: entry.mode, highWaterMark: 1 << 20 });
      await pipeline(
        entry.method === DEFLATED ? [source, createInflateRaw({ chunkSize: 1 << 20 }), out] : [source, out],
      );
    }
  } finally {
    await file.close();
  }
}

async function directory(file) {
  const { size } = await file.stat();
  const tail = await bytes(file, Math.max(0, size - 66_000), Math.min(size, 66_000));
  const end = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  if (end < 0 || tail.readUInt32LE(end) !== END) throw new Error('This is no zip archive.');
  const entries = await bytes(file, tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12));
  const found = [];
  for (let at = 0; at + 46 <= entries.length && entries.readUInt32LE(at) === ENTRY;) {
    const nameLength = entries.readUInt16LE(at + 28);
    found.push({
      method: entries.readUInt16LE(at + 10),
      size: entries.readUInt32LE(at + 20),
      mode: entries.readUInt16LE(at + 40) & 0o777 || 0o644,
      offset: entries.readUInt32LE(at + 42),
      name: entries.toString('utf8', at + 46, at + 46 + nameLength),
    });
    at += 46 + nameLength + entries.readUInt16LE(at + 30) + entries.readUInt16LE(at + 32);
  }
  return found;
}

async function bytes(file, position, length) {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}
