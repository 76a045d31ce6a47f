import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { matcher } from './matcher.ts';
import { searchText, type FoundText } from './search.ts';

describe('search in many files', () => {
  const FOLDERS = 20;
  const EACH = 50;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'search-'));
    for (let d = 0; d < FOLDERS; d += 1) {
      await mkdir(path.join(folder, `d${d}`, 'deep'), { recursive: true });
      for (let f = 0; f < EACH; f += 1)
        await writeFile(
          path.join(folder, `d${d}`, f % 2 ? 'deep' : '', `f${f}.lisp`),
          `(defun f${d}-${f} ())\n(Needle)\n`,
        );
    }
    await writeFile(path.join(folder, 'd3.txt'), 'needle');
    await writeFile(path.join(folder, 'a-file'), 'needle');
  });

  afterAll(() => rm(folder, { recursive: true }));

  const search = (from: string | null, longest: number, regex = false): Promise<FoundText> =>
    searchText(
      folder,
      {
        matches: matcher(regex ? 'n[e]{2}dle' : 'needle', { regex }),
        glob: null,
        from,
        most: 10_000,
        signal: new AbortController().signal,
      },
      longest,
    );

  it('A text that is not saved stands for the content of its file', async () => {
    const unsaved = new Map([
      [path.join(folder, 'a-file'), 'nothing of it any more'],
      [path.join(folder, 'd3.txt'), 'first line\nNEEDLE and needle'],
    ]);
    const search = { matches: matcher('needle'), glob: null, from: null, most: 10_000, unsaved };
    const { lines } = await searchText(folder, { ...search, signal: new AbortController().signal });
    expect(lines).toHaveLength(FOLDERS * EACH + 1);
    expect(lines.filter(({ file }) => unsaved.has(file))).toEqual([
      {
        file: path.join(folder, 'd3.txt'),
        line: 2,
        column: 1,
        text: 'NEEDLE and needle',
        marks: [
          [0, 6],
          [11, 17],
        ],
      },
    ]);
  });

  it.each([false, true])(
    'A search that took long says what is left and goes on there, each file once (regex: %s)',
    async (regex) => {
      const seen: string[] = [];
      let from: string | null = null;
      let calls = 0;
      do {
        const { lines, next, rest, searched }: FoundText = await search(from, 0, regex);
        seen.push(...lines.map(({ file }) => file));
        expect(rest).toBe(FOLDERS * EACH + 2 - seen.length);
        expect(next === null).toBe(rest === 0);
        expect(searched).toBeLessThanOrEqual(16);
        from = next;
        calls += 1;
      } while (from !== null);
      expect(calls).toBeGreaterThan(50);
      const all = await search(null, 60_000, regex);
      expect(all).toMatchObject({ next: null, rest: 0, total: FOLDERS * EACH + 2 });
      expect(seen).toEqual(all.lines.map(({ file }) => file));
    },
  );
});
