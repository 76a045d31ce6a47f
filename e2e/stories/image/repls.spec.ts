/** Stories about several REPLs, both in one image and in separate images. */
import { expect, test, type Desktop } from '../../desktop/fixture.ts';
import { faultsOf } from '../../desktop/axe.ts';

const input = { name: 'REPL input' } as const;

/** Waits for a value in the visible transcript. */
async function value(desktop: Desktop, text: string): Promise<void> {
  await expect(desktop.region('REPL').getByRole('button', { name: `Inspect ${text}`, exact: true })).toBeVisible();
}

const tab = (desktop: Desktop, name: string | RegExp) =>
  desktop.region('REPL').getByRole('tablist', { name: 'REPLs' }).getByRole('tab', { name });

/** Runs a command by its name in the palette. */
async function command({ page }: Desktop, title: string): Promise<void> {
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.insertText(title);
  await page.getByRole('option', { name: title }).first().click();
}

test('REPLs, their names, packages and drafts, and further images are there again after a restart [D5]', async ({
  launch,
}) => {
  const first = await launch();
  await first.imageReady();
  await first.page.getByRole('textbox', input).click();
  await first.page.keyboard.press('Control+Shift+N');
  await expect(tab(first, 'REPL 2')).toHaveAttribute('aria-selected', 'true');
  await first.repl('(in-package :asdf)');
  await expect(first.region('REPL')).toContainText('ASDF/INTERFACE>');
  await first.page.keyboard.insertText('(half a');
  await command(first, 'New Image');
  await expect(tab(first, 'image 2')).toHaveAttribute('aria-selected', 'true');
  await first.repl('(in-package :uiop)');
  await expect(first.region('REPL')).toContainText('UIOP/DRIVER>');
  await first.close();
  const second = await launch({ home: first.home, project: first.project });
  const { page } = second;
  await second.imageReady();
  await expect(tab(second, 'image 2')).toHaveAttribute('aria-selected', 'true');
  await expect(second.region('REPL')).toContainText('image 2 starts when you evaluate a form.');
  await second.repl('(package-name *package*)');
  await value(second, '"UIOP/DRIVER"');
  await tab(second, 'REPL 2').click();
  await expect(page.getByRole('textbox', input)).toHaveValue('(half a');
  await expect(second.region('REPL')).toContainText('ASDF/INTERFACE>');
});

test('A loop in a further image holds up no other image, and a further image that is killed is brought back [D5]', async ({
  desktop,
}) => {
  const { page } = desktop;
  const repl = desktop.region('REPL');
  await command(desktop, 'New Image');
  await expect(tab(desktop, 'image 2')).toHaveAttribute('aria-selected', 'true');
  await expect(repl).toContainText('image 2 is a separate image.');
  expect(await faultsOf(page)).toEqual([]);
  await desktop.repl('(defun only-here () (list 1 2 3))');
  await desktop.repl('(only-here)');
  await value(desktop, '(1 2 3)');
  // Values of a separate image open in the inspector, and can be copied back into the REPL of that image.
  await repl.getByRole('button', { name: 'Inspect (1 2 3)' }).click();
  await expect(desktop.region('Inspector')).toContainText('(1 2 3)');
  // Names in the input of this REPL, and its last value, are looked up in its image.
  await page.getByRole('textbox', input).click();
  await page.keyboard.press('Control+i');
  await expect(desktop.region('Inspector').getByRole('heading', { name: '(1 2 3)' })).toBeVisible();
  await page.getByRole('textbox', input).click();
  await page.keyboard.type('(only-here');
  await page.keyboard.press('Control+Shift+I');
  await expect(desktop.region('Documentation')).toContainText('function in CL-USER');
  await page.getByRole('textbox', input).fill('');
  await desktop.repl('(defpackage :aside (:use :cl)) (in-package :aside)');
  await desktop.repl('(loop)');
  await expect(repl.getByRole('button', { name: 'Interrupt evaluation' })).toBeVisible();
  await tab(desktop, /^REPL$/).click();
  await desktop.repl("(list (+ 20 22) (fboundp 'only-here))");
  await value(desktop, '(42 NIL)');
  await page.getByRole('button', { name: 'Image workbench' }).click();
  await page.getByRole('menuitem', { name: /^image 2/ }).click();
  await expect(tab(desktop, /image 2/)).toHaveAttribute('aria-selected', 'true');
  const [image] = (await desktop.snapshot()).images;
  process.kill(image!.pid!, 'SIGKILL');
  await expect(repl).toContainText('Lost with the image: 2 definitions by you');
  // The new image does not have the REPL's package either. The REPL reports this, and uses the package again once it exists.
  const line = repl.getByRole('status', { name: 'Package' });
  await expect(line).toContainText('There is no package ASIDE in the image. This REPL is in CL-USER');
  await page.screenshot({ path: 'out/playwright/repls-missing-package.png' });
  await repl.getByRole('button', { name: 'Evaluate my definitions again' }).click();
  await expect(repl).toContainText('2 evaluated again.');
  await expect(line).toHaveCount(0);
  await desktop.repl('(cl-user::only-here)');
  await expect(repl.getByRole('button', { name: 'Inspect (1 2 3)' })).toHaveCount(2);
});

