import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { Document, type DocumentOptions } from './document.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.fixture.ts';

const schema = z.object({
  version: z.literal(1),
  word: z.string(),
  minutes: z.number().max(120),
  list: z.array(z.object({ name: z.string() })),
});
const initial = { version: 1 as const, word: 'first', minutes: 5, list: [] as { name: string }[] };

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'document-'));
  file = path.join(folder, 'kept.json');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function open(more: Partial<DocumentOptions<typeof schema>> = {}): Document<typeof schema> {
  return new Document({ file, schema, initial, title: 'What is kept', ...more });
}

const onDisk = (): unknown => JSON.parse(readFileSync(file, 'utf8'));

describe('document whose file is damaged', () => {
  it('A damaged document loses the field that does not fit, and of a list the elements that do not, and names them', () => {
    const list = [{ name: 'a' }, { name: 3 }, { name: 'b' }];
    writeFileSync(file, JSON.stringify({ version: 1, word: 'mine', minutes: 500, list }));
    const document = open({ salvage: 'fields' });
    expect(document.value).toEqual({ version: 1, word: 'mine', minutes: 5, list: [{ name: 'a' }, { name: 'b' }] });
    expect(document.problem).toMatch(/is damaged in minutes, list; the rest of the file is used/);
    expect(['word', 'minutes'].map((field) => document.knows(field))).toEqual([true, false]);
  });

  it('A document of another version is taken field by field only where that was said', () => {
    writeFileSync(file, JSON.stringify({ ...initial, version: 2, word: 'mine' }));
    expect(open({ salvage: 'fields' }).value.word).toBe('first');
    expect(open({ salvage: 'fields of any version' }).value.word).toBe('mine');
  });

  it('A damaged document is set aside once, however often it is read, and before it is written over', async () => {
    writeFileSync(file, '{"version": 1, ');
    for (let start = 0; start < 3; start += 1) expect(open().problem).toMatch(/is damaged, and the defaults are used/);
    const document = open();
    expect(document.knows('word')).toBe(false);
    await document.write({ ...initial, word: 'new' });
    const [copy, ...others] = readdirSync(folder).filter((name) => name.includes('.damaged-'));
    expect([others, readFileSync(path.join(folder, copy!), 'utf8')]).toEqual([[], '{"version": 1, ']);
    expect(onDisk()).toMatchObject({ word: 'new' });
  });
});

describe('document whose file cannot be read', () => {
  it('A document that cannot be read has nothing written over it, says so, and is right again as soon as it can be read', async () => {
    const real = path.join(folder, 'real.json');
    writeFileSync(real, JSON.stringify({ ...initial, word: 'stored' }));
    symlinkSync(file, file); // a link to itself: it exists, but cannot be read
    const document = open();
    expect(document.problem).toMatch(/cannot be read/);
    await expect(document.write({ ...initial, word: 'new' })).rejects.toThrow(/The file is not overwritten/);
    await expect(document.keep({ ...initial, word: 'new' })).rejects.toThrow(/The file is not overwritten/);
    expect([document.value.word, document.failure]).toEqual(['first', expect.stringMatching(/cannot be read/)]);
    expect(() => readFileSync(file)).toThrow(/ELOOP/);
    renameSync(real, file);
    await vi.waitFor(() => expect(document.value.word).toBe('stored'), 10_000);
    expect([document.problem, document.failure]).toEqual([null, null]);
    await document.write({ ...document.value, minutes: 6 });
    expect(onDisk()).toEqual({ ...initial, word: 'stored', minutes: 6 });
  });
});

describe('document on a disk that is full', () => {
  let disk: SmallDisk;

  beforeEach(() => {
    disk = mountSmallDisk(2);
    file = path.join(disk.folder, 'kept.json');
  });

  afterEach(() => disk.unmount());

  it('A document on a full disk is written as soon as there is room, with what was said last, and tells until then', async () => {
    const document = open();
    await document.write(initial);
    const told: (string | null)[] = [];
    document.events.on('failure', (failure) => told.push(failure));
    disk.fill();
    await expect(document.write({ ...initial, word: 'x'.repeat(9000) })).rejects.toThrow(/ENOSPC/);
    await document.keep({ ...initial, word: 'y'.repeat(9000) });
    expect([onDisk(), told]).toEqual([
      initial,
      [
        expect.stringMatching(
          /^What is kept cannot be written .*the disk is full, ENOSPC.*apply only until the program ends/,
        ),
      ],
    ]);
    disk.free();
    await vi.waitFor(() => expect(told.at(-1)).toBeNull(), 20_000);
    expect(onDisk()).toMatchObject({ word: 'y'.repeat(9000) });
  });

  it('A document holds changes in its reserve, the last of them counts, and the file has them when there is room', async () => {
    const document = open({ reserve: true });
    await document.write(initial);
    disk.fill();
    for (const word of ['one', 'two', 'three']) await document.keep({ ...initial, word: word.repeat(2000) });
    expect(document.failure).toMatch(/a crash does not lose it/);
    expect(onDisk()).toEqual(initial);
    const after = open({ reserve: true });
    expect(after.value.word).toBe('three'.repeat(2000));
    disk.free();
    await Promise.all([document.settled(), after.settled()]);
    expect(onDisk()).toMatchObject({ word: 'three'.repeat(2000) });
    await open({ reserve: true }).write({ ...initial, word: 'later' });
    expect(open({ reserve: true }).value.word).toBe('later');
  });

  it('A document with two changes in its reserve takes the whole one when the other is torn', async () => {
    const document = open({ reserve: true });
    await document.write(initial);
    disk.fill();
    for (const word of ['one', 'two']) await document.keep({ ...initial, word: word.repeat(2000) });
    const reserve = `${file}.reserve`;
    const octets = readFileSync(reserve);
    octets.fill('#', octets.indexOf('twotwo'), octets.indexOf('twotwo') + 100);
    execFileSync('dd', [`of=${reserve}`, 'conv=notrunc', 'status=none'], { input: octets });
    expect(open({ reserve: true }).value.word).toBe('one'.repeat(2000));
  });
});
