/** The person saves a file at the moment when an approved change of the file is written. The person's text is preserved. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { decideNext } from '#core/approvals/decide.fixture.ts';
import { withFileLock } from '#core/project/files/file-lock.ts';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';

let bench: TestWorkbench;
let client: TestClient;

beforeAll(async () => {
  bench = await openTestWorkbench();
  client = await bench.connect('editor');
  bench.workbench.approvals.setApprover('the test');
}, 120_000);

afterAll(() => bench.close());

it.each([
  ['write-file', { path: 'a.lisp', content: '(theirs)\n' }, /nothing was written/],
  [
    'propose-file-edit',
    { path: 'a.lisp', original: '(b)', modified: '(theirs)', description: '' },
    /nothing was written|does not occur in/,
  ],
  ['edit-definition', { path: 'a.lisp', definition: 'line 1', text: '(theirs)' }, /nothing was written/],
  ['move-file', { path: 'a.lisp', to: 'b.lisp' }, /nothing was moved/],
  ['delete-file', { path: 'a.lisp' }, /nothing was deleted/],
  [
    'edit-files',
    {
      edits: [
        { path: 'new.lisp', content: '(new)\n' },
        { path: 'a.lisp', content: '(theirs)\n' },
      ],
    },
    /^a\.lisp changed during the approval, so nothing was written\.$/,
  ],
])('The tool %s leaves what was saved after the approval [D1, K6]', async (tool, given, said) => {
  const { approvals } = bench.workbench;
  const before = approvals.view().decided.length;
  const file = path.join(bench.project, 'a.lisp');
  await writeFile(file, '(b)\n');
  const reply = client.call(tool, given);
  let decided: Promise<unknown> = Promise.resolve();
  await withFileLock([file], async () => {
    decided = decideNext(approvals, { decision: 'approved' });
    await new Promise<void>((resolve) => {
      const stop = approvals.events.on('changed', ({ decided: ended }) => {
        if (ended.length === before) return;
        stop();
        resolve();
      });
    });
    // A tool that did not wait for the save would finish within this number of steps.
    for (let step = 0; step < 200; step += 1) await stat(file);
    await writeFile(file, '(mine)\n');
  });
  await decided;
  expect((await reply).text).toMatch(said);
  expect(await readFile(file, 'utf8')).toBe('(mine)\n');
  await expect(stat(path.join(bench.project, 'new.lisp'))).rejects.toThrow(/ENOENT/);
});
