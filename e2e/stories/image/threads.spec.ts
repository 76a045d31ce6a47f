/** Stories in which a person examines the image's threads. */
import { expect, test } from '../../desktop/fixture.ts';

test('A thread that loops is found, with its backtrace, and ended [D11]', async ({ sharedDesktop: desktop }) => {
  const { page } = desktop;
  await desktop.repl(
    `(progn (defun spin () (loop)) (sb-thread:make-thread (lambda () (spin) 1) :name "poller") :begun)`,
  );
  await expect(desktop.region('REPL').getByRole('button', { name: 'Inspect :BEGUN' })).toBeVisible();
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.insertText('threads: focus');
  await page.keyboard.press('Enter');
  const threads = desktop.region('Threads');
  const poller = threads.getByRole('treeitem', {
    name: /^poller, running, \(progn \(defun spin.* by you, evaluation has ended$/,
  });
  await expect(poller).toBeVisible();
  await expect(poller).toHaveAccessibleName(/ \d+ % · /);
  await expect(threads.getByRole('treeitem', { name: /of Lisp Workbench and SBCL/ })).toHaveAttribute(
    'aria-expanded',
    'false',
  );
  await expect(threads.getByRole('tree')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(threads.getByRole('region', { name: 'Backtrace of poller' })).toContainText('(SPIN)');
  await page.keyboard.press('Delete');
  await page.getByRole('alertdialog').getByRole('button', { name: 'End Thread' }).click();
  await expect(poller).toBeHidden();
  await expect(desktop.page.getByText('The thread poller was asked to end.')).toBeVisible();
});
