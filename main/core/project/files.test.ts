import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readText, writeText } from './files.ts';
import { Project } from './project.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'files-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('K6 reading a text', () => {
  it.skipIf(process.platform === 'win32')('refuses a pipe at once instead of waiting for a writer', async () => {
    const pipe = path.join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await expect(readText(pipe)).rejects.toThrow(/is no ordinary file/);
  });

  it('names a folder as one', async () => {
    await expect(readText(folder)).rejects.toThrow(/is a folder/);
  });

  it('tells bytes that are no UTF-8', async () => {
    const file = path.join(folder, 'latin1.lisp');
    writeFileSync(file, Buffer.from([0x22, 0xe9, 0x22]));
    expect(await readText(file)).toMatchObject({ text: '"\uFFFD"', bytes: 3, lossy: true });
  });
});

describe('a path in the project', () => {
  it('may begin with two dots that are part of a name', async () => {
    const project = await Project.open(folder);
    expect(project.display(await project.locate('..notes.lisp'))).toBe('..notes.lisp');
  });

  it.each(['..', '../x', 'a/../../x'])('may not lead out: %s', async (given) => {
    const project = await Project.open(folder);
    await expect(project.locate(given)).rejects.toThrow(/lies outside the project/);
  });
});

it('a file that is read-only is left as it is, with a word', async () => {
  const file = path.join(folder, 'protected.lisp');
  writeFileSync(file, 'mine', { mode: 0o444 });
  await expect(writeText(file, 'theirs')).rejects.toThrow(/protected\.lisp is read-only/);
  expect((await readText(file)).text).toBe('mine');
});
