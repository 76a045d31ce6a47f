import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readHeldFile, writeHeldFile } from './held-files.ts';

let work: string;
let root: string;
let outside: string;
beforeEach(() => {
  work = mkdtempSync(path.join(tmpdir(), 'held-'));
  root = path.join(work, 'root');
  outside = path.join(work, 'outside');
  mkdirSync(root);
  mkdirSync(outside);
  writeFileSync(path.join(outside, 'profile'), 'mine');
});
afterEach(() => rmSync(work, { recursive: true, force: true }));

const inRoot = (name: string): string => path.join(root, name);

describe('a file where confined code can write', () => {
  it('Is written with its folders, readable by the person only, and read again [issue 33.2, 34.1]', async () => {
    await writeHeldFile(root, 'a/b/file', 'text');
    await writeHeldFile(root, 'a/b/file', 'other text');
    expect(await readHeldFile(root, 'a/b/file', 100)).toBe('other text');
    expect(statSync(inRoot('a/b/file')).mode & 0o777).toBe(0o600);
    expect(statSync(inRoot('a')).mode & 0o777).toBe(0o700);
    expect(readdirSync(inRoot('a/b'))).toEqual(['file']);
    expect(await readHeldFile(root, 'a/none', 100)).toBe(null);
    expect(await readHeldFile(root, 'none/none', 100)).toBe(null);
  });

  it('A link of its name is replaced when it is written, and not followed when it is read [issue 33.2, 34.1]', async () => {
    symlinkSync(path.join(outside, 'profile'), inRoot('file'));
    await expect(readHeldFile(root, 'file', 100)).rejects.toThrow(
      `${inRoot('file')} is not a regular file, so it is neither read nor written.`,
    );
    await writeHeldFile(root, 'file', 'text');
    expect(lstatSync(inRoot('file')).isFile()).toBe(true);
    symlinkSync(path.join(outside, 'made'), inRoot('dangling'));
    await writeHeldFile(root, 'dangling', 'text');
    expect([readFileSync(path.join(outside, 'profile'), 'utf8'), readdirSync(outside)]).toEqual(['mine', ['profile']]);
  });

  it('A link in the place of one of its folders is refused, and nothing is written [issue 33.2, 34.1]', async () => {
    symlinkSync(outside, inRoot('linked'));
    mkdirSync(inRoot('real'));
    symlinkSync('../../outside', inRoot('real/linked'));
    writeFileSync(inRoot('plain'), '');
    for (const name of ['linked/profile', 'linked/deep/new', 'real/linked/profile', 'plain/new']) {
      await expect(writeHeldFile(root, name, 'text')).rejects.toThrow('is a link or a file where a folder is expected');
      await expect(readHeldFile(root, name, 100)).rejects.toThrow('is a link or a file where a folder is expected');
    }
    expect([readFileSync(path.join(outside, 'profile'), 'utf8'), readdirSync(outside)]).toEqual(['mine', ['profile']]);
  });

  it('A pipe, a device or a socket is neither waited for nor opened, and is replaced when it is written [issue 33.2, 34.1]', async () => {
    execFileSync('mkfifo', [inRoot('pipe'), inRoot('folder-pipe')]);
    await expect(readHeldFile(root, 'pipe', 100)).rejects.toThrow('is not a regular file');
    await writeHeldFile(root, 'pipe', 'text');
    expect(await readHeldFile(root, 'pipe', 100)).toBe('text');
    await expect(writeHeldFile(root, 'folder-pipe/file', 'text')).rejects.toThrow('where a folder is expected');
    mkdirSync(inRoot('folder'));
    await expect(readHeldFile(root, 'folder', 100)).rejects.toThrow('EISDIR');
    await expect(writeHeldFile(root, 'folder', 'text')).rejects.toThrow(
      'is a folder where a file is expected. Delete it',
    );
    expect(readdirSync(root).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('Of more than it may have nothing is read [issue 34.1]', async () => {
    writeFileSync(inRoot('file'), 'x'.repeat(101));
    await expect(readHeldFile(root, 'file', 100)).rejects.toThrow('has 101 bytes; at most 100 can be read');
    expect(await readHeldFile(root, 'file', 101)).toHaveLength(101);
  });

  it('A name that leads out of the folder is a mistake of the program [issue 34.1]', async () => {
    for (const name of ['../outside/profile', 'a/../../outside/profile', path.join(outside, 'profile')])
      await expect(writeHeldFile(root, name, 'text')).rejects.toThrow('is not the name of a file in a folder');
    expect(readFileSync(path.join(outside, 'profile'), 'utf8')).toBe('mine');
  });

  it('A folder that is exchanged for a link again and again while its file is read leads nowhere [issue 33.2, 34.1]', async () => {
    mkdirSync(inRoot('folder'));
    writeFileSync(inRoot('folder/profile'), 'inner');
    symlinkSync(outside, inRoot('link'));
    const swapper = new Worker(
      `const { renameSync } = require('node:fs');
       const { workerData: root } = require('node:worker_threads');
       for (;;) {
         renameSync(root + '/folder', root + '/aside');
         renameSync(root + '/link', root + '/folder');
         renameSync(root + '/folder', root + '/link');
         renameSync(root + '/aside', root + '/folder');
       }`,
      { eval: true, workerData: root },
    );
    const read: Record<string, number> = {};
    try {
      for (let count = 0; count < 10_000; count += 1) {
        const what = (await readHeldFile(root, 'folder/profile', 100).catch(() => 'refused')) ?? 'none';
        read[what] = (read[what] ?? 0) + 1;
      }
    } finally {
      await swapper.terminate();
    }
    // The folder was swapped while files were read, but the file with the same name outside the folder was never read.
    expect(Object.keys(read).length).toBeGreaterThan(1);
    expect(read).not.toHaveProperty('mine');
  });
});
