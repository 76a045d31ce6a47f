import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { faultsInBothThemes } from '../../desktop/axe.ts';
import { expect, test, type Desktop } from '../../desktop/fixture.ts';

/** Gives every panel some content: a definition, a client, results, an error, activity. */
async function fill(desktop: Desktop): Promise<void> {
  const agent = await desktop.agent('claude-code');
  await agent.call('evaluate-lisp', { code: '(defun by-agent (x) "Doubles." (* 2 x))' });
  await agent.call('evaluate-lisp', { code: '(car 1)' });
  await desktop.newFile('(defun area (r)\n  "Of a circle." (* r r #\\a :key 12))');
  await desktop.page.keyboard.press('Alt+Enter');
  await desktop.repl('(list "text" :key 42)');
  await expect(desktop.region('REPL')).toContainText('("text" :KEY 42)');
}

/** The views to check: the keys that show each view, and the role and name of the element that must then be visible. */
const VIEWS = [
  ['Control+1', 'region', 'Editor'],
  ['Control+Shift+D', 'region', 'Definitions'],
  ['Control+Shift+Y', 'region', 'Systems'],
  ['Control+Shift+J', 'region', 'Clients'],
  ['Control+Shift+U', 'region', 'Output'],
  ['Control+Shift+H', 'region', 'Activity'],
  ['Control+,', 'dialog', /Settings/],
  ['Control+Shift+P', 'dialog', /./],
  ['F1', 'dialog', /./],
] as const;

test('The window has no faults that axe finds, in both themes [D17]', async ({ sharedDesktop: desktop }) => {
  await fill(desktop);
  const { page } = desktop;
  for (const [keys, role, name] of VIEWS) {
    await page.keyboard.press(keys);
    await expect(page.getByRole(role, { name })).toBeVisible();
    expect.soft(await faultsInBothThemes(desktop), String(name)).toEqual([]);
    await page.keyboard.press('Escape');
  }
});

test('Menus and dialogs about checkpoints, definitions and systems have no faults that axe finds, in both themes [D17]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  await fill(desktop);
  const faultless = async (name: string): Promise<void> =>
    expect.soft(await faultsInBothThemes(desktop), name).toEqual([]);
  const definitions = desktop.region('Definitions');
  await definitions.getByRole('button', { name: 'not reviewed' }).click();
  await faultless('not reviewed');
  await definitions.getByRole('treeitem', { name: 'by-agent' }).click({ button: 'right' });
  await faultless('menu of a definition');
  await page.getByRole('menuitem', { name: 'Undo This Definition…' }).click();
  await expect(page.getByRole('alertdialog')).toContainText('Exact.');
  await faultless('undo');
  await page.keyboard.press('Escape');
  await definitions.getByRole('treeitem', { name: 'by-agent' }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Show the Difference…' }).click();
  await expect(page.getByRole('alertdialog')).toContainText('(defun by-agent');
  await faultless('difference');
  await page.keyboard.press('Escape');
  const checkpoints = desktop.region('Status bar').getByRole('button', { name: 'checkpoint' });
  await checkpoints.click();
  await faultless('checkpoints');
  await page.getByRole('menuitem', { name: 'Make a Checkpoint…' }).click();
  await faultless('making a checkpoint');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.insertText('go back to a');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('option').first()).toBeFocused();
  await faultless('choosing a checkpoint');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alertdialog')).toContainText('Not undone');
  await faultless('going back');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Shift+Y');
  const systems = desktop.region('Systems');
  await systems.getByRole('searchbox').fill('alexandria');
  await systems.getByRole('listbox').getByText('alexandria', { exact: true }).click();
  await page.keyboard.press('Enter');
  await expect(systems).toContainText('License', { timeout: 60_000 });
  await faultless('a system');
});

