import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FolderChange, FolderWatch } from './folder-watch.ts';

describe('watching a folder', () => {
  let folder: string;
  let changes: FolderChange[];
  let watch: FolderWatch;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'watched-')));
    await mkdir(path.join(folder, '.git'));
    await mkdir(path.join(folder, 'src'));
    await writeFile(path.join(folder, 'src', 'a.lisp'), '1');
    changes = [];
    watch = new FolderWatch((change) => changes.push(change));
    await watch.follow(folder);
  });
  afterEach(async () => {
    await watch.close();
    await rm(folder, { recursive: true, force: true });
  });
  const told = (): string[] =>
    [...new Set(changes.flatMap(({ paths }) => paths))].map((file) => path.relative(folder, file));
  const listing = (): boolean => changes.some((change) => change.listing);

  it('A file that is written again is told, and the list of files is said to be the same', async () => {
    await writeFile(path.join(folder, 'src', 'a.lisp'), '22');
    await expect.poll(told).toEqual([path.join('src', 'a.lisp')]);
    expect(listing()).toBe(false);
  });

  it('Files that are made, renamed or removed change the list', async () => {
    await writeFile(path.join(folder, 'b.lisp'), '1');
    await expect.poll(told).toContain('b.lisp');
    expect(listing()).toBe(true);
    await rename(path.join(folder, 'b.lisp'), path.join(folder, 'c.lisp'));
    await expect.poll(told).toContain('c.lisp');
  });

  it('What tools write into their own folders is nobody’s change', async () => {
    await writeFile(path.join(folder, '.git', 'index'), '1');
    await writeFile(path.join(folder, 'src', 'a.lisp'), '333');
    await expect.poll(told).toEqual([path.join('src', 'a.lisp')]);
  });
});
