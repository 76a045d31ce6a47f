import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from '@playwright/test';
import { expect, test, type Desktop } from '../../desktop/fixture.ts';

function group(desktop: Desktop, number: number): Locator {
  return desktop.region('Editor').getByRole('group', { name: `Group ${number}` });
}

function tabs(desktop: Desktop, number: number): Locator {
  return group(desktop, number).getByRole('tab');
}

/** Waits until the text of a group has the focus. */
async function hasFocus(desktop: Desktop, number: number): Promise<void> {
  await expect
    .poll(() => group(desktop, number).evaluate((each) => each.querySelector('.monaco-editor.focused') !== null))
    .toBe(true);
}

async function threeFiles(desktop: Desktop): Promise<void> {
  for (const name of ['one', 'two', 'three']) {
    const file = path.join(desktop.project, `${name}.lisp`);
    const lines = Array.from({ length: 120 }, (_, index) => `(defun ${name}-${index + 1} (x) (+ x ${index + 1}))`);
    await writeFile(file, `${lines.join('\n')}\n`);
    await desktop.openFile(file);
    await expect(desktop.page.getByRole('tab', { name: `${name}.lisp` })).toHaveAttribute('aria-selected', 'true');
  }
}

test('Groups, their sizes, tabs and carets are there again after a restart [D18]', async ({ launch }) => {
  const home = await mkdtemp(path.join(tmpdir(), 'home-'));
  const first = await launch({ home });
  await first.imageReady();
  await threeFiles(first);
  await first.region('Editor').locator('.monaco-editor').first().click();
  await first.page.keyboard.press('Control+\\');
  await hasFocus(first, 2);
  await first.page.keyboard.press('Control+g');
  await first.page.keyboard.insertText('77');
  await first.page.keyboard.press('Enter');
  await expect(first.region('Status bar')).toContainText('Ln 77');
  await first.page.keyboard.press('Control+Shift+F6');
  await hasFocus(first, 1);
  await first.page.keyboard.press('Control+PageUp');
  await first.region('Editor').getByRole('separator').focus();
  for (let count = 0; count < 6; count += 1) await first.page.keyboard.press('ArrowRight');
  const widths = async (desktop: Desktop): Promise<number[]> => [
    (await group(desktop, 1).boundingBox())!.width,
    (await group(desktop, 2).boundingBox())!.width,
  ];
  const before = await widths(first);
  await first.close();
  const second = await launch({ home, project: first.project });
  await second.imageReady();
  await expect(tabs(second, 1)).toHaveText([/one\.lisp/, /two\.lisp/, /three\.lisp/]);
  await expect(tabs(second, 1).filter({ hasText: 'two.lisp' })).toHaveAttribute('aria-selected', 'true');
  await expect(tabs(second, 2)).toHaveText([/three\.lisp/]);
  const after = await widths(second);
  expect(Math.abs(after[0]! - before[0]!)).toBeLessThan(2);
  await group(second, 2).getByRole('tab').click();
  await second.page.keyboard.press('Control+1');
  await hasFocus(second, 2);
  await expect(second.region('Status bar')).toContainText('Ln 77');
  await second.close();
  await rm(home, { recursive: true, force: true });
});
