import type { Locator } from '@playwright/test';
import { expect, test, type Desktop } from '../../desktop/fixture.ts';

function item(desktop: Desktop): Locator {
  return desktop.region('Status bar').getByRole('button', { name: /checkpoint/ });
}

test('The person makes a checkpoint, and goes back to before what an agent did [P4, D12]', async ({ desktop }) => {
  const { page } = desktop;
  await desktop.repl('(defun area (r) (* r r))');
  await expect(item(desktop)).toHaveText('no checkpoints');
  await item(desktop).click();
  await page.getByRole('menuitem', { name: 'Make a Checkpoint…' }).click();
  const making = page.getByRole('dialog', { name: 'Make a checkpoint' });
  await making.getByRole('textbox', { name: 'Name' }).fill('all is well');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'Checkpoint “all is well” was created.' })).toBeVisible();
  const agent = await desktop.agent('claude-code');
  await agent.call('evaluate-lisp', { code: '(defun area (r) (* 3.14 r r)) (defun volume (r) (* r r r))' });
  await desktop.repl('(defvar *mine* 1)');
  await expect(desktop.region('REPL')).toContainText('*MINE*');
  await expect(item(desktop)).toHaveText('2 checkpoints');
  await item(desktop).click();
  const menu = page.getByRole('menu', { name: 'Checkpoints' });
  await expect(menu.getByRole('menuitem').nth(1)).toContainText("before claude-code's evaluation 1");
  await expect(menu.getByRole('menuitem').nth(2)).toContainText(/all is well.*you · just now · [\d.]+ MB/);
  await menu.getByRole('menuitem').nth(2).click();
  const asked = page.getByRole('alertdialog', { name: 'Go back to “all is well”?' });
  await expect(asked).toContainText('You defined *mine*');
  await expect(asked).toContainText(/claude-code defined (volume, area|area, volume)/);
  await expect(asked).toContainText('Files, sockets, other processes and your text do not change.');
  await asked.getByRole('button', { name: 'Go back' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'The image is back at “all is well”.' })).toBeVisible();
  await desktop.repl('(list (area 12) (fboundp (quote volume)) (boundp (quote *mine*)))');
  await expect(desktop.region('REPL')).toContainText('(144 NIL NIL)');
  await expect(desktop.region('Definitions').getByRole('treeitem', { name: 'volume' })).toHaveCount(0);
});

test('What did not come back is told; the palette leads there too, and going back can be undone [P4]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  await desktop.repl('(defvar *child* (sb-ext:run-program "/bin/cat" nil :wait nil :input :stream))');
  await expect(desktop.region('REPL')).toContainText('*CHILD*');
  await page.evaluate(() => window.workbench.call('session.checkpoint', { label: 'with a child' }));
  await desktop.repl('(defun later () :later)');
  await expect(desktop.region('REPL')).toContainText('LATER');
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.insertText('go back to a');
  const command = page.getByRole('option', { name: /Go Back to a Checkpoint/ });
  await expect(command).not.toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Enter');
  const choosing = page.getByRole('dialog', { name: 'Go back to a checkpoint' });
  await expect(choosing.getByRole('option', { name: 'with a child' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Go back' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Not restored: 1 p' })).toBeVisible();
  await item(desktop).click();
  await page.getByRole('menuitem', { name: /before going back to/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Go back' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'is back at “before going back' })).toBeVisible();
  await desktop.repl('(later)');
  await expect(desktop.region('REPL')).toContainText(':LATER');
});

test('The reason why no checkpoint can be made is said where one would make it', async ({ sharedDesktop: desktop }) => {
  const { page } = desktop;
  await desktop.repl('(defvar *t* (sb-thread:make-thread (lambda () (sleep 1000)) :name "server"))');
  await expect(desktop.region('REPL')).toContainText('*T*');
  await desktop.imageReady();
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.insertText('make a checkpoint');
  await page.keyboard.press('Enter');
  const making = page.getByRole('dialog', { name: 'Make a checkpoint' });
  await expect(making.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(making).toContainText('No checkpoint: 1 thread is running: server.');
  await page.keyboard.press('Escape');
  await expect(making).toBeHidden();
  await item(desktop).click();
  await expect(page.getByRole('menu', { name: 'Checkpoints' })).toContainText('1 thread is running: server.');
});

test('After an image went back by itself, the window says to where and offers what came after [K6, P4]', async ({
  sharedDesktop: desktop,
}) => {
  await desktop.page.evaluate(() => window.workbench.call('session.checkpoint', { label: 'all is well' }));
  await desktop.repl('(defun after () :after)');
  await desktop.repl('(sb-ext:exit :code 9 :abort t)');
  const repl = desktop.region('REPL');
  await expect(repl).toContainText(
    'The image returned to its checkpoint “all is well”. Undone since then: 1 definition by you.',
  );
  await repl.getByRole('button', { name: 'Evaluate my definitions again' }).click();
  await expect(repl).toContainText('1 evaluated again.');
  await desktop.repl('(list (after))');
  await expect(repl).toContainText('(:AFTER)');
  // The report disappears with the next evaluation. When the image ends in another way, another bar appears [B4].
  await expect(repl).not.toContainText('1 evaluated again.');
  await desktop.repl('(defun later () :later)');
  await desktop.repl('(sb-ext:exit :code 8 :abort t)');
  await expect(repl.getByRole('button', { name: 'Evaluate my definitions again' })).toBeVisible();
  await expect(repl).not.toContainText('1 evaluated again.');
});
