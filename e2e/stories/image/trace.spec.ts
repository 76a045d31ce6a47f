/** Stories in which a person follows and reads traced calls. */
import { type Desktop, expect, test } from '../../desktop/fixture.ts';

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
  await expect(panel.getByRole('status')).toHaveText(/^[\d,]+ calls, [\d,]+ not stored$/);
  await expect(tree.getByRole('treeitem', { name: /^\(LEAF 109999\) →/ })).toBeVisible();
  await panel.getByRole('searchbox', { name: 'Filter calls' }).fill('109998');
  await expect(tree.getByRole('treeitem', { name: /^\(LEAF 109998\) →/ })).toBeVisible();
});
