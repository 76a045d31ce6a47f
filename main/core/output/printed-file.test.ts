import { existsSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PrintedFile } from './printed-file.ts';

let folder: string;
let file: PrintedFile;
const failures: unknown[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'printed-'));
  failures.length = 0;
  file = new PrintedFile(
    path.join(folder, '1.txt'),
    () => {},
    (error) => failures.push(error),
  );
});

afterEach(async () => {
  await file.remove();
  await rm(folder, { recursive: true, force: true });
});

const numbered = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => `line ${from + index}\n`).join('');

describe('printed file', () => {
  it('A long output is read back whole, in parts that end at line ends [E29]', async () => {
    const text = numbered(0, 200_000);
    for (let at = 0; at < text.length; at += 4096) file.append(text.slice(at, at + 4096));
    const parts: string[] = [];
    for (let index = 0; index < file.parts; index += 1) {
      const { text: part, line } = await file.part(index);
      expect(part.endsWith('\n')).toBe(true);
      expect(line).toBe(parts.join('').split('\n').length - 1);
      parts.push(part);
    }
    expect(parts.length).toBeGreaterThan(3);
    expect(parts.join('') === text).toBe(true);
    expect([file.characters, file.lines, failures]).toEqual([text.length, 200_001, []]);
  });

  it('A line without an end is cut into parts between its characters', async () => {
    const text = '😀λ'.repeat(500_000);
    for (let at = 0; at < text.length; at += 4095) file.append(text.slice(at, at + 4095));
    let whole = '';
    for (let index = 0; index < file.parts; index += 1) whole += (await file.part(index)).text;
    expect(file.parts).toBeGreaterThan(1);
    expect(whole.length).toBe(text.length);
  });

  it('A search goes on over parts in both directions, and ends at either end', async () => {
    file.append(numbered(0, 120_000));
    const search = (text: string, backwards: boolean, from: { part: number; offset: number }, matchCase = false) =>
      file.search({ text, matchCase, backwards, from });
    const found = (await search('LINE 119999', false, { part: 0, offset: 0 }))!;
    expect(found).toMatchObject({ part: file.parts - 1, line: 119_999 });
    expect((await file.part(found.part)).text.slice(found.offset, found.offset + 11)).toBe('line 119999');
    expect(await search('line 119999', false, { part: found.part, offset: found.offset + 1 })).toBeNull();
    expect(await search('line 0\n', true, found)).toMatchObject({ part: 0, offset: 0, line: 0 });
    expect(await search('LINE 5', false, { part: 0, offset: 0 }, true)).toBeNull();
  });

  it('The file is private, and gone when it is removed', async () => {
    file.append('secret\n');
    await file.part(0);
    const where = path.join(folder, '1.txt');
    expect(statSync(where).mode & 0o077).toBe(0);
    await file.remove();
    expect(existsSync(where)).toBe(false);
  });

  it('A folder that is not there is told once, and nothing is thrown', async () => {
    const failing = new PrintedFile(
      path.join(folder, 'none', '1.txt'),
      () => {},
      (error) => failures.push(error),
    );
    failing.append('text');
    await failing.part(0).catch(() => {});
    expect(failures).toHaveLength(1);
  });
});
