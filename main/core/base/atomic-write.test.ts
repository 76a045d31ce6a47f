import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  linkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeFileAtomic } from './atomic-write.ts';
import { mountSmallDisk } from '../settings/small-disk.fixture.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'atomic-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('atomic writes', () => {
  it('A disk that takes only the beginning of a write leaves the file as it was, and the write fails [K2]', async () => {
    const disk = mountSmallDisk(2);
    try {
      const file = path.join(disk.folder, 'kept.lisp');
      writeFileSync(file, '(defun kept () 1)\n');
      await expect(writeFileAtomic(file, '; long\n'.repeat(500_000))).rejects.toMatchObject({ code: 'ENOSPC' });
      expect(readFileSync(file, 'utf8')).toBe('(defun kept () 1)\n');
      expect(readdirSync(disk.folder)).toEqual(['kept.lisp']);
      await writeFileAtomic(file, '(defun kept () 2)\n');
      expect(readFileSync(file, 'utf8')).toBe('(defun kept () 2)\n');
    } finally {
      disk.unmount();
    }
  });

  it('The mode of a file is kept unless one is given, and a link stays one', async () => {
    const file = path.join(folder, 'script.lisp');
    const link = path.join(folder, 'link.lisp');
    writeFileSync(file, 'one');
    chmodSync(file, 0o751);
    symlinkSync(file, link);
    await writeFileAtomic(link, 'two');
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['two', 0o751]);
    expect(readdirSync(folder).toSorted()).toEqual(['link.lisp', 'script.lisp']);
    await writeFileAtomic(file, 'three', { mode: 0o600 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('All names of a file have the new text, with its mode [issue 35.1]', async () => {
    const [file, other] = [path.join(folder, 'one.lisp'), path.join(folder, 'other.lisp')];
    writeFileSync(file, 'a longer text');
    chmodSync(file, 0o640);
    linkSync(file, other);
    await writeFileAtomic(file, 'short', { keepLinks: true });
    expect([readFileSync(other, 'utf8'), statSync(file).nlink, statSync(file).mode & 0o777]).toEqual([
      'short',
      2,
      0o640,
    ]);
    await writeFileAtomic(file, 'alone');
    expect([readFileSync(other, 'utf8'), readFileSync(file, 'utf8')]).toEqual(['short', 'alone']);
  });

  it('Writes of one file go one after the other, also to a name of the greatest length', async () => {
    const file = path.join(folder, 'n'.repeat(255));
    await Promise.all(Array.from({ length: 20 }, (_, index) => writeFileAtomic(file, String(index).repeat(1000))));
    expect(readFileSync(file, 'utf8')).toBe('19'.repeat(1000));
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('What cannot be written says why', async () => {
    await expect(writeFileAtomic(path.join(folder, 'none', 'a.lisp'), '')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
