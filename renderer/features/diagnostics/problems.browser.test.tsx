/** Problems in the text and in their panel, as the reader of the window and the compiler's answers have them. */
import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { type Disk, openDisk, openOnDisk } from '../../disk.fixture.ts';
import { reportOf } from '../../image.fixture.ts';
import { editorRegion, region } from '../../text.fixture.ts';
import { answer, openWholeWindow, press } from '../../window.fixture.tsx';

let disk: Disk;

beforeEach(async () => {
  disk = openDisk(await openWholeWindow());
});

const listed = (): string[] =>
  region('Problems')
    .getByRole('treeitem')
    .elements()
    .map(({ textContent }) => textContent);
const having = (text: string): number => listed().filter((each) => each.includes(text)).length;

it('Faults of the syntax are marked while typing, where the image answers nothing too [issue 36.4]', async () => {
  await openOnDisk(disk, 'typed.lisp', '¦(list 1))\n\n(car nosuch-package:thing)\n');
  await press('End');
  await press('Space');
  await expect.poll(() => editorRegion().element().querySelector('.squiggly-error')).not.toBeNull();
  await press('Control+Shift+M');
  await expect.poll(() => having('no open parenthesis')).toBe(1);
});

it('Problems of a file go with it when it is moved, at once or when its text is closed [issue 36.4]', async () => {
  answer({
    'compile.text': ({ evaluation, source, text }) => {
      const start = text.indexOf('(x)') + 1;
      return {
        report: reportOf(evaluation, []),
        result: {
          failed: false,
          warningsP: true,
          diagnostics: [
            {
              severity: 'style-warning',
              type: 'STYLE-WARNING',
              message: 'The variable X is defined but never used.',
              file: source.file,
              start,
              end: start + 1,
              line: 3,
              column: start - text.lastIndexOf('\n', start) - 1,
              context: 'unused',
            },
          ],
          total: 1,
          loaded: true,
          definitions: 1,
          fasl: null,
          refused: [],
        },
      };
    },
  });
  for (const name of ['closed', 'open']) {
    await openOnDisk(disk, `${name}.lisp`, '(in-package #:cl-user)\n\n(defun unused (x) 1)\n');
    await press('Control+Shift+B');
    await expect.element(page.getByText(new RegExp(`Compiled ${name}\\.lisp`)).first()).toBeVisible();
    if (name === 'closed') await press('Control+w');
  }
  await press('Control+Shift+M');
  await expect.poll(() => having('never used')).toBe(2);
  for (const name of ['closed', 'open']) disk.remove(`${name}.lisp`);
  await expect.poll(() => having('never used')).toBe(1);
  await expect.element(page.getByText('open.lisp no longer exists on disk. Its text exists only here.')).toBeVisible();
  await editorRegion().getByText('unused').last().click();
  await press('Control+w');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect.poll(listed).toEqual([]);
});
