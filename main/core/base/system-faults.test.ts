import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkbenchError } from './error.ts';
import { readAnyText, readText } from '../project/files/files.ts';
import { Project } from '../project/project.ts';
import { messageForPerson } from './system-faults.ts';

describe('faults of files as a person reads them', () => {
  let folder: string;
  beforeAll(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'faults-'))));
  afterAll(() => rm(folder, { recursive: true }));

  const told = (action: Promise<unknown>): Promise<string> => action.then(() => 'nothing', messageForPerson);

  it('A fault of the system is told in words, with what to do next, whether the core has named it or not', async () => {
    const missing = path.join(folder, 'none.lisp');
    expect(await told(readText(folder))).toBe(`${folder} is a folder. Choose a file in it, or open it as a folder.`);
    const absent = `${missing} does not exist. Check whether it was moved, renamed or deleted.`;
    expect(await told(readText(missing))).toBe(absent);
    expect(await told(readFile(missing))).toBe(absent);
    expect(await told(Project.open(missing))).toBe(absent);
    const link = path.join(folder, 'link.lisp');
    await symlink('none.lisp', link);
    expect(await told(readAnyText(link))).toBe(
      `${link} is a link to none.lisp, which does not exist. Check whether it was moved, renamed or deleted.`,
    );
  });

  it('Other messages are told as they are', () => {
    expect(messageForPerson(new WorkbenchError('refused', 'It lies outside.'))).toBe('It lies outside.');
    expect(messageForPerson(new Error('Something else.'))).toBe('Something else.');
    expect(messageForPerson('a word')).toBe('a word');
  });
});
