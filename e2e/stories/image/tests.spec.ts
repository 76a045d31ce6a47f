/** Stories in which a person runs tests from the gutter and from the Tests panel. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { faultsInBothThemes } from '../../desktop/axe.ts';
import { type Desktop, expect, test } from '../../desktop/fixture.ts';

const SYSTEM = `(defsystem "till" :components ((:file "till")) :in-order-to ((test-op (test-op "till/tests"))))
(defsystem "till/tests" :depends-on ("till" "fiveam") :components ((:file "tests"))
  :perform (test-op (o c) (symbol-call :fiveam '#:run! (find-symbol* '#:till :till/tests))))
`;
const PROGRAM = `(defpackage :till (:use :cl) (:export #:total #:change))
(in-package :till)
(defun total (prices) (reduce #'+ prices))
(defun change (paid price) (if (< paid price) (error "~A is not enough for ~A." paid price) (- paid price)))
`;
const TESTS = `(defpackage :till/tests (:use :cl :fiveam :till))
(in-package :till/tests)
(def-suite till)
(in-suite till)

(defmacro define-sum-test (name sum prices)
  \`(test ,name (is (= ,sum (total ,prices)))))

(progn
  (define-sum-test adds 6 '(1 2 3)))

(test lists
  (is (equal '(:coffee 3 :cake 4 :sum 7) (list :coffee 3 :cake 4 :sum (total '(3 5))))))

(test gives-back
  (format t "one moment")
  (is (= 1 (change 2 3))))
`;

async function run(desktop: Desktop, command: string): Promise<void> {
  await desktop.page.keyboard.press('Control+Shift+P');
  await desktop.page.keyboard.insertText(command);
  await desktop.page.keyboard.press('Enter');
}

/** Takes screenshots at the two sizes of the window, so that a person can look at them later. */
async function shoot(desktop: Desktop, name: string): Promise<void> {
  const folder = process.env['SHOTS'];
  if (folder === undefined) return;
  for (const colorScheme of ['dark', 'light'] as const)
    for (const size of [
      { width: 1600, height: 1000 },
      { width: 900, height: 600 },
    ]) {
      await desktop.page.evaluate((theme) => window.workbench.call('settings.change', { theme }), colorScheme);
      await desktop.page.setViewportSize(size);
      await desktop.page.screenshot({ path: path.join(folder, `${name}-${colorScheme}-${size.width}.png`) });
    }
  await desktop.page.setViewportSize({ width: 1600, height: 1000 });
}

test('Failing tests are found, one is mended in the editor and run again by the keyboard, green [D11]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const file = path.join(desktop.project, 'tests.lisp');
  writeFileSync(path.join(desktop.project, 'till.asd'), SYSTEM);
  writeFileSync(path.join(desktop.project, 'till.lisp'), PROGRAM);
  writeFileSync(file, TESTS);
  const panel = desktop.region('Tests');
  await desktop.imageReady();

  // Without a framework the panel says what to do, and its button does it.
  await page.keyboard.press('Control+;');
  await page.keyboard.press('t');
  await expect(panel.getByText('No test framework is loaded.')).toBeVisible();
  expect(await faultsInBothThemes(desktop)).toEqual([]);
  await panel.getByRole('button', { name: 'Load till/tests' }).press('Enter');
  const tree = panel.getByRole('tree', { name: 'Tests of the image' });
  await expect(tree.getByRole('treeitem', { name: 'adds, not run' })).toBeVisible();

  // Runs all tests: two fail, one of them with an error, which does not open a debugger.
  await page.keyboard.press('Control+;');
  await page.keyboard.press('a');
  const status = panel.getByRole('status');
  await expect(status).toHaveText('1 of 3 passed, 2 failed');
  await expect(tree.getByRole('treeitem', { name: 'till, 2 of 3 failed' })).toBeVisible();
  expect((await desktop.snapshot()).debuggers.debuggers).toEqual([]);
  await tree.focus();
  await page.keyboard.press('Home');
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowDown');
  const lists = panel.getByRole('region', { name: 'Result of lists' });
  await expect(lists.getByRole('button', { name: 'Inspect (:COFFEE 3 :CAKE 4 :SUM 7)' })).toBeVisible();
  await expect(lists.getByRole('group', { name: 'Difference' }).locator('mark')).toHaveText(['7', '8']);
  await shoot(desktop, 'failed');
  expect(await faultsInBothThemes(desktop)).toEqual([]);
  await lists.getByRole('button', { name: 'Inspect (:COFFEE 3 :CAKE 4 :SUM 8)' }).press('Enter');
  await expect(desktop.region('Inspector').getByText('8', { exact: true }).first()).toBeVisible();
  await tree.focus();
  await page.keyboard.press('ArrowDown');
  const error = panel.getByRole('region', { name: 'Result of gives-back' });
  await expect(error.getByText('2 is not enough for 3.').first()).toBeVisible();
  await expect(error.getByRole('list', { name: 'Frames' })).toContainText('(CHANGE 2 3)');
  await expect(error.getByLabel('Output of gives-back')).toHaveText('one moment');
  await shoot(desktop, 'error');

  // Goes from the tree to the source of a test and fixes it there. Running the test evaluates the typed text, and the panel reports this.
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('v');
  await expect(page.getByRole('tab', { name: 'tests.lisp' })).toHaveAttribute('aria-selected', 'true');
  await expect(desktop.region('Editor').locator('.test-mark.failed')).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  for (let step = 0; step < 6; step += 1) await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('4');
  await page.keyboard.press('Control+;');
  await page.keyboard.press('c');
  await expect(page.getByText('lists was evaluated first. 1 test: 1 passed.')).toBeVisible();
  await expect(desktop.region('Editor').locator('.test-mark.passed')).toHaveCount(2);
  await expect(tree.getByRole('treeitem', { name: /^lists, passed/ })).toBeVisible();
  await page.keyboard.press('Control+s');

  // Runs only the failed tests again, from the panel.
  await panel.getByRole('radio', { name: 'Failed' }).press('Space');
  await expect(tree.getByRole('treeitem', { name: /^lists/ })).toHaveCount(0);
  await run(desktop, 'run failed tests again');
  await expect(status).toHaveText('2 of 3 passed, 1 failed');

  // Runs a test with the debugger: the error stops in it.
  await page.keyboard.press('Control+1');
  await page.keyboard.press('Control+End');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Control+;');
  await page.keyboard.press('Control+c');
  await expect(desktop.region('Debugger').getByText('2 is not enough for 3.').first()).toBeVisible();
  await run(desktop, 'stop the tests');
  await expect(page.getByText(/The run was stopped\./)).toBeVisible();
  await expect(tree.getByRole('treeitem', { name: /^gives-back, stopped/ })).toBeVisible();
});

