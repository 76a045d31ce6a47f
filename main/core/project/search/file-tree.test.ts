import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

  const listed = async (limits: Partial<TreeLimits>): Promise<FileTree> => {
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