test('The inspector, threads and memory have no faults that axe finds with objects of the image, in both themes [D17]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const faultless = async (name: string): Promise<void> =>
    expect.soft(await faultsInBothThemes(desktop), name).toEqual([]);
  await page.keyboard.press('Control+Backquote');
  await desktop.repl(
    '(progn (defstruct crate) (defun areas (a b c) (list a b c)) (defvar *crate* (make-crate)) (make-hash-table))',
  );
  await desktop
    .region('REPL')
    .getByRole('button', { name: /HASH-TABLE/ })
    .click();
  await expect(desktop.region('Inspector')).toContainText('A hash table');
  await faultless('Inspector');
  await desktop.repl('(areas 1 2 (car 3))');
  await expect(page.getByRole('tab', { name: 'Debugger 1 open' })).toBeVisible();
  await page.getByRole('tab', { name: 'Threads' }).click();
  const threads = desktop.region('Threads');
  await threads.getByRole('treeitem', { name: /areas 1 2/ }).click();
  await expect(threads.getByRole('list', { name: 'Frames' })).toBeVisible();
  await faultless('Threads');
  await page.keyboard.press('Control+Shift+p');
  await page.keyboard.insertText('memory: focus');
  await page.keyboard.press('Enter');
  const memory = desktop.region('Memory');
  await memory.getByRole('button', { name: 'Compare with This Moment' }).click();
  await memory.getByRole('searchbox').fill('crate');
  await memory.getByRole('treeitem', { name: /^CRATE, / }).click();
  const instances = memory.getByRole('tree', { name: 'Instances, and what keeps them alive' });
  await instances.getByRole('treeitem').first().click();
  await expect(instances.getByRole('treeitem', { name: /^Kept alive by/ }).first()).toBeVisible();
  await faultless('Memory');
});

test('Clients and the details of activity have no faults that axe finds, in both themes [D17]', async ({ desktop }) => {
  const { page } = desktop;
  await fill(desktop);
  const faultless = async (name: string): Promise<void> =>
    expect.soft(await faultsInBothThemes(desktop), name).toEqual([]);
  await page.keyboard.press('Control+Shift+J');
  const clients = desktop.region('Clients');
  await clients.getByRole('button', { name: 'Pause claude-code' }).click();
  await expect(clients).toContainText('Paused by you.');
  await faultless('a paused client');
  await clients.getByRole('button', { name: /^Mode of/ }).click();
  await expect(page.getByRole('menuitem', { name: 'Observe' })).toBeVisible();
  await faultless('modes');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Shift+H');
  const activity = desktop.region('Activity');
  // A call with one evaluation is folded at first.
  await activity.getByRole('row').filter({ hasText: 'evaluate-lisp' }).first().click();
  await page.keyboard.press('ArrowRight');
  await activity.getByRole('row').filter({ hasText: 'definition', hasNotText: 'evaluate-lisp' }).first().click();
  await expect(page.getByRole('complementary')).toContainText('Before and after');
  await expect(page.getByRole('complementary')).toContainText('Audit chain intact');
  await faultless('a definition of the activity');
  await activity.getByRole('row').filter({ hasText: 'evaluate-lisp' }).first().click();
  await expect(page.getByRole('complementary')).toContainText('Answer');
  await faultless('a call of the activity');
  await activity.getByRole('row').filter({ hasText: 'Checkpoint' }).first().click({ button: 'right' });
  await expect(page.getByRole('menuitem', { name: 'Go Back to Here…' })).toBeVisible();
  await faultless('menu of a checkpoint');
});

