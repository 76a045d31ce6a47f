import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Backups } from './files/backups.ts';
import { inHeldFolder } from '#core/base/held-files.ts';
import { readText } from './files/files.ts';
import { listFolder } from './search/search.ts';

let top: string;
const at = (...parts: string[]): string => path.join(top, ...parts);

beforeEach(async () => {
  top = await mkdtemp(path.join(tmpdir(), 'held-'));
  await mkdir(at('project', 'src'), { recursive: true });
  await mkdir(at('outside'));
});

afterEach(() => rm(top, { recursive: true, force: true }));

async function replaceByLink(): Promise<void> {
  await rename(at('project', 'src'), at('project', 'before'));
  await symlink(at('outside'), at('project', 'src'));
}

it('A file is written into the folder that was checked, though a link took the place of that meanwhile', async () => {
  await inHeldFolder(at('project', 'src', 'a.txt'), async (name) => {
    await replaceByLink();
    await writeFile(name, 'x');
  });
  expect(await readFile(at('project', 'before', 'a.txt'), 'utf8')).toBe('x');
  expect(await readdir(at('outside'))).toEqual([]);
});

it.each<[string, (backups: Backups) => Promise<void>]>([
  ['write', (backups) => backups.write(who, at('project', 'src', 'a.txt'), Buffer.from('x'))],
  ['delete', (backups) => backups.delete(who, at('project', 'src', 'there.txt'))],
  ['move from there', (backups) => backups.move(who, at('project', 'src', 'there.txt'), at('project', 'moved.txt'))],
  ['move to there', (backups) => backups.move(who, at('project', 'own.txt'), at('project', 'src', 'moved.txt'))],
])('A %s is refused when a link has taken the place of the folder', async (_what, change) => {
  await writeFile(at('project', 'own.txt'), 'own');
  await replaceByLink();
  await writeFile(at('outside', 'there.txt'), 'there');
  await expect(change(new Backups(null))).rejects.toThrow(
    /was just replaced by a link, so nothing was read or changed/,
  );
  expect(await readdir(at('outside'))).toEqual(['there.txt']);
  expect(await readFile(at('project', 'own.txt'), 'utf8')).toBe('own');
});

it('A folder that a link replaces is neither listed nor searched [issue 34.1]', async () => {
  await writeFile(at('outside', 'secret.txt'), 'a secret');
  await replaceByLink();
  expect(await listFolder(at('project', 'src'), 2, 100)).toEqual({ found: [], more: false });
  await expect(readText(at('project', 'src', 'secret.txt'))).rejects.toThrow(/was just replaced by a link/);
});

const who = { id: 'call', actor: null };