test('An error in a further image is met in the debugger, and closing its REPL asks whether the image ends too [D5]', async ({
  desktop,
}) => {
  const { page } = desktop;
  const repl = desktop.region('REPL');
  await command(desktop, 'New Image');
  await expect(tab(desktop, 'image 2')).toHaveAttribute('aria-selected', 'true');
  await desktop.repl('(let ((price 12)) (with-simple-restart (skip "Skip it.") (error "No ~A." price)) :skipped)');
  const panel = desktop.region('Debugger');
  await expect(panel.getByRole('listbox', { name: 'Frames' })).toBeFocused();
  await page.keyboard.press('Control+Backquote');
  await expect(repl).toContainText('in the debugger');
  await repl.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(panel).toContainText('No 12.');
  await panel.getByRole('button', { name: 'SKIP Skip it.' }).click();
  await page.getByRole('tablist', { name: 'Below the editor' }).getByRole('tab', { name: 'REPL' }).click();
  await value(desktop, ':SKIPPED');
  await desktop.repl('(read-line)');
  await expect(repl).toContainText('The program is waiting for a line');
  await page.getByRole('textbox', input).click();
  await page.keyboard.type('answered');
  await page.keyboard.press('Enter');
  await value(desktop, '"answered"');
  await desktop.repl('(loop (print :forever))');
  await repl.getByRole('button', { name: 'Stop printing' }).click();
  await repl.getByRole('button', { name: 'Interrupt evaluation' }).click();
  await expect(repl).toContainText('Interrupted');
  // The command restarts the image of this REPL, not the shared one.
  const before = await desktop.snapshot();
  await desktop.repl(',restart');
  await page
    .getByRole('alertdialog', { name: 'Restart the image “image 2”?' })
    .getByRole('button', { name: 'Restart' })
    .click();
  await expect
    .poll(async () => (await desktop.snapshot()).images.map(({ pid, state }) => [pid !== before.images[0]!.pid, state]))
    .toEqual([[true, 'idle']]);
  expect((await desktop.snapshot()).session.pid).toBe(before.session.pid);
  await desktop.repl('(list *)');
  await value(desktop, '(NIL)');
  const [image] = (await desktop.snapshot()).images;
  await page.getByRole('textbox', input).click();
  await page.keyboard.press('Control+Shift+W');
  const question = page.getByRole('alertdialog', { name: 'Close the REPL image 2, and end its image?' });
  await question.getByRole('button', { name: 'End the image' }).click();
  await expect(repl.getByRole('tablist', { name: 'REPLs' })).toBeHidden();
  expect((await desktop.snapshot()).images).toEqual([]);
  expect(() => process.kill(image!.pid!, 0)).toThrow();
  await desktop.repl('(+ 20 22)');
  await value(desktop, '42');
});

test('A REPL in the own image of a client is opened from the image menu, and says when that image has ended [D5, decision 22]', async ({
  desktop,
}) => {
  const { page } = desktop;
  const repl = desktop.region('REPL');
  const agent = await desktop.agent('codex');
  const [client] = (await desktop.snapshot()).clients;
  const own = (ownImage: boolean) =>
    page.evaluate(([id, wanted]) => window.workbench.call('clients.change', { id, ownImage: wanted }), [
      client!.id,
      ownImage,
    ] as const);
  await own(true);
  await agent.call('evaluate-lisp', { code: '(defvar *of-codex* 7)' });
  await page.getByRole('button', { name: 'Image workbench' }).click();
  await page.getByRole('menuitem', { name: /^image of codex/ }).click();
  await expect(tab(desktop, 'REPL 2')).toContainText('image of codex');
  await desktop.repl('(list *of-codex* :seven)');
  await value(desktop, '(7 :SEVEN)');
  // A value is copied into a REPL of its own image, whichever REPL is visible.
  await repl.getByRole('button', { name: 'Inspect (7 :SEVEN)', exact: true }).click();
  await expect(desktop.region('Inspector')).toContainText('(7 :SEVEN)');
  await tab(desktop, /^REPL$/).click();
  await command(desktop, 'Inspector: Copy to REPL');
  await expect(tab(desktop, /REPL 2/)).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('textbox', input)).not.toHaveValue('');
  await page.keyboard.press('Control+Enter');
  await expect(repl.getByRole('button', { name: 'Inspect (7 :SEVEN)', exact: true })).toHaveCount(2);
  await own(false);
  await expect(repl).toContainText('The image has ended.');
  await repl.getByRole('button', { name: 'Close the REPL' }).click();
  await expect(repl.getByRole('tablist', { name: 'REPLs' })).toBeHidden();
  await agent.close();
});
