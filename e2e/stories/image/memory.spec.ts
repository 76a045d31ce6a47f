/** Stories in which a person examines the image's memory. */
import { type Desktop, expect, test } from '../../desktop/fixture.ts';

async function run(desktop: Desktop, command: string): Promise<void> {
  await desktop.page.keyboard.press('Control+Shift+P');
  await desktop.page.keyboard.insertText(command);
  await desktop.page.keyboard.press('Enter');
}

test('A leak is found: what grew since a moment, its instances, and the variable that keeps them [D11]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const repl = desktop.region('REPL');
  await desktop.repl(
    `(progn (defvar *seen* nil) (defstruct visit id) (defun visit (id) (push (make-visit :id id) *seen*)) (visit 0) :ready)`,
  );
  await expect(repl.getByRole('button', { name: 'Inspect :READY' })).toBeVisible();
  await run(desktop, 'memory: focus');
  const memory = desktop.region('Memory');
  await expect(memory.getByRole('meter', { name: 'Heap in use' })).toHaveAttribute('aria-valuetext', / MB of /);
  const found = memory.getByRole('tree', { name: 'Classes of the objects in memory' });
  const more = found.getByRole('treeitem', { name: /^Show [\d,]+ more$/ });
  await found.press('End');
  await expect(more).toBeVisible();
  await found.press('Enter');
  await expect(more).toBeHidden();

  // Finds the class whose memory has grown since a given moment.
  await memory.getByRole('button', { name: 'Compare with This Moment' }).click();
  await expect(memory.getByText(/^Since \d/)).toBeVisible();
  await page.getByRole('tab', { name: 'REPL' }).click();
  await desktop.repl('(progn (dotimes (id 2000) (visit (1+ id))) :served)');
  await expect(repl.getByRole('button', { name: 'Inspect :SERVED' })).toBeVisible();
  await run(desktop, 'memory: focus');
  const visits = found.getByRole('treeitem', { name: /^VISIT, 2,001, .*, \+2,000, \+/ });
  await expect(memory.getByRole('button', { name: '± Objects' })).toHaveAttribute('aria-pressed', 'true');
  await memory.getByRole('searchbox', { name: 'Filter classes' }).fill('visit');
  await page.keyboard.press('ArrowDown');
  await expect(visits).toBeVisible();
  await page.keyboard.press('Enter');

  // Shows the instances of that class, and the reason why one of them is alive.
  const held = memory.getByRole('region', { name: 'Instances of VISIT' });
  await expect(held).toContainText('the first 100 of 2,001');
  const instances = held.getByRole('tree');
  await expect(instances).toBeFocused();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(instances.getByRole('treeitem', { name: 'Kept alive by the symbol *SEEN*' })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(instances.getByRole('treeitem', { selected: true })).toHaveAccessibleName('value of *SEEN*');
  await page.keyboard.press('Enter');
  const inspector = desktop.region('Inspector');
  await expect(inspector).toContainText('*SEEN* of type');

  // The inspector also offers to explain why its object is alive.
  await instances.press('Home');
  await instances.press('i');
  await expect(inspector).toContainText(/#S\(VISIT/);
  await inspector.getByRole('button', { name: 'Why Is It Alive?' }).click();
  const one = memory.getByRole('region', { name: /^Why #S\(VISIT .* is alive$/ });
  await expect(one.getByRole('treeitem', { name: 'Kept alive by the symbol *SEEN*' })).toBeVisible();
  await expect(one.getByRole('tree')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(one).toBeHidden();

  // While code is running, a garbage collection waits and can be cancelled. A later collection frees the memory.
  await page.getByRole('tab', { name: 'REPL' }).click();
  await desktop.repl('(progn (setf *seen* nil) (loop))');
  await expect.poll(async () => (await desktop.snapshot()).session.state).toBe('evaluating');
  await run(desktop, 'collect garbage');
  await expect(
    memory.getByText(/^The collection is waiting until \(progn \(setf \*seen\* nil\) \(loop\)\) has ended\.$/),
  ).toBeVisible();
  await memory.getByRole('button', { name: 'Cancel the collection' }).click();
  await expect(page.getByText('The collection was cancelled.')).toBeVisible();
  await page.keyboard.press('Control+.');
  await expect.poll(async () => (await desktop.snapshot()).session.state).toBe('idle');
  await memory.getByRole('button', { name: 'Full Collection' }).click();
  await expect(page.getByText(/^The collection freed [\d.]+ .*B in .* are in use\.$/)).toBeVisible();
  // Only the inspector still references the objects, because it shows one of them.
  await inspector.getByRole('button', { name: 'Why Is It Alive?' }).click();
  await expect(one.getByRole('treeitem', { name: /^Only this window refers to the object/ })).toBeVisible();
});
