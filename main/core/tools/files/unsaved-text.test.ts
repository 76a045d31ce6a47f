import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OpenBuffer } from '#core/project/files/buffers.ts';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';

const buffers: OpenBuffer[] = [];
let bench: TestWorkbench;
let client: TestClient;

beforeAll(async () => {
  bench = await openTestWorkbench({ buffers });
  client = await bench.connect();
  const file = path.join(bench.project, 'shop.lisp');
  await writeFile(file, '(defun saved () 1)\n');
  await writeFile(path.join(bench.project, 'other.lisp'), '(defun other () 1)\n');
  buffers.push({ title: 'shop.lisp', path: file, text: '(defun unsaved () 2)\n', active: true });
}, 120_000);

afterAll(() => bench.close());

it('The tool read-file gives the text that the person has not saved yet, and says so [issue 35.1]', async () => {
  expect((await client.call('read-file', { path: 'shop.lisp' })).text).toBe(
    '(The person has changed this text and not saved it; edits apply to the file.)\n(defun unsaved () 2)\n',
  );
  expect((await client.call('read-file', { path: 'other.lisp' })).text).toBe('(defun other () 1)\n');
});

it('The tool search-files finds the text that the person has not saved yet [issue 35.1]', async () => {
  const found = async (pattern: string) => (await client.call('search-files', { pattern })).text;
  expect(await found('unsaved')).toBe('1 line in 1 file\nshop.lisp:1: (defun unsaved () 2)');
  expect(await found('defun saved')).toContain('No line of the files matches');
});

it('The tool read-file lists a folder [issue 35.1]', async () => {
  const { text, isError } = await client.call('read-file', { path: '.' });
  expect(isError).toBe(false);
  expect(text.split('\n')).toEqual(expect.arrayContaining([expect.stringMatching(/^other\.lisp {2}19 bytes$/)]));
});

it('The tool read-file gives all files that a pattern matches, and says where there are none [issue 35.1]', async () => {
  expect((await client.call('read-file', { path: '*.lisp' })).text).toBe(
    '==> other.lisp <==\n(defun other () 1)\n\n==> shop.lisp, not saved <==\n(defun unsaved () 2)',
  );
  expect(await client.call('read-file', { path: 'src/*.lisp' })).toMatchObject({
    isError: true,
    text: 'No file of the project matches src/*.lisp.',
  });
});
