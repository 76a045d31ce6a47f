/** The tools that read, list and search files. */
import { readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ApprovalDecision } from '#contract/decisions/approval.ts';
import { decideNext } from '#core/approvals/decide.fixture.ts';
import type { Reply } from '#core/workbench.fixture.ts';
import { projectFiles, SHOP, yes } from './project-files.fixture.ts';

const files = projectFiles();

const at = (name: string): string => path.join(files.bench.project, name);
const text = (name: string): Promise<string> => readFile(at(name), 'utf8');

async function asked(name: string, args: Record<string, unknown>, decision: ApprovalDecision): Promise<Reply> {
  const reply = files.client.call(name, args);
  await decideNext(files.bench.workbench.approvals, decision);
  return reply;
}

describe('looking at files', () => {
  it('The tool list-directory lists down to a depth, and follows no link out of the project', async () => {
    await symlink('/etc', at('link')).catch(() => {});
    const { text: said } = await files.client.call('list-directory', { depth: 3 });
    expect(said).toMatch(/^src\/\n/m);
    expect(said).toMatch(new RegExp(`src/shop.lisp  ${SHOP.length} bytes`));
    expect(said).not.toMatch(/link\/./);
    expect((await files.client.call('list-directory', { path: '..' })).text).toMatch(/is outside/);
  });

  it.each<[Record<string, unknown>, RegExp]>([
    [{ pattern: 'DISCOUNT' }, /^No line/],
    [{ pattern: 'discount', glob: '*.lisp' }, /^2 lines in 1 file\nsrc\/shop\.lisp:6: \(defmethod discount/],
    [
      { pattern: 'def(un|method)', regex: true, path: 'src', count: 1 },
      /^3 lines in 1 file\nsrc\/shop\.lisp:3: [^\n]*\n… 2 more, from start 1$/,
    ],
    [{ pattern: '(unclosed', regex: true }, /is not a valid regular expression/],
    [{ pattern: 'x', glob: 'src/**/*.asd' }, /^There are no text files named src/],
  ])('The tool search-files answers to %j', async (args, expected) => {
    await writeFile(at('notes.txt'), 'nothing');
    expect((await files.client.call('search-files', args)).text).toMatch(expected);
  });

  it('A kept long reply is read by lines and searched as a file is [issue 35.1]', async () => {
    const long = await files.client.evaluate('(dotimes (i 3000) (format t "line ~D of it~%" i))');
    const [path] = /lisp-workbench:\/\/replies\/[0-9a-f-]+\/1/.exec(long)!;
    const read = await files.client.call('read-file', { path, start: 2001, count: 2 });
    expect(read.text).toMatch(
      /^line 1999 of it\nline 2000 of it\n… lines 2001 to 2002 of \d+\. Continue with start 2003;/,
    );
    const found = await files.client.call('search-files', { path, pattern: 'line 29\\d9', regex: true, count: 2 });
    expect(found.text).toBe(
      '10 lines of the reply; read-file with start shows what is around one\n2911: line 2909 of it\n2921: line 2919 of it\n… 8 more, from start 2',
    );
    expect((await files.client.call('search-files', { path: `${path}9`, pattern: 'x' })).text).toBe(
      'No line of the reply matches x.',
    );
    expect(
      (await files.client.call('search-files', { path: 'lisp-workbench://replies/x', pattern: 'x' })).text,
    ).toMatch(/This long reply is no longer stored\. Repeat the call\.$/);
  });

  it('A pattern that backtracks without end is stopped [K6]', async () => {
    await writeFile(at('aaa.txt'), `${'a'.repeat(40)}!`);
    expect((await files.client.call('search-files', { pattern: '(a+)+$', regex: true })).text).toMatch(
      /takes too long/,
    );
  });

  it('The tool read-buffer and search-in-buffer take a file of the project where there is no window', async () => {
    expect((await files.client.call('read-buffer', { buffer: 'src/shop.lisp', start: 3, end: 4 })).text).toBe(
      "src/shop.lisp, lines 3 to 4 of 11\n3\t(defun total (cart)\n4\t  (reduce #'+ cart))",
    );
    expect((await files.client.call('search-in-buffer', { buffer: 'src/shop.lisp', pattern: 'discount' })).text).toBe(
      'src/shop.lisp:6: (defmethod discount ((c integer) x)\n… 1 more: all_matches shows them',
    );
    expect((await files.client.call('read-buffer')).text).toMatch(
      /No buffer of the project is in the foreground\. No buffers are open/,
    );
  });

  it.each<[string, string, Record<string, unknown>, RegExp]>([
    ['a folder', 'list-directory', { path: 'srcs' }, /srcs does not exist\. Did you mean src\?$/],
    [
      'a file as a folder',
      'list-directory',
      { path: 'src/shop.lisp' },
      /is a file of \d+ bytes\. Use read-file to see/,
    ],
    ['a folder to search', 'search-files', { pattern: 'x', path: 'nowhere' }, /nowhere does not exist\.$/],
    [
      'a file by its name alone',
      'read-file',
      { path: 'shop.lisp' },
      /does not exist\. Did you mean src\/shop\.lisp\?$/,
    ],
    ['a file of another system', 'read-file', { path: 'src\\shop.lisp' }, /Did you mean src\/shop\.lisp\?$/],
    ['a file to load', 'load-file', { path: 'src/shp.lisp' }, /Did you mean src\/shop\.lisp\?$/],
    ['a folder as a file', 'load-file', { path: 'src' }, /src is a folder\. read-file lists its entries\.$/],
    ['a buffer', 'read-buffer', { buffer: 'shop.lisp' }, /Did you mean src\/shop\.lisp\?$/],
    [
      'lines in the wrong order',
      'read-buffer',
      { buffer: 'src/shop.lisp', start: 4, end: 2 },
      /comes before the first, 4/,
    ],
  ])('A tool answers for %s that is not there with an error and a hint: %s', async (_what, name, args, expected) => {
    expect(await files.client.call(name, args)).toMatchObject({
      isError: true,
      text: expect.stringMatching(expected) as unknown,
    });
  });

  it('The tool search-files looks into one file, and says what it passed over', async () => {
    await writeFile(at('huge.txt'), 'needle\n'.repeat(700_000));
    const found = async (args: Record<string, unknown>) => (await files.client.call('search-files', args)).text;
    expect(await found({ pattern: 'cart', path: 'src/shop.lisp' })).toMatch(/^2 lines in 1 file\nsrc\/shop\.lisp:3: /);
    expect(await found({ pattern: 'needle' })).toMatch(
      /matches needle; 1 file is too large to be searched \(huge\.txt\)\.$/,
    );
    expect(await found({ pattern: 'cart', glob: '*.cl' })).toBe('There are no text files named *.cl to search.');
    expect(await found({ pattern: 'discount', start: 9 })).toBe(
      'There are only 2, so there is nothing to show from 9 on.',
    );
  });

  it('The tool read-buffer gives a page of a long file, and says where to read on [K1]', async () => {
    await writeFile(at('long.txt'), Array.from({ length: 120_000 }, (_, index) => `line ${index + 1}`).join('\n'));
    const next = 90_001;
    const { text: page } = await files.client.call('read-buffer', { buffer: 'long.txt', start: next });
    expect(Buffer.byteLength(page)).toBeLessThan(24 * 1024);
    const [, to] = new RegExp(`^long.txt, lines ${next} to (\\d+) of 120000\\n${next}\\tline ${next}\\n`).exec(page)!;
    const last = Number(to);
    expect(page.endsWith(`\n${last}\tline ${last}\n… ${120_000 - last} more lines, from start ${last + 1}`)).toBe(true);
  });

  it('A byte-order mark is not shown, kept by an edit, and named where it keeps a file from being loaded', async () => {
    await writeFile(at('marked.lisp'), '\uFEFF(defun marked () 1)\n');
    await files.client.evaluate('(defun unmarked () 1)');
    const { text: read } = await files.client.call('read-file', { path: 'marked.lisp' });
    expect(read).toBe('(defun marked () 1)\n');
    const edit = { path: 'marked.lisp', original: read, modified: '(defun marked () 2)\n', description: 'Two.' };
    expect((await asked('propose-file-edit', edit, yes)).text).toMatch(
      /^Changed marked\.lisp\.\nThe image does not have it yet: load-file/,
    );
    expect(await text('marked.lisp')).toBe('\uFEFF(defun marked () 2)\n');
    expect((await files.client.call('load-file', { path: 'marked.lisp' })).text).toMatch(
      /\n\nmarked\.lisp begins with a byte-order mark, which SBCL reads as a symbol\. [^\n]*$/,
    );
  });
});
