/** Stories in which a person profiles code and reads the profiles. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { faultsInBothThemes } from '../../desktop/axe.ts';
import { type Desktop, expect, test } from '../../desktop/fixture.ts';

const PROGRAM = `(defun grind (n)
  (declare (fixnum n))
  (let ((x 0)) (declare (fixnum x)) (dotimes (i n x) (declare (fixnum i)) (setf x (logxor i (ash x -1))))))
(defun serve (n) (list (grind n) n))
`;

async function run(desktop: Desktop, command: string): Promise<void> {
  await desktop.page.keyboard.press('Control+Shift+P');
  await desktop.page.keyboard.insertText(command);
  await desktop.page.keyboard.press('Enter');
}

test('A slow function is found in the flame graph of a form by the keyboard, and its source is opened [D11]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const profiler = desktop.region('Profiler');
  await run(desktop, 'profiler: focus');
  await expect(profiler.getByText('No profile yet.')).toBeVisible();
  const file = path.join(desktop.project, 'serving.lisp');
  writeFileSync(file, PROGRAM);
  await page.getByRole('tab', { name: 'REPL' }).click();
  await desktop.repl(`(progn (load ${JSON.stringify(file)}) :loaded)`);
  await expect(desktop.region('REPL').getByRole('button', { name: 'Inspect :LOADED' })).toBeVisible();

  await desktop.newFile('(serve 400000000)');
  await run(desktop, 'profile top-level form');
  const graph = profiler.getByRole('tree', { name: 'Flame graph' });
  await expect(graph).toBeFocused();
  const status = profiler.getByRole('status');
  await expect(status).toHaveText(/^form, total 100\.0 % /);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(status).toHaveText(/^GRIND, total \d+\.\d % \([\d,]+\), self/);
  await expect(graph.getByRole('treeitem', { selected: true })).toHaveAttribute('aria-level', '3');
  await page.keyboard.press('Enter');
  await expect(profiler.getByRole('button', { name: 'Zoom Out' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Backspace');
  await expect(profiler.getByRole('button', { name: 'Zoom Out' })).toBeHidden();
  await profiler.getByRole('searchbox', { name: 'Highlight functions' }).fill('grind');
  await expect(profiler.getByText(/^\d+ · \d+\.\d %$/)).toBeVisible();
  expect(await faultsInBothThemes(desktop)).toEqual([]);
  await graph.press('F12');
  await expect(page.getByRole('tab', { name: 'serving.lisp' })).toHaveAttribute('aria-selected', 'true');

  // Shows the profile as a table.
  await profiler.getByRole('radio', { name: 'Table' }).click({ force: true });
  const table = profiler.getByRole('tree', { name: 'Functions of the profile' });
  await expect(table.getByRole('treeitem', { name: /^GRIND, \d/ })).toBeVisible();
  expect(await faultsInBothThemes(desktop)).toEqual([]);

  // A running profile can be cancelled, and the panel reports when a run was too short to profile.
  await page.getByRole('tab', { name: 'REPL' }).click();
  await desktop.repl('(list 1 2)');
  await expect(desktop.region('REPL').getByRole('button', { name: 'Inspect (1 2)' })).toBeVisible();
  await run(desktop, 'profile last repl input');
  await expect(profiler.getByText('Too short for a sample.')).toBeVisible();
  await desktop.newFile('(loop)');
  await run(desktop, 'profile top-level form');
  await profiler.getByRole('button', { name: 'Cancel the profile' }).click();
  await expect(profiler.getByText('The profile was cancelled.')).toBeVisible();

  // Profiles all threads from a start to a stop, regardless of which actor's code runs in them.
  await run(desktop, 'start profiling all threads');
  await expect(profiler.getByText('Sampling all threads')).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Profiler on' })).toBeVisible();
  const agent = await desktop.agent('helper');
  await agent.call('evaluate-lisp', { code: '(grind 300000000)' });
  await agent.close();
  await page.getByRole('tab', { name: 'REPL' }).click();
  await desktop.repl(
    '(sb-thread:join-thread (sb-thread:make-thread (lambda () (list :aside (grind 400000000))) :name "aside"))',
  );
  await expect(desktop.region('REPL').getByRole('button', { name: /^Inspect \(:ASIDE/ })).toBeVisible();
  await run(desktop, 'stop profiling all threads');
  await expect(profiler.getByText('Sampling all threads')).toBeHidden();
  await profiler.getByRole('searchbox', { name: 'Filter functions' }).fill('');
  await expect(table.getByRole('treeitem', { name: /^all threads, / })).toBeVisible();
  await expect(table.getByRole('treeitem', { name: /^thread aside, / })).toBeVisible();
  await expect(table.getByRole('treeitem', { name: /^GRIND, / })).toBeVisible();
});
