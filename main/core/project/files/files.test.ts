import { execFileSync } from 'node:child_process';
import { linkSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readText, writeBytes } from './files.ts';
import { Project } from '../project.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'files-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('reading a text', () => {
  it.skipIf(process.platform === 'win32')('Reading a text refuses a pipe and waits for no writer [K6]', async () => {
    const pipe = path.join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await expect(readText(pipe)).rejects.toThrow(/is not a regular file/);
  });

  it('Reading a text names a folder as one [K6]', async () => {
    await expect(readText(folder)).rejects.toThrow(/is a folder/);
  });

  it('Reading a text tells bytes that are no UTF-8 [K6]', async () => {
    const file = path.join(folder, 'latin1.lisp');
    writeFileSync(file, Buffer.from([0x22, 0xe9, 0x22]));
    expect(await readText(file)).toMatchObject({ text: '"\uFFFD"', bytes: 3, lossy: true });
  });
});

describe('paths in the project', () => {
  it('A path in the project may begin with two dots that are part of a name', async () => {
    const project = await Project.open(folder);
    expect(project.display(await project.locate('..notes.lisp'))).toBe('..notes.lisp');
  });

  it.each(['..', '../x', 'a/../../x'])('A path in the project may not lead out: %s', async (given) => {
    const project = await Project.open(folder);
    await expect(project.locate(given)).rejects.toThrow(/is outside the project/);
  });
});

it('A file that is read-only is left as it is, and that is said', async () => {
  const file = path.join(folder, 'protected.lisp');
  writeFileSync(file, 'mine', { mode: 0o444 });
  await expect(writeBytes(file, Buffer.from('theirs'))).rejects.toThrow(/protected\.lisp is read-only/);
  expect((await readText(file)).text).toBe('mine');
});

it('Saving keeps the other names of a file [issue 35.1]', async () => {
  const [file, other] = [path.join(folder, 'a.lisp'), path.join(folder, 'b.lisp')];
  writeFileSync(file, 'old');
  linkSync(file, other);
  await writeBytes(file, Buffer.from('new'));
  expect([readFileSync(other, 'utf8'), statSync(file).nlink]).toEqual(['new', 2]);
});
