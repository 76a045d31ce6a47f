import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { KeptFiles } from './kept-files.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'kept-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

it('P6 the first change of all may be a new file, which has nothing to keep but can be taken back', async () => {
  const kept = new KeptFiles(path.join(folder, 'state', 'kept'));
  const file = path.join(folder, 'new.txt');
  await kept.write('one', file, Buffer.from('text'));
  expect(await readFile(file, 'utf8')).toBe('text');
  expect(await kept.restore('one')).toMatchObject({ restored: true });
  await expect(stat(file)).rejects.toThrow(/ENOENT/);
});
