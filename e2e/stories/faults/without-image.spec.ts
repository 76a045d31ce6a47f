/** Stories about the editor while the image is busy, stopped or missing. The editor then uses only the texts. */
import { execFile } from 'node:child_process';
import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Desktop, expect, test } from '../../desktop/fixture.ts';

const SHOP = `(in-package :cl-user)

(defun total-price (cart &key discount)
  (- (reduce #'+ cart)
     (or discount 0)))

;; Two lines
;; of a comment.
(defun receipt (cart)
  (list :total
        (total-price cart)))
`;
const TAX = `(in-package :cl-user)

(defmacro with-tax ((country) &body body)
  \`(let ((*country* ,country)) ,@body))

(defun tax-of (cents)
  (round cents 5))

(defclass basket ()
  ((wares :initarg :wares)))
`;

/** Opens a project with two files that the image has never seen. One file is open with the caret at its end. */
async function openShop(desktop: Desktop): Promise<void> {
  await mkdir(path.join(desktop.project, 'src'), { recursive: true });
  await writeFile(path.join(desktop.project, 'src', 'tax.lisp'), TAX);
  const shop = path.join(desktop.project, 'src', 'shop.lisp');
  await writeFile(shop, SHOP);
  await desktop.openFile(shop);
  await expect(desktop.page.getByRole('tab', { name: 'shop.lisp' })).toHaveAttribute('aria-selected', 'true');
  await desktop.region('Editor').locator('.monaco-editor').first().click();
  await desktop.page.keyboard.press('Control+End');
}

