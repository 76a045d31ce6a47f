import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { fileTree, type FileTree, type TreeLimits } from './file-tree.ts';

describe('the tree of files', () => {
  let root: string;

  beforeAll(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'file-tree-'));
    const files = [
      ...Array.from({ length: 30 }, (_, index) => `big/${String(index).padStart(2, '0')}.txt`),
      'big/deep/inner.lisp',
      'src/shop.lisp',
      'shop.asd',
      'zebra.lisp',
      '.git/config',
    ];
    for (const file of files) {
      await mkdir(path.dirname(path.join(root, file)), { recursive: true });
      await writeFile(path.join(root, file), '');
    }
  });

  afterAll(() => rm(root, { recursive: true }));

  const listed = async (limits: Partial<TreeLimits>): Promise<Pick<FileTree, 'files' | 'left'>> => {
    const { files, left } = await fileTree(root, { each: 100, all: 100, folders: 100, ...limits });
    const shown = (file: string): string => path.relative(root, file).replaceAll('\\', '/');
    return { files: files.map(shown), left: left.map(({ folder, count }) => ({ folder: shown(folder), count })) };
  };

  it('A folder with more files than are listed leaves out files of its own alone, and their number is told', async () => {
    const { files, left } = await listed({ each: 10 });
    expect(files.filter((file) => !file.startsWith('big/'))).toEqual(['shop.asd', 'zebra.lisp', 'src/shop.lisp']);
    expect(files.filter((file) => file.startsWith('big/'))).toHaveLength(11);
    expect(files).toContain('big/deep/inner.lisp');
    expect(left).toEqual([{ folder: 'big', count: 20 }]);
  });

  it('Where all files are more than are listed, those at the top are, and each folder tells what it lacks', async () => {
    const { files, left } = await listed({ all: 5 });
    expect(files).toEqual(['shop.asd', 'zebra.lisp', 'big/00.txt', 'big/01.txt', 'big/02.txt']);
    expect(left).toEqual([
      { folder: 'big', count: 27 },
      { folder: 'src', count: 1 },
      { folder: 'big/deep', count: 1 },
    ]);
  });

  it('Folders that are not looked into are told, and folders of tools are not', async () => {
    expect((await listed({ folders: 2 })).left).toEqual([
      { folder: 'src', count: null },
      { folder: 'big/deep', count: null },
    ]);
    expect((await listed({})).files.some((file) => file.startsWith('.git'))).toBe(false);
  });
});

describe('links and empty folders in the tree of files', () => {
  it('Links are listed with their targets, and followed only to other folders of the project [issue 39.2]', async () => {
    const top = await realpath(await mkdtemp(path.join(tmpdir(), 'file-links-')));
    onTestFinished(() => rm(top, { recursive: true }));
    const root = path.join(top, 'project');
    for (const file of ['project/src/deep/a.lisp', 'project/b.lisp', 'shared/c.lisp', 'project/.git/config']) {
      await mkdir(path.dirname(path.join(top, file)), { recursive: true });
      await writeFile(path.join(top, file), '');
    }
    await mkdir(path.join(root, 'empty'));
    const links = {
      'to-file': 'src/deep/a.lisp',
      'to-folder': 'src',
      'src/deep/up': '../..',
      'src/self': '.',
      'src/other': '../to-folder/deep',
      vendor: '../shared',
      'outside.lisp': '../shared/c.lisp',
      broken: 'nowhere',
      loop: 'loop',
      metadata: '.git',
      node_modules: 'src',
    };
    for (const [name, target] of Object.entries(links)) await symlink(target, path.join(root, name));
    const found = await fileTree(root, { each: 100, all: 100, folders: 100 });
    const shown = (file: string): string => path.relative(root, file);
    expect(found.files.map(shown).toSorted()).toEqual(['b.lisp', 'src/deep/a.lisp']);
    expect(found.linked.map(shown).toSorted()).toEqual([
      'src/other/a.lisp',
      'to-folder/deep/a.lisp',
      'to-folder/other/a.lisp',
    ]);
    expect(found.empty.map(shown)).toEqual(['empty']);
    expect(Object.fromEntries(found.links.map(({ link, leads }) => [shown(link), leads]))).toEqual({
      'to-file': 'file',
      'to-folder': 'folder',
      'to-folder/self': 'circle',
      'to-folder/other': 'folder',
      'to-folder/other/up': 'circle',
      'to-folder/deep/up': 'circle',
      'src/deep/up': 'circle',
      'src/self': 'circle',
      'src/other': 'folder',
      'src/other/up': 'circle',
      vendor: 'folder outside',
      'outside.lisp': 'file outside',
      broken: 'nothing',
      loop: 'nothing',
      metadata: 'folder',
    });
    expect(found.links.find(({ link }) => shown(link) === 'vendor')?.target).toBe('../shared');
  });

  it('Many links to each other end at the limit of folders [issue 39.2]', async () => {
    const root = await realpath(await mkdtemp(path.join(tmpdir(), 'file-links-')));
    onTestFinished(() => rm(root, { recursive: true }));
    const names = Array.from({ length: 8 }, (_, index) => `f${index}`);
    for (const name of names) await mkdir(path.join(root, name));
    for (const name of names) for (const other of names) await symlink(`../${other}`, path.join(root, name, other));
    const { links, left } = await fileTree(root, { each: 1_000, all: 100_000, folders: 200 });
    expect(links.length).toBeLessThanOrEqual(200 * 8);
    expect(left.every(({ count }) => count === null)).toBe(true);
    expect(left.length).toBeGreaterThan(0);
  });
});