test('A test that loops is stopped, and after a restart of the image the tests are loaded and run anew [D11]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  writeFileSync(path.join(desktop.project, 'till.asd'), SYSTEM);
  writeFileSync(path.join(desktop.project, 'till.lisp'), PROGRAM);
  writeFileSync(path.join(desktop.project, 'tests.lisp'), TESTS.replace('(format t "one moment")', '(loop)'));
  await desktop.imageReady();
  const panel = desktop.region('Tests');
  await run(desktop, 'tests: focus');
  // The gutter marks the tests even before the image has loaded any.
  await desktop.openFile(path.join(desktop.project, 'tests.lisp'));
  const marks = desktop.region('Editor').locator('.test-mark');
  // A test that is defined with the user's own macro appears once the image has loaded it.
  await expect(marks).toHaveCount(2);
  const load = panel.getByRole('button', { name: 'Load till/tests' });
  await load.click();
  const tree = panel.getByRole('tree', { name: 'Tests of the image' });
  await expect(tree.getByRole('treeitem', { name: 'adds, not run' })).toBeVisible();
  await expect(marks).toHaveCount(3);
  await marks.first().click();
  await expect(tree.getByRole('treeitem', { name: /^adds, passed/ })).toBeVisible();
  await expect(desktop.region('Editor').locator('.test-mark.passed')).toHaveCount(1);
  await marks.nth(1).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Run Test' }).click();
  await expect(tree.getByRole('treeitem', { name: /^lists, failed/ })).toBeVisible();
  await panel.getByRole('button', { name: 'Run all tests' }).click();
  await expect(tree).toBeFocused();
  await expect(panel.getByRole('status')).toHaveText('Running, 2 of 3');
  await expect(tree.getByRole('treeitem', { name: 'gives-back, running' })).toBeVisible();
  await shoot(desktop, 'running');
  await panel.getByRole('button', { name: 'Stop the tests' }).click();
  await expect(tree.getByRole('treeitem', { name: /^gives-back, stopped/ })).toBeVisible();

  // A system's tests have their own row. A result is shown as out of date once its test is redefined.
  await desktop.repl('(in-package :till/tests)');
  await desktop.repl('(progn (test (gives-back :suite till) (is (= 1 (change 3 2)))) :defined)');
  await expect(tree.getByRole('treeitem', { name: /^gives-back, stopped.*, out of date$/ })).toBeVisible();
  await tree.getByRole('treeitem', { name: 'till/tests, not run' }).click();
  await panel.getByRole('button', { name: 'Run the selected tests' }).click();
  await expect(tree.getByRole('treeitem', { name: /^till\/tests, failed/ })).toBeVisible();
  await expect(tree.getByRole('treeitem', { name: /^gives-back, passed/ })).toBeVisible();

  await run(desktop, 'restart image');
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'));
  await dialog.getByRole('button', { name: /Restart/ }).click();
  await expect(panel.getByText('No test framework is loaded.')).toBeVisible();
  await load.click();
  await expect(tree.getByRole('treeitem', { name: 'adds, not run' })).toBeVisible();
});
