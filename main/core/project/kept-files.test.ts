import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeptFiles } from './kept-files.ts';

let folder: string;
let keep: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kept-'));
  keep = path.join(folder, 'state', 'kept');
  file = path.join(folder, 'file');
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('P6 what was there before', () => {
  it('is kept over the end of the program, for its owner alone', async () => {
    writeFileSync(file, 'before', { mode: 0o640 });
    await new KeptFiles(keep).write('a', file, Buffer.from('after'));
    for (const name of readdirSync(keep)) expect(statSync(path.join(keep, name)).mode & 0o777).toBe(0o600);
    expect(statSync(keep).mode & 0o777).toBe(0o700);
    const later = new KeptFiles(keep);
    expect(later.has('a')).toBe(true);
    expect(await later.restore('a')).toMatchObject({ restored: true });
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['before', 0o640]);
    expect(readdirSync(keep)).toEqual(['kept.json']);
  });

  it('of a new file is that there was none', async () => {
    const files = new KeptFiles(keep);
    await files.write('a', file, Buffer.from('after'));
    await files.restore('a');
    expect(readdirSync(folder)).toEqual(['state']);
  });

  it('is bounded: the oldest go, with their bytes', async () => {
    const files = new KeptFiles(keep);
    for (let n = 0; n < 205; n += 1) await files.write(`change ${n}`, file, Buffer.from(String(n)));
    expect([files.has('change 4'), files.has('change 5'), readdirSync(keep).length]).toEqual([false, true, 401]);
  });

  it('of bytes that are no text comes back as it was', async () => {
    const bytes = Buffer.from([0, 255, 254, 10, 13]);
    writeFileSync(file, bytes);
    const files = new KeptFiles(keep);
    await files.delete('a', file);
    await files.restore('a');
    expect(readFileSync(file)).toEqual(bytes);
  });
});
