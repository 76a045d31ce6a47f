/** Traced calls, as a person follows and reads them. */
import { faultsInBothThemes } from '../../desktop/axe.ts';
import { type Desktop, expect, test } from '../../desktop/fixture.ts';

const PROGRAM = `(progn
  (defun fib (n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
  (defun jump (x) (throw :out x))
  (defgeneric area (shape))
  (defmethod area ((shape integer)) (* shape shape))
  (defmethod area ((shape ratio)) :ratio)
  :defined)`;

async function run(desktop: Desktop, command: string): Promise<void> {
  await desktop.page.keyboard.press('Control+Shift+P');
  await desktop.page.keyboard.insertText(command);
  await desktop.page.keyboard.press('Enter');
}

async function evaluate(desktop: Desktop, code: string, value: string): Promise<void> {
  await desktop.page.getByRole('tab', { name: 'REPL' }).click();
  await desktop.repl(code);
  await expect(
    desktop
      .region('REPL')
      .getByRole('button', { name: `Inspect ${value}` })
      .last(),
  ).toBeVisible();
}

test('Calls of traced functions are read as a tree, by thread, and lead to values, callers and definitions [D11]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const panel = desktop.region('Trace');
  await evaluate(desktop, PROGRAM, ':DEFINED');
  await run(desktop, 'trace: focus');
  await expect(panel.getByText('Nothing is traced.')).toBeVisible();
  const field = panel.getByRole('textbox', { name: 'Name of a function to trace' });
  await expect(field).toBeFocused();
  for (const name of ['fib', 'jump']) {
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
  }
  for (const name of ['fib', 'jump']) await expect(panel.getByRole('checkbox', { name, exact: true })).toBeChecked();
  await page.keyboard.type('nothing-such');
  await page.keyboard.press('Enter');
  await expect(page.getByText('nothing-such is not traced: There is no such name.')).toBeVisible();

  await evaluate(desktop, '(list (fib 3) (catch :out (jump 7)))', '(2 7)');
  await run(desktop, 'trace: focus');
  const tree = panel.getByRole('tree', { name: 'Traced calls' });
  await expect(tree.getByRole('treeitem')).toHaveCount(7);
  await expect(tree.getByRole('treeitem', { name: /^\(FIB 3\) → 2, / })).toHaveAttribute('aria-level', '2');
  await expect(tree.getByRole('treeitem', { name: /^\(FIB 0\) → 0, / })).toHaveAttribute('aria-level', '4');
  await expect(tree.getByRole('treeitem', { name: /^\(JUMP 7\) left without a value, / })).toBeVisible();
  expect(await faultsInBothThemes(desktop)).toEqual([]);

  // The keyboard folds, opens values, and finds the caller that a filter hides.
  await tree.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowLeft');
  await expect(tree.getByRole('treeitem')).toHaveCount(3);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(desktop.region('Inspector').getByText('2', { exact: true }).first()).toBeVisible();
  await panel.getByRole('searchbox', { name: 'Filter calls' }).fill('jump');
  await expect(tree.getByRole('treeitem')).toHaveCount(2);
  await panel.getByRole('searchbox', { name: 'Filter calls' }).fill('fib 0');
  await expect(panel.getByText('No call has “fib 0” in its name, arguments or values.')).toBeVisible();
  await panel.getByRole('searchbox', { name: 'Filter calls' }).fill('');
  await tree.getByRole('treeitem', { name: /^\(FIB 0\)/ }).click();
  await page.keyboard.press('Backspace');
  await expect(tree.getByRole('treeitem', { name: /^\(FIB 2\)/ })).toHaveAttribute('aria-selected', 'true');

  // A function that is switched off stays listed, and can be traced again; while the trace is paused calls are counted only.
  await panel.getByRole('checkbox', { name: 'jump', exact: true }).uncheck();
  await panel.getByRole('button', { name: 'Pause', exact: true }).click();
  await evaluate(desktop, '(list :a (fib 1) (catch :out (jump 8)))', '(:A 1 8)');
  await run(desktop, 'trace: focus');
  await expect(panel.getByRole('status')).toHaveText('6 calls, paused: 1 missed');
  await panel.getByRole('button', { name: 'Pause', exact: true }).click();
  await panel.getByRole('button', { name: 'Clear' }).click();
  await expect(panel.getByText('No calls yet.')).toBeVisible();
  await run(desktop, 'untrace all');
  await expect(panel.getByRole('checkbox', { name: 'fib', exact: true })).not.toBeChecked();
  await panel.getByRole('button', { name: 'Remove Unticked' }).click();
  await expect(panel.getByRole('checkbox')).toHaveCount(0);

  // One method alone is traced, at the caret of its definition.
  await desktop.newFile('(defmethod area ((shape integer)) (* shape shape))');
  await run(desktop, 'trace or untrace the function or method');
  await expect(page.getByText(/^The method AREA \(INTEGER\) is traced\./)).toBeVisible();
  await evaluate(desktop, '(list :b (area 3) (area 1/2))', '(:B 9 :RATIO)');
  await run(desktop, 'trace: focus');
  await expect(tree.getByRole('treeitem')).toHaveCount(2);
  await expect(tree.getByRole('treeitem', { name: /^\(\(METHOD AREA \(INTEGER\)\) 3\) → 9/ })).toBeVisible();
});

test("An agent's calls, those of many threads and 100,000 of one evaluation are followed in bounded memory [D11]", async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const panel = desktop.region('Trace');
  await evaluate(
    desktop,
    '(progn (defun leaf (n) n) (defun spin (n) (dotimes (i n n) (leaf i))) :defined)',
    ':DEFINED',
  );
  await run(desktop, 'trace: focus');
  await panel.getByRole('textbox', { name: 'Name of a function to trace' }).fill('leaf');
  await page.keyboard.press('Enter');
  await expect(panel.getByRole('checkbox', { name: 'leaf', exact: true })).toBeChecked();
  await evaluate(
    desktop,
    '(progn (mapc (function sb-thread:join-thread) (loop repeat 3 collect (sb-thread:make-thread (lambda () (leaf 1)) :name "same"))) :joined)',
    ':JOINED',
  );
  await run(desktop, 'trace: focus');
  const tree = panel.getByRole('tree', { name: 'Traced calls' });
  await expect(tree.getByRole('treeitem', { name: /^same, / })).toHaveCount(3);
  const agent = await desktop.agent('helper');
  await agent.call('evaluate-lisp', { code: '(list :of-agent (leaf 42))' });
  await expect(
    tree
      .getByRole('treeitem', { name: /\(list :of-agent \(leaf 42\)\), by helper$/ })
      .getByRole('img', { name: 'helper' }),
  ).toBeVisible();
  await expect(tree.getByRole('treeitem', { name: /^\(LEAF 42\) → 42/ })).toBeVisible();
  await agent.close();
  await evaluate(desktop, '(spin 110000)', '110000');
  await run(desktop, 'trace: focus');
  await expect(panel.getByRole('status')).toHaveText(/^[\d,]+ calls, [\d,]+ not kept$/);
  await expect(tree.getByRole('treeitem', { name: /^\(LEAF 109999\) →/ })).toBeVisible();
  await panel.getByRole('searchbox', { name: 'Filter calls' }).fill('109998');
  await expect(tree.getByRole('treeitem', { name: /^\(LEAF 109998\) →/ })).toBeVisible();
});
