/** Stories about Review: the card of a list of edits in several files. */
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { faultsInBothThemes } from '../../desktop/axe.ts';
import { expect, test } from '../../desktop/fixture.ts';
import { approve, FORMS, openReview, ORIGINAL } from '../../desktop/reviewing.ts';

test('One card shows the edits of several files by file, the person takes some, and undoes them together [issue 35.1]', async ({
  sharedDesktop: desktop,
}) => {
  const at = (name: string): string => path.join(desktop.project, name);
  await mkdir(at('src'), { recursive: true });
  await writeFile(at('src/shop.lisp'), ORIGINAL);
  await writeFile(at('old.lisp'), '(defun old ()\n  1)\n');
  await writeFile(at('notes.txt'), 'Nothing yet.\n');
  const agent = await desktop.agent('claude-code');
  const call = agent.call('edit-files', {
    description: 'Prices in cents.',
    edits: [
      { path: 'src/shop.lisp', definition: 'total', old: '1)', new: '2)' },
      { path: 'src/shop.lisp', definition: 'tax', place: 'delete' },
      { path: 'notes.txt', content: 'Prices are in cents.\n' },
      { path: 'src/cents.lisp', content: '(defun cents (price)\n  (* 100 price))\n' },
      { path: 'old.lisp', delete: true },
    ],
  });
  const review = await openReview(desktop);
  await expect(
    review.getByRole('heading', { name: 'Change src/shop.lisp and notes.txt, create src/cents.lisp, delete old.lisp' }),
  ).toBeVisible();
  for (const name of ['src/shop.lisp', 'notes.txt', 'src/cents.lisp', 'old.lisp'])
    await expect(review.getByRole('heading', { name, exact: false, level: 3 }).first()).toBeVisible();
  expect(await faultsInBothThemes(desktop, review)).toEqual([]);
  const deletion = review.getByRole('checkbox', { name: 'Include deleted, old.lisp' });
  await expect(deletion).toBeChecked();
  await deletion.click();
  await expect(review.getByText('4 of 5 changes will be written')).toBeVisible();
  await approve(review);
  expect((await call).text).toMatch(/accepted 4 of 5 hunks[^]*\[Left out by the person\]/);
  expect(await readFile(at('src/shop.lisp'), 'utf8')).toBe([FORMS[0]!.replace('1)', '2)'), FORMS[1]].join('\n'));
  expect(await readFile(at('old.lisp'), 'utf8')).toBe('(defun old ()\n  1)\n');
  // Each file has a button of its own, too.
  await review.getByTitle('Restores the previous contents of all 3 files').click();
  await expect(review.getByText(/Undone: 3 files were restored\./)).toBeVisible();
  expect(await readFile(at('src/shop.lisp'), 'utf8')).toBe(ORIGINAL);
  await expect(stat(at('src/cents.lisp'))).rejects.toThrow(/ENOENT/);
});
