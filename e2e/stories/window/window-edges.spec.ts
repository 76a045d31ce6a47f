/** Tests that all needed controls are visible and uncovered, also in a window of 900 by 600 pixels. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from '@playwright/test';
import { expect, test, type Desktop } from '../../desktop/fixture.ts';

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const boxOf = async (locator: Locator): Promise<Rectangle> => (await locator.boundingBox())!;

const overlap = (one: Rectangle, other: Rectangle): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

async function small({ app, page }: Desktop): Promise<void> {
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.setContentSize(900, 600));
  await expect.poll(() => page.evaluate(() => innerHeight)).toBeLessThan(610);
}

test('The line of a frame stays in view where the window leaves the editor less room', async ({
  sharedDesktop: desktop,
}) => {
  const file = path.join(desktop.project, 'deep.lisp');
  const before = Array.from({ length: 25 }, (_, index) => `(defvar *v-${index}* ${index})`).join('\n');
  await writeFile(file, `${before}\n(defun deep (x)\n  (car (+ x 1)))\n`);
  await desktop.openFile(file);
  await expect(desktop.region('Editor')).toContainText('*v-0*');
  await desktop.repl(`(load ${JSON.stringify(file)})`);
  await desktop.repl('(deep 1)');
  await expect(desktop.page.getByRole('tab', { name: 'Debugger 1 open' })).toBeVisible();
  await desktop.page.keyboard.press('Control+Shift+G');
  const editor = desktop.region('Editor');
  await expect(editor.locator('.frame-arrow')).toBeInViewport();
  await small(desktop);
  await expect(editor.locator('.frame-arrow')).toBeInViewport();
  const [arrow, dock] = [await boxOf(editor.locator('.frame-arrow')), await boxOf(desktop.region('Debugger'))];
  expect(overlap(arrow, dock)).toBe(false);
});
