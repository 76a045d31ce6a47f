/** Unpacking of real archives, and of hostile archives that no packing program would create. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tarGzOf, tarOf, zipOf, type PackedEntry } from './archives.fixture.ts';
import { unpack, type UnpackRequest } from './unpack.ts';

let root: string;
let folder: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'unpack-')));
  folder = path.join(root, 'inner', 'files');
  mkdirSync(folder, { recursive: true });
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function unpacked(archive: Uint8Array, more: Partial<UnpackRequest> = {}): Promise<void> {
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  const file = path.join(root, 'inner', 'download');
  writeFileSync(file, archive);
  return unpack(file, folder, {
    program: 'dist/agent',
    limits: { entries: 100, octets: 100_000 },
    signal: new AbortController().signal,
    places: { environment: { PATH: '/usr/bin:/bin' }, project: null },
    ...more,
  });
}

/** Returns the names of all entries below the test's folder, except for the unpacked files and the download. */
const outside = (): string[] =>
  execFileSync('find', [path.join(root, 'inner'), root], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((name) => path.relative(root, name))
    .filter((name) => !/^(?:inner(?:\/(?:files|download)(?:$|\/.*))?)?$/.test(name));
const inside = (): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();

const FILES: readonly PackedEntry[] = [
  { path: './', type: 'Directory', mode: 0o777 },
  { path: 'dist/', type: 'Directory' },
  { path: 'dist/agent', text: '#!/bin/sh\necho hello\n', mode: 0o755 },
  { path: 'dist/data/words.txt', text: 'Schöne Wörter' },
  { path: 'dist/latest', type: 'SymbolicLink', target: 'data/words.txt', mode: 0o777 },
];

describe('unpacked archive', () => {
  it.each<[string, Buffer]>([
    ['tar', tarOf(FILES)],
    ['tar with gzip', tarGzOf(FILES)],
    ['zip', zipOf(FILES)],
  ])(
    'The files, folders and links of a %s archive are made, with what can be run [issue 33.2]',
    async (_kind, archive) => {
      await unpacked(archive);
      expect(inside()).toEqual(['dist', 'dist/agent', 'dist/data', 'dist/data/words.txt', 'dist/latest']);
      expect(readFileSync(path.join(folder, 'dist/latest'), 'utf8')).toBe('Schöne Wörter');
      expect(execFileSync(path.join(folder, 'dist/agent'), { encoding: 'utf8' })).toBe('hello\n');
      expect(statSync(path.join(folder, 'dist/data/words.txt')).mode & 0o111).toBe(0);
    },
  );

  it.each(['bzip2', 'xz'])(
    'An archive that the system expands by %s is unpacked by the same rules [issue 33.2]',
    async (tool) => {
      const packed = (entries: readonly PackedEntry[]): Buffer => execFileSync(tool, ['-c'], { input: tarOf(entries) });
      await unpacked(packed(FILES));
      expect(inside()).toContain('dist/data/words.txt');
      await expect(unpacked(packed([{ path: '../x' }]))).rejects.toThrow(/leads out of its folder, "\.\.\/x"/);
      await expect(unpacked(packed(FILES).subarray(0, -20))).rejects.toThrow('The archive is damaged');
      const places = { environment: { PATH: root }, project: null };
      await expect(unpacked(packed(FILES), { places })).rejects.toThrow(
        `The archive is compressed by ${tool}, and "${tool}" is not on the path. Install it, and try again.`,
      );
    },
  );

  it('A zip archive in which an octet of a file differs is damaged, also without a checksum of the whole [issue 33.2]', async () => {
    const archive = zipOf([{ path: 'dist/agent', text: 'print the answer' }], { isStored: true });
    archive[archive.indexOf('answer')] = 'b'.charCodeAt(0);
    await expect(unpacked(archive)).rejects.toThrow('The archive is damaged (a checksum differs). Try again later.');
  });

  it('An archive that GNU tar has made of long names and hard links is unpacked [issue 33.2]', async () => {
    const source = path.join(root, 'inner', 'files-source');
    const long = `${'a'.repeat(90)}/${'b'.repeat(120)}.txt`;
    mkdirSync(path.join(source, path.dirname(long)), { recursive: true });
    writeFileSync(path.join(source, long), 'long');
    execFileSync('ln', [path.join(source, long), path.join(source, 'z-same')]);
    await unpacked(execFileSync('tar', ['-cz', '-C', source, '.']));
    expect([readFileSync(path.join(folder, long), 'utf8'), readFileSync(path.join(folder, 'z-same'), 'utf8')]).toEqual([
      'long',
      'long',
    ]);
  });

  it('A zip archive of Windows, without modes and with its separators, is unpacked [issue 33.2]', async () => {
    await unpacked(zipOf([{ path: String.raw`dist\agent.exe`, text: 'MZ' }], { isUnix: false }));
    expect(inside()).toEqual(['dist', 'dist/agent.exe']);
  });

  it('A download that is the program itself gets its name, and can be run [issue 33.2]', async () => {
    await unpacked(Buffer.from('#!/bin/sh\necho alone\n'));
    expect(execFileSync(path.join(folder, 'dist/agent'), { encoding: 'utf8' })).toBe('alone\n');
  });

  it('The bits of a file that would give it the rights of its owner or group are dropped [issue 33.2]', async () => {
    for (const pack of [tarGzOf, zipOf]) {
      await unpacked(pack([{ path: 'agent', mode: 0o7777 }]));
      expect(statSync(path.join(folder, 'agent')).mode & 0o7777).toBe(0o755 & ~process.umask());
    }
  });

  it.each<[string, readonly PackedEntry[]]>([
    ['a name above its folder', [{ path: '../evil', text: 'x' }]],
    ['a name above its folder in its middle', [{ path: 'a/../../evil', text: 'x' }]],
    ['an absolute name', [{ path: '/tmp/evil-of-lisp-workbench', text: 'x' }]],
    ['a drive of Windows', [{ path: 'C:/evil', text: 'x' }]],
    ['a folder above its folder', [{ path: '../evil/', type: 'Directory' }]],
    ['more folders than any program has', [{ path: `${'a/'.repeat(101)}b`, text: 'x' }]],
    ['a symbolic link to a folder above', [{ path: 'up', type: 'SymbolicLink', target: '../..' }]],
    ['a symbolic link to an absolute place', [{ path: 'etc', type: 'SymbolicLink', target: '/etc' }]],
    ['a symbolic link to nothing', [{ path: 'nothing', type: 'SymbolicLink', target: 'later' }]],
    ['a symbolic link to itself', [{ path: 'loop', type: 'SymbolicLink', target: 'loop' }]],
    [
      'links that lead out only together',
      [
        { path: 'here', type: 'SymbolicLink', target: '.' },
        { path: 'up', type: 'SymbolicLink', target: 'here/..' },
      ],
    ],
    [
      'a file that would be written through a link',
      [
        { path: 'up', type: 'SymbolicLink', target: '../..' },
        { path: 'up/evil', text: 'x' },
      ],
    ],
    [
      'a link in the place of a file',
      [
        { path: 'same', text: 'x' },
        { path: 'same', type: 'SymbolicLink', target: '.' },
      ],
    ],
    [
      'a file twice',
      [
        { path: 'same', text: 'x' },
        { path: 'same', text: 'y' },
      ],
    ],
    [
      'a folder in the place of a file',
      [
        { path: 'same', text: 'x' },
        { path: 'same/below', text: 'y' },
      ],
    ],
  ])(
    'An archive with %s is refused in a sentence, and nothing of it is outside of its folder [issue 33.2]',
    async (_what, entries) => {
      for (const archive of [tarGzOf(entries), zipOf(entries)]) {
        rmSync(folder, { recursive: true });
        mkdirSync(folder);
        await expect(unpacked(archive)).rejects.toThrow(
          /^The archive has (?:an? (?:entry that (?:leads out of its folder|cannot be created)|link that leads out of its folder|link without a target)(?:, "| \((?:invalid relative|absolute) path: ).*\.|more than 100 nested folders, ".*", so it was not unpacked\.$)/,
        );
        expect([outside(), existsSync('/tmp/evil-of-lisp-workbench')]).toEqual([[], false]);
      }
    },
  );

  it.each<[string, readonly PackedEntry[]]>([
    ['to a file outside', [{ path: 'hard', type: 'Link', target: '../download' }]],
    ['to an absolute place', [{ path: 'hard', type: 'Link', target: '/etc/hostname' }]],
    [
      'to a symbolic link',
      [
        { path: 'soft', type: 'SymbolicLink', target: '/etc/hostname' },
        { path: 'hard', type: 'Link', target: 'soft' },
      ],
    ],
  ])('A hard link %s is refused [issue 33.2]', async (_what, entries) => {
    await expect(unpacked(tarGzOf(entries))).rejects.toThrow(/leads out of its folder/);
    expect(existsSync(path.join(folder, 'hard'))).toBe(false);
  });

  it.each<[string, Buffer]>([
    ['a device', tarGzOf([{ path: 'null', type: 'CharacterDevice' }])],
    ['a named pipe', tarGzOf([{ path: 'pipe', type: 'FIFO' }])],
    ['a named pipe in a zip', zipOf([{ path: 'pipe', type: 'FIFO' }])],
  ])('An archive with %s is refused [issue 33.2]', async (_what, archive) => {
    await expect(unpacked(archive)).rejects.toThrow(/an entry that is not a file, a folder or a link, "(?:null|pipe)"/);
    expect(inside()).toEqual([]);
  });

  it.each<[string, Buffer]>([
    ['a page', Buffer.from('<html>Please log in</html>')],
    ['empty', Buffer.alloc(0)],
    ['an archive of another kind', Buffer.from('7z\u00bc\u00af\u0027\u001c')],
  ])('A download that is %s is neither an archive nor a program [issue 33.2]', async (_what, octets) => {
    await expect(unpacked(octets)).rejects.toThrow(/^The downloaded file is neither a supported archive nor a program/);
  });

  it.each<[string, Buffer]>([
    ['cut off', tarGzOf(FILES).subarray(0, -20)],
    ['cut off before it was compressed', gzipSync(tarOf(FILES).subarray(0, 1_800))],
    ['of something else', gzipSync(Buffer.from('only a text'))],
    ['a zip that is cut off', zipOf(FILES).subarray(0, -30)],
    ['a zip with a changed octet', changed(zipOf([{ path: 'a', text: 'x'.repeat(100) }]))],
  ])('An archive that is %s is damaged [issue 33.2]', async (_what, archive) => {
    await expect(unpacked(archive)).rejects.toThrow(/^The archive is damaged \(.+\)\. Try again later\.$/);
  });

  it('An archive of too many entries, or that is unpacked to too much, is refused while it is unpacked [issue 33.2]', async () => {
    const many = Array.from({ length: 101 }, (_, index) => ({ path: `${index}` }));
    const large = [{ path: 'large', text: '0'.repeat(1_000_000) }];
    for (const pack of [tarGzOf, zipOf]) {
      await expect(unpacked(pack(many))).rejects.toThrow('The archive has more than 100 entries.');
      await expect(unpacked(pack(large))).rejects.toThrow('The unpacked archive is larger than 0 MB.');
      expect(lstatSync(path.join(folder, 'large')).size).toBeLessThanOrEqual(100_000);
    }
  });

  it('A cancelled unpacking ends [issue 33.2]', async () => {
    const stop = new AbortController();
    stop.abort();
    await expect(unpacked(tarGzOf(FILES), { signal: stop.signal })).rejects.toThrow(/aborted/);
    expect(inside()).toEqual([]);
  });
});

/** Returns the archive with one octet of its first file inverted. */
function changed(archive: Buffer): Buffer {
  const copy = Buffer.from(archive);
  copy[34] = copy[34]! ^ 0xff;
  return copy;
}
