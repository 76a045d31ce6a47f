/** Stories about the tests of the open project: the keys load what is missing, run the project's tests alone, and show those of agents. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Desktop, expect, test } from '../../desktop/fixture.ts';

const FILES = {
  'stock.asd': `(defsystem "stock" :components ((:file "stock")) :in-order-to ((test-op (test-op "stock/tests"))))
(defsystem "stock/tests" :depends-on ("stock" "fiveam") :components ((:file "stock-tests"))
  :perform (test-op (o c) (unless (symbol-call :fiveam :run! :stock-suite) (error "Tests failed."))))
`,
  'stock.lisp': `(defpackage :stock (:use :cl) (:export #:total))
(in-package :stock)
(defun total (prices) (reduce #'+ prices))
`,
  'stock-tests.lisp': `(defpackage :stock/tests (:use :cl :fiveam :stock))
(in-package :stock/tests)
(def-suite :stock-suite)
(in-suite :stock-suite)
(test adds (is (= 6 (total '(1 2 3)))))
(test empty (is (= 0 (total '()))))
`,
};

async function write(desktop: Desktop): Promise<void> {
  for (const [name, text] of Object.entries(FILES)) await writeFile(path.join(desktop.project, name), text);
}

const told = ({ page }: Desktop, text: RegExp) => page.getByRole('status').filter({ hasText: text });

test('Run All Tests loads the tests of the project in a fresh image, names the project, and leaves out the tests of others [issue 39.2]', async ({
  desktop,
}) => {
  const { page } = desktop;
  await write(desktop);
  await desktop.repl(
    '(progn (asdf:load-system "fiveam") (eval (read-from-string "(fiveam:test other (fiveam:is (= 1 2)))")))',
  );
  await expect(desktop.region('REPL')).toContainText('OTHER');
  await page.keyboard.press('Control+;');
  await page.keyboard.press('a');
  await expect(told(desktop, /: 2 tests: 2 passed\./)).toContainText(path.basename(desktop.project));
  // The results of an agent's run take the place of the person's.
  await writeFile(path.join(desktop.project, 'stock.lisp'), FILES['stock.lisp'].replace("#'+", "#'*"));
  const agent = await desktop.agent('codex');
  const { text } = await agent.call('run-tests', { system: 'stock' });
  expect(text).toContain('failed');
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.insertText('Tests: Focus');
  await page.keyboard.press('Enter');
  const tests = desktop.region('Tests');
  await expect(tests.getByRole('treeitem', { name: /empty/ })).toContainText('failed');
  await expect(tests.getByRole('treeitem', { name: /adds/ })).toContainText('passed');
  // Enter on a row runs its test.
  await desktop.repl("(defun stock:total (prices) (reduce #'+ prices))");
  await tests.getByRole('treeitem', { name: /empty/ }).click();
  await page.keyboard.press('Enter');
  await expect(tests.getByRole('treeitem', { name: /empty/ })).toContainText('passed');
});

test('Tests of a file whose system is not loaded are loaded first, and a system that does not compile is named [issue 39.2]', async ({
  desktop,
}) => {
  const { page } = desktop;
  await write(desktop);
  await desktop.openFile(path.join(desktop.project, 'stock-tests.lisp'));
  await page.keyboard.press('Control+;');
  await page.keyboard.press('f');
  await expect(told(desktop, /2 tests: 2 passed\./)).toBeVisible();
  await writeFile(path.join(desktop.project, 'stock.lisp'), '(in-package :stock)\n(defun total (prices) (reduce');
  await page.keyboard.press('Control+;');
  await page.keyboard.press('a');
  await expect(told(desktop, /could not be loaded\./)).toContainText('stock.lisp');
});
