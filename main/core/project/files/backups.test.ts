import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Backups } from './backups.ts';

let folder: string;
let keep: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kept-'));
  keep = path.join(folder, 'state', 'kept');
  file = path.join(folder, 'file');
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('backups', () => {
  it('A backup is kept over the end of the program, for its owner alone [P6]', async () => {
    writeFileSync(file, 'before', { mode: 0o640 });
    await new Backups(keep).write({ id: 'a', actor: 'client:codex' }, file, Buffer.from('after'));
    for (const name of readdirSync(keep)) expect(statSync(path.join(keep, name)).mode & 0o777).toBe(0o600);
    expect(statSync(keep).mode & 0o777).toBe(0o700);
    const later = new Backups(keep);
    expect(later.has('a')).toBe(true);
    expect(await later.restore('a')).toMatchObject({ restored: true });
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['before', 0o640]);
    expect(readdirSync(keep)).toEqual(['kept.json']);
  });

  it('The backup of a new file is that there was none [P6]', async () => {
    const files = new Backups(keep);
    await files.write({ id: 'a', actor: 'client:codex' }, file, Buffer.from('after'));
    await files.restore('a');
    expect(readdirSync(folder)).toEqual(['state']);
  });

  it('Folders that were made for a new or moved file go with it, and those in which something else is stay [issue 33.4]', async () => {
    const files = new Backups(keep);
    const by = (id: string) => ({ id, actor: 'client:codex' });
    mkdirSync(path.join(folder, 'there'));
    await files.write(by('a'), path.join(folder, 'there', 'new', 'deep', 'a.txt'), Buffer.from('a'));
    await files.restore('a');
    expect(readdirSync(path.join(folder, 'there'))).toEqual([]);
    await files.write(by('b'), path.join(folder, 'made', 'deep', 'b.txt'), Buffer.from('b'));
    writeFileSync(path.join(folder, 'made', 'mine.txt'), 'mine');
    await files.restore('b');
    expect(readdirSync(path.join(folder, 'made'))).toEqual(['mine.txt']);
    writeFileSync(file, 'c');
    await files.move(by('c'), file, path.join(folder, 'moved', 'c.txt'));
    await files.restore('c');
    expect([existsSync(path.join(folder, 'moved')), readFileSync(file, 'utf8')]).toEqual([false, 'c']);
  });

  it('Backups are bounded: the oldest go, with their bytes [P6]', async () => {
    const files = new Backups(keep);
    for (let n = 0; n < 205; n += 1)
      await files.write({ id: `change ${n}`, actor: 'client:codex' }, file, Buffer.from(String(n)));
    expect([files.has('change 4'), files.has('change 5'), readdirSync(keep).length]).toEqual([false, true, 401]);
  });

  it('Backups write their list once for each change, also where the oldest go [P6]', async () => {
    // Loads the modules again for this test; other test files in this process are not affected.
    vi.resetModules();
    vi.doMock('#core/base/atomic-write.ts', { spy: true });
    onTestFinished(() => {
      vi.doUnmock('#core/base/atomic-write.ts');
      vi.resetModules();
    });
    const { writeFileAtomic } = await import('#core/base/atomic-write.ts');
    const watched = await import('./backups.ts');
    const files = new watched.Backups(keep);
    for (let n = 0; n < 200; n += 1)
      await files.write({ id: `change ${n}`, actor: 'client:codex' }, file, Buffer.from(String(n)));
    vi.mocked(writeFileAtomic).mockClear();
    for (let n = 200; n < 210; n += 1)
      await files.write({ id: `change ${n}`, actor: 'client:codex' }, file, Buffer.from(String(n)));
    const written = vi.mocked(writeFileAtomic).mock.calls.map(([name]) => path.basename(name));
    expect([written.filter((name) => name === 'kept.json').length, written.length]).toEqual([10, 20]);
  });

  it('Backups of one client since a time are told newest first, with what the files become, and whether they still can [P6]', async () => {
    const files = new Backups(keep);
    const at = (name: string): string => path.join(folder, name);
    writeFileSync(file, 'before');
    writeFileSync(at('moved'), 'm');
    await files.write({ id: 'early', actor: 'client:codex' }, at('early'), Buffer.from('e'));
    const since = Date.now() + 1;
    await expect.poll(() => Date.now()).toBeGreaterThan(since);
    const by = (id: string) => ({ id, actor: 'client:codex' });
    await files.write(by('one'), file, Buffer.from('1'));
    await files.write(by('two'), file, Buffer.from('2'));
    await files.write({ id: 'other', actor: 'client:other' }, at('other'), Buffer.from('o'));
    await files.move(by('move'), at('moved'), at('there'));
    await files.write(by('new'), at('new'), Buffer.from('n'));
    await files.delete(by('gone'), at('new'));
    const told = () => files.since('client:codex', since, (each) => path.basename(each));
    expect(await told()).toEqual([
      { approval: 'gone', file: 'new', becomes: 'is restored', possible: true },
      { approval: 'new', file: 'new', becomes: 'is deleted, because it was new', possible: true },
      { approval: 'move', file: 'moved', becomes: 'is moved back from there', possible: true },
      { approval: 'two', file: 'file', becomes: 'is restored', possible: true },
      { approval: 'one', file: 'file', becomes: 'is restored', possible: true },
    ]);
    writeFileSync(file, 'the person');
    expect((await told()).map(({ possible }) => possible)).toEqual([true, true, true, false, false]);
    writeFileSync(file, '2');
    for (const { approval } of await told()) expect(await files.restore(approval)).toMatchObject({ restored: true });
    expect([readFileSync(file, 'utf8'), readFileSync(at('moved'), 'utf8')]).toEqual(['before', 'm']);
    expect(await told()).toEqual([]);
  });

  it('A backup of bytes that are no text comes back as it was [P6]', async () => {
    const bytes = Buffer.from([0, 255, 254, 10, 13]);
    writeFileSync(file, bytes);
    const files = new Backups(keep);
    await files.delete({ id: 'a', actor: 'client:codex' }, file);
    await files.restore('a');
    expect(readFileSync(file)).toEqual(bytes);
  });
});