test('Hunks, effects and what is undone in Review have no faults that axe finds, in both themes [D17]', async ({
  desktop,
}) => {
  const file = path.join(desktop.project, 'shop.lisp');
  const original = '(defun a (x)\n  "Text."\n  (list x 1))\n\n(defun b (x)\n  (list x :k 1))\n';
  await writeFile(file, original);
  const agent = await desktop.agent('claude-code');
  const edit = agent.call('propose-file-edit', {
    path: 'shop.lisp',
    original,
    modified: original.replaceAll('1)', '2)'),
    description: 'Doubles.',
  });
  await expect.poll(async () => (await desktop.snapshot()).waitingApprovals).toBe(1);
  await desktop.page.keyboard.press('F7');
  const review = await desktop.review();
  const approve = review.getByRole('button', { name: 'Approve', exact: true });
  const faultless = async (name: string): Promise<void> =>
    expect.soft(await faultsInBothThemes(desktop, review), name).toEqual([]);
  await expect(approve).toBeEnabled();
  await review.getByRole('checkbox').first().click();
  await faultless('hunks');
  await approve.click();
  await edit;
  await writeFile(file, ';; by hand\n');
  await review.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(review.getByRole('group', { name: 'Now' })).toBeVisible();
  await faultless('changed since');

  const effect = agent.call('evaluate-lisp', {
    code: `(progn (sb-posix:setenv "A" "1" 1) (delete-file "${file}"))`,
  });
  await expect(review.getByRole('heading', { name: /^Set A=1/ })).toBeVisible();
  await approve.click();
  await expect(review.getByRole('heading', { name: /^Delete shop\.lisp/ })).toBeVisible();
  await expect(approve).toBeEnabled();
  await faultless('effect');
  await review.getByRole('button', { name: 'Why?' }).click();
  await review.getByRole('button', { name: 'Frames', exact: true }).click();
  await review.getByRole('button', { name: 'Details', exact: true }).click();
  await review.getByRole('button', { name: 'Show the frames of SBCL and the workbench' }).click();
  await faultless('why, and all frames');
  for (const choice of [/^Use another path/, /^Abort/]) {
    await review.getByRole('radio', { name: choice }).click();
    await faultless(String(choice));
  }
  await review.getByRole('button', { name: 'Abort', exact: true }).click();
  await effect;
});

test('The window is zoomed as one, and Review stays between its bars [D17]', async ({ desktop }) => {
  const { app, page } = desktop;
  await page.evaluate(() => window.workbench.call('review.show', { open: true }));
  const review = await desktop.review();
  const zoom = (label: string): Promise<void> =>
    app.evaluate(({ Menu }, wanted) => {
      const view = Menu.getApplicationMenu()!.items.find((item) => item.label === 'View')!;
      view.submenu!.items.find((item) => item.label === wanted)!.click();
    }, label);
  /** Returns whether Review begins and ends exactly at the bars, and whether its width in its own pixels is unchanged. Ignores rounding. */
  const fits = async (): Promise<boolean[]> => {
    const bounds = await app.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      return window!.contentView.children.at(-1)!.getBounds();
    });
    const factor = await page.evaluate(() => outerWidth / innerWidth);
    const title = (await page.getByRole('banner').boundingBox())!;
    const status = (await desktop.region('Status bar').boundingBox())!;
    return [
      bounds.y - (title.y + title.height) * factor,
      bounds.y + bounds.height - status.y * factor,
      (await review.evaluate(() => innerWidth)) - 648,
    ].map((gap) => Math.abs(gap) <= 1);
  };
  await expect.poll(fits).toEqual([true, true, true]);
  for (let steps = 0; steps < 2; steps += 1) await zoom('Zoom In');
  await expect.poll(() => page.evaluate(() => outerWidth / innerWidth)).toBeCloseTo(1.2, 2);
  await expect.poll(fits).toEqual([true, true, true]);
  await zoom('Actual Size');
  await expect.poll(() => page.evaluate(() => outerWidth / innerWidth)).toBe(1);
  await expect.poll(fits).toEqual([true, true, true]);
});

test('The palette finds what makes the window larger and smaller, and its keys do so [D15]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const factor = (): Promise<number> => page.evaluate(() => Math.round((10 * outerWidth) / innerWidth) / 10);
  for (const [command, after] of [
    ['Zoom In', 1.1],
    ['Zoom In', 1.2],
    ['Zoom Out', 1.1],
    ['Zoom: Actual Size', 1],
  ] as const) {
    await page.keyboard.press('Control+Shift+P');
    await page.keyboard.insertText('zoom');
    for (const each of ['Zoom In', 'Zoom Out', 'Zoom: Actual Size'])
      await expect(page.getByRole('option', { name: each })).toBeVisible();
    await page.getByRole('option', { name: command }).click();
    await expect.poll(factor, command).toBe(after);
  }
  await page.keyboard.press('Control+=');
  await expect.poll(factor).toBe(1.1);
  await page.keyboard.press('Control+-');
  await expect.poll(factor).toBe(1);
});