/** Uses the features that need no image, regardless of the image's state. */
async function staticFeatures(desktop: Desktop): Promise<void> {
  const { page } = desktop;
  const editor = desktop.region('Editor');
  const status = desktop.region('Status bar');
  const selected = page.getByRole('tab', { selected: true, name: /\.lisp/ });

  // Types a definition: closers are inserted and typed over, and lines are indented.
  await page.keyboard.type('\n(defun customer-total (customer-cart)');
  await page.keyboard.press('Enter');
  await page.keyboard.type('(let ((cheapest-item 1))');
  await page.keyboard.press('Enter');
  await expect(status).toContainText('Ln 15, Col 5');

  // Completes names from the form around the caret, from the text, and from the standard.
  const chosen = page.locator('.suggest-widget.visible .monaco-list-row.focused');
  await page.keyboard.type('(list cheapest-');
  await expect(chosen).toContainText('cheapest-item');
  await page.keyboard.press('Tab');
  await page.keyboard.type(' customer-c');
  await expect(chosen).toContainText('customer-cart');
  await page.keyboard.press('Tab');
  await page.keyboard.type(' (nth-val');
  await expect(chosen).toContainText('nth-value');
  await page.keyboard.press('Tab');
  await page.keyboard.type(' (tax-of 5');
  await page.keyboard.press('Escape');
  await expect(editor).toContainText('(list cheapest-item customer-cart (nth-value (tax-of 5)');

  // Goes to a definition in a file of the project that is not open, and back.
  for (let count = 0; count < 4; count += 1) await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('F12');
  await expect(selected).toContainText('tax.lisp');
  await expect(status).toContainText('Ln 6, Col');
  await page.keyboard.press('Alt+ArrowLeft');
  await expect(selected).toContainText('shop.lisp');
  await expect(status).toContainText('Ln 15, Col');

  // Goes from an initarg to the slot of a class.
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Enter');
  await page.keyboard.insertText("(make-instance 'basket :wares 1)");
  for (let count = 0; count < 4; count += 1) await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('F12');
  await expect(selected).toContainText('tax.lisp');
  await expect(status).toContainText('Ln 10, Col 5');
  await page.keyboard.press('Alt+ArrowLeft');
  await expect(selected).toContainText('shop.lisp');

  // An unclosed form is listed as a problem until it is closed.
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Enter');
  await page.keyboard.insertText('(never closed');
  const wrong = editor.locator('.squiggly-error');
  await expect(wrong).toHaveCount(1);
  await page.keyboard.insertText(')');
  await expect(wrong).toHaveCount(0);

  // Uses the outline and search.
  await page.keyboard.press('Control+Shift+R');
  await expect(page.getByRole('combobox', { name: 'Command field' })).toBeFocused();
  await page.keyboard.insertText('receipt');
  await expect(page.getByRole('option', { name: /receipt/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(status).toContainText('Ln 9, Col');
  await page.keyboard.press('Control+Shift+F');
  await expect(desktop.region('Search').getByRole('textbox', { name: 'Find in files' })).toBeFocused();
  await page.keyboard.insertText('with-tax');
  await page.keyboard.press('Enter');
  await expect(desktop.region('Search')).toContainText('(defmacro with-tax');

  // Folding.
  await page.keyboard.press('Control+1');
  await expect(editor.locator('.monaco-editor.focused').first()).toBeVisible();
  await runCommand(desktop, 'Fold All');
  await expect(editor.locator('.view-line', { hasText: '(reduce' })).toHaveCount(0);
  await runCommand(desktop, 'Unfold All');
  await expect(editor.locator('.view-line', { hasText: '(reduce' })).toHaveCount(1);
}

/**
 * Runs a command from the palette. Waits for the palette before typing, because text typed earlier would go into the editor, and for the
 * row before Enter, which runs the row that is selected at that moment.
 */
async function runCommand({ page }: Desktop, title: string): Promise<void> {
  const palette = page.getByRole('combobox', { name: 'Command field' });
  await page.keyboard.press('Control+Shift+P');
  await expect(palette).toBeFocused();
  await page.keyboard.insertText(title);
  await expect(page.getByRole('option').first()).toContainText(title);
  await page.keyboard.press('Enter');
  await expect(palette).toHaveCount(0);
}

test('While code of an agent goes round without end, what needs no image answers, and the image completes its names', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const agent = await desktop.agent('codex');
  void agent.call('evaluate-lisp', { code: '(loop)' }).catch(() => {});
  await expect(desktop.region('REPL').getByRole('article', { name: 'Evaluated by codex' })).toBeVisible();
  await openShop(desktop);
  await staticFeatures(desktop);
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('(sb-ext:*posix-ar');
  await expect(page.locator('.suggest-widget.visible').getByRole('option', { name: /posix-argv/ })).toBeVisible();
  await agent.close();
});

/** Stops the image's process while `act` runs. An image that does not answer for long counts as dead and is replaced. */
async function whileStopped(desktop: Desktop, act: () => Promise<void>): Promise<void> {
  const pid = (await desktop.snapshot()).session.pid!;
  process.kill(pid, 'SIGSTOP');
  try {
    await act();
  } finally {
    if ((await desktop.snapshot()).session.pid === pid) process.kill(pid, 'SIGCONT');
  }
}

test('While the process of the image is stopped, what needs no image answers', async ({ sharedDesktop: desktop }) => {
  await openShop(desktop);
  await whileStopped(desktop, () => staticFeatures(desktop));
});

test('What a stopped image is asked is answered when it goes on, and the person types on until then', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const editor = desktop.region('Editor');
  await desktop.newFile('(list 40 2)\n');
  await whileStopped(desktop, async () => {
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Control+Enter');
    await expect(editor).toContainText('evaluating');
    await page.keyboard.press('Control+End');
    await page.keyboard.type('(no-such-package:name 1) ; typed meanwhile');
    await expect(editor).toContainText('; typed meanwhile');
    await expect(editor.locator('.inline-value')).toHaveCount(0);
    await expect(editor.locator('.squiggly-error, .squiggly-warning')).toHaveCount(0);
  });
  await expect(editor.locator('.inline-value')).toContainText('=> (40 2)');
  await expect(editor.locator('.squiggly-error, .squiggly-warning')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await page.keyboard.type('(sb-ext:*posix-ar');
  await expect(page.locator('.suggest-widget.visible').getByRole('option', { name: /posix-argv/ })).toBeVisible();
});

/** Writes a program that takes SBCL's place and does nothing. Once the returned function is called, the program fails instead. */
async function failingSbcl(program: string): Promise<() => Promise<void>> {
  const gate = `${program}.gate`;
  await promisify(execFile)('mkfifo', [gate]);
  await writeFile(program, `#!/bin/sh\n[ -p '${gate}' ] && cat '${gate}'\nexit 1\n`, { mode: 0o755 });
  return async () => {
    const opened = await open(gate, 'w');
    await rm(gate);
    await opened.close();
  };
}

test('Panels about the image say that it starts, and that there is none; without any, what needs none answers', async ({
  launch,
}, testInfo) => {
  const sbcl = testInfo.outputPath('sbcl');
  const fail = await failingSbcl(sbcl);
  const desktop = await launch({ env: { LISP_WORKBENCH_SBCL: sbcl } });
  const says = async (words: string): Promise<void> => {
    for (const panel of ['Threads', 'Memory']) {
      await desktop.page.getByRole('tab', { name: panel }).click();
      await expect(desktop.region(panel)).toContainText(words);
    }
  };
  await says('The image is starting.');
  await fail();
  await says('No image is running.');
  await expect(desktop.region('Memory').getByRole('button', { name: 'Start image' })).toBeVisible();
  await desktop.page.getByRole('tab', { name: 'REPL' }).click();
  await expect(desktop.region('REPL')).toContainText('To evaluate forms, start an image.');
  await openShop(desktop);
  await staticFeatures(desktop);
  // The Browser and the Threads panel need the image, so they report that it is missing.
  const { page } = desktop;
  await page.keyboard.press('Control+2');
  for (const tab of ['Apropos', 'Classes', 'Generic functions', 'Packages']) {
    await desktop.region('Browser').getByRole('tab', { name: tab }).click();
    await expect(desktop.region('Browser')).toContainText('No image is running.');
  }
  await page.getByRole('tab', { name: 'Threads' }).click();
  await expect(desktop.region('Threads')).toContainText('No image is running.');
});
