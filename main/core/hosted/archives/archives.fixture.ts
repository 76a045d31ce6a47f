/** Archives for tests, with entries that no packing program would create, and a server on loopback that sends them. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { Header } from 'tar';

/** The types of entries in a tar archive. */
type TarType = 'File' | 'Directory' | 'SymbolicLink' | 'Link' | 'CharacterDevice' | 'FIFO';

export interface PackedEntry {
  readonly path: string;
  readonly type?: TarType;
  readonly mode?: number;
  readonly text?: string;
  /** The target of the entry, if it is a link. */
  readonly target?: string;
}

/** Returns a tar archive. */
export function tarOf(entries: readonly PackedEntry[]): Buffer {
  const blocks = entries.flatMap(({ path, type = 'File', mode = 0o644, text = '', target }) => {
    const content = Buffer.from(text);
    const header = new Header({ path, type, mode, size: content.length, ...(target ? { linkpath: target } : {}) });
    const block = Buffer.alloc(512);
    header.encode(block, 0);
    return [block, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

/** Returns a compressed tar archive. */
export function tarGzOf(entries: readonly PackedEntry[]): Buffer {
  return gzipSync(tarOf(entries));
}

const TYPES: Readonly<Record<TarType, number>> = {
  File: 0o100000,
  Directory: 0o040000,
  SymbolicLink: 0o120000,
  Link: 0,
  CharacterDevice: 0o020000,
  FIFO: 0o010000,
};

/**
 * Returns a zip archive as created on Unix or, if `isUnix` is false, as on Windows, without file modes. With `isStored`, it is
 * uncompressed.
 */
export function zipOf(entries: readonly PackedEntry[], { isUnix = true, isStored = false } = {}): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { path, type = 'File', mode = 0o644, text = '', target } of entries) {
    const name = Buffer.from(path);
    const plain = Buffer.from(target ?? text);
    const packed = isStored ? plain : deflateRawSync(plain);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(0x800, 2); // names are encoded in UTF-8
    shared.writeUInt16LE(isStored ? 0 : 8, 4);
    shared.writeUInt32LE(crc32(plain), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(plain.length, 18);
    shared.writeUInt16LE(name.length, 22);
    const end = Buffer.alloc(14);
    if (isUnix) end.writeUInt32LE(((TYPES[type] | mode) * 0x10000) >>> 0, 6);
    end.writeUInt32LE(offset, 10);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), shared, name, packed]);
    directory.push(Buffer.from('PK\u0001\u0002'), Buffer.from([20, isUnix ? 3 : 0]), shared, end, name);
    locals.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const last = Buffer.alloc(18);
  last.writeUInt16LE(entries.length, 4);
  last.writeUInt16LE(entries.length, 6);
  last.writeUInt32LE(list.length, 8);
  last.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, list, Buffer.from('PK\u0005\u0006'), last]);
}

export interface ArchiveServer extends AsyncDisposable {
  readonly address: string;
  /** The function that answers all requests; a test can replace it. */
  answer: RequestListener;
  /** Makes the server answer with these octets from now on. */
  sends(octets: Uint8Array): void;
}

export async function serveArchives(): Promise<ArchiveServer> {
  const server: Server = createServer((request, response) => served.answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const served: ArchiveServer = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/agent`,
    answer: (_request, response) => void response.writeHead(404).end(),
    sends: (octets) =>
      void (served.answer = (_request, response) =>
        void response.writeHead(200, { 'content-length': octets.length }).end(octets)),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return served;
}
