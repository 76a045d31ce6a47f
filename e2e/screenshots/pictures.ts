/** Drives the real app and takes the screenshots of the documentation, in the light and the dark theme: `npm run screenshots`. */
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test, type Desktop } from '../desktop/fixture.ts';

const PICTURES = path.resolve(import.meta.dirname, '..', '..', 'resources', 'screenshots');

const CART = `(defpackage :shop
  (:use :cl))

(in-package :shop)

(defvar *catalogue* (make-hash-table :test 'equal)
  "Products by SKU.")

(defclass line-item ()
  ((price :initarg :price :reader price)
   (quantity :initarg :quantity :reader quantity)))

(defun tax-rate (country)
  "Value added tax in COUNTRY, as a rational."
  (ecase country
    (:de 19/100)
    (:fr 1/5)
    (:ch 81/1000)))

(defun total (lines country)
  "Price of LINES in cents with tax; as a second value, without it."
  (loop for line in lines
        sum (* (price line) (quantity line)) into net
        finally (return (values (round (* net (1+ (tax-rate country))))
                                net))))

(total (list (make-instance 'line-item :price 490 :quantity 3)) :de)
`;

/** Takes a screenshot of the whole window, including both views, as it appears on the screen. */
function takePicture(name: string): void {
  execFileSync('import', ['-window', 'root', path.join(PICTURES, `${name}.png`)]);
}

async function settled(desktop: Desktop): Promise<void> {
  await expect.poll(async () => (await desktop.snapshot()).session.state).toBe('idle');
  await painted(desktop);
}

async function painted(desktop: Desktop): Promise<void> {
  await desktop.page.evaluate(() => document.fonts.ready.then(() => undefined));
  // Two frames after the last change, everything is painted.
  await desktop.page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
}

for (const theme of ['dark', 'light'] as const) {
  test(`the window and Review, ${theme}`, async ({ launch }) => {
    await mkdir(PICTURES, { recursive: true });
    const desktop = await launch({ colorScheme: theme, projectName: 'shop', env: { HTTP_PORT: '9081' } });
    const { page, project } = desktop;
    await writeFile(path.join(project, 'cart.lisp'), CART);
    await page.evaluate((chosen) => window.workbench.call('settings.change', { theme: chosen }), theme);
    await desktop.imageReady();

    const agent = await desktop.agent('claude-code');
    await desktop.openFile(path.join(project, 'cart.lisp'));
    await expect(desktop.region('Editor')).toContainText('tax-rate');
    const file = path.join(project, 'cart.lisp');
    await page.evaluate(
      ([code, place]) =>
        window.workbench.call('repl.evaluate', {
          evaluation: crypto.randomUUID(),
          code,
          package: null,
          origin: 'editor',
          source: { file: place, offset: 0, line: 1 },
        }),
      [CART, file] as const,
    );
    await page.keyboard.press('Control+End');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('End');
    await page.keyboard.press('Control+Enter');
    await expect(desktop.region('Editor')).toContainText('=> 1749');
    await desktop.repl('(in-package :shop)');
    await desktop.repl('(tax-rate :fr)');
    await expect(desktop.region('REPL')).toContainText('1/5');
    await agent.call('evaluate-lisp', {
      code: '(in-package :shop)\n(defun discount (line)\n  "Cents that a customer saves on LINE."\n  (if (>= (quantity line) 3) (round (price line) 10) 0))\n(discount (make-instance \'line-item :price 490 :quantity 3))',
    });
    await expect(desktop.region('REPL')).toContainText('discount');
    await settled(desktop);
    takePicture(`workbench-${theme}`);

    const call = agent.call('write-file', {
      path: 'cart.lisp',
      content: CART.replace('(:fr 1/5)', '(:fr 1/5)\n    (:at 1/5)').replace(
        '\n(total (list',
        '\n(defun discount (line)\n  "Cents that a customer saves on LINE."\n  (if (>= (quantity line) 3)\n      (round (price line) 10)\n      0))\n\n(total (list',
      ),
    });
    await expect(page.getByRole('button', { name: /^Review/ })).toContainText('1');
    await page.keyboard.press('F7');
    const review = await desktop.review();
    await expect(review.getByRole('button', { name: 'Approve', exact: true })).toBeEnabled();
    takePicture(`review-${theme}`);
    await review.getByRole('button', { name: 'Approve', exact: true }).click();
    await call;
    await page.getByRole('button', { name: /^Review/ }).click();

    await page.getByRole('button', { name: 'Activity', exact: false }).first().click();
    await expect(desktop.region('Activity')).toContainText('write-file');
    await settled(desktop);
    takePicture(`activity-${theme}`);
  });

  test(`the debugger, ${theme}`, async ({ launch }) => {
    const desktop = await launch({ colorScheme: theme, projectName: 'shop', env: { HTTP_PORT: '9081' } });
    const { page, project } = desktop;
    const file = path.join(project, 'cart.lisp');
    await writeFile(file, CART);
    await page.evaluate((chosen) => window.workbench.call('settings.change', { theme: chosen }), theme);
    await desktop.imageReady();
    await desktop.openFile(file);
    await expect(desktop.region('Editor')).toContainText('tax-rate');
    await page.keyboard.press('Control+Shift+B');
    await expect.poll(async () => JSON.stringify((await desktop.snapshot()).definitions)).toContain('"TOTAL"');
    await desktop.repl('(in-package :shop)');
    await desktop.repl("(total (list (make-instance 'line-item :price 490 :quantity 3)) :us)");
    await expect(desktop.region('REPL')).toContainText('in the debugger');
    await page.keyboard.press('Control+Shift+G');
    const frames = desktop.region('Debugger').getByRole('listbox', { name: 'Frames' });
    await expect(frames).toContainText('tax-rate', { ignoreCase: true });
    await expect(frames).toBeFocused();
    await painted(desktop);
    takePicture(`debugger-${theme}`);
  });
}
