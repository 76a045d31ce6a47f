import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from '@playwright/test';
import { expect, test, type Desktop } from '../../desktop/fixture.ts';

async function open(desktop: Desktop): Promise<Locator> {
  await desktop.page.keyboard.press('Control+Shift+H');
  const region = desktop.region('Activity');
  await expect(region).toBeVisible();
  return region;
}

function row(desktop: Desktop, text: string | RegExp): Locator {
  return desktop.region('Activity').getByRole('row').filter({ hasText: text });
}

function details(desktop: Desktop): Locator {
  return desktop.page.getByRole('complementary', { name: 'Selected row' });
}

/** Returns the text that the page copied last. */
function clipboard(desktop: Desktop): Promise<string> {
  return desktop.app.evaluate(({ clipboard: system }) => system.readText());
}

/** The next save dialog answers with this file. */
async function savesTo(desktop: Desktop, name: string): Promise<string> {
  const file = path.join(desktop.project, name);
  await desktop.app.evaluate(({ dialog }, chosen) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: chosen });
  }, file);
  return file;
}

test('A call, its evaluation and its definitions nest; the selected one is shown before and after [D12]', async ({
  desktop,
}) => {
  const { page } = desktop;
  await desktop.repl('(defun area (r) (* r r))');
  await expect(desktop.region('REPL')).toContainText('AREA');
  const agent = await desktop.agent('codex');
  await agent.call('evaluate-lisp', { code: '(defun area (r) (* 3 r r)) (defun volume (r) (* r r r))' });
  await open(desktop);
  const redefined = row(desktop, 'redefined');
  await expect(redefined).toHaveAttribute('aria-level', '3');
  await redefined.click();
  const side = details(desktop);
  await expect(side).toContainText('function in COMMON-LISP-USER');
  await expect(side.getByRole('group', { name: 'Before and after' })).toContainText(
    /removed: \(defun area \(r\) \(\* r r\)\).*added: \(defun area \(r\) \(\* 3 r r\)\)/,
  );
  await expect(side).toContainText(/Audit chain whole, \d+ events/);
  await side.getByRole('button', { name: 'Undo…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(row(desktop, 'undone by you')).toHaveCount(1);
  await desktop.region('Activity').getByRole('treegrid').focus();
  await page.keyboard.press('ArrowUp');
  await expect(desktop.region('Activity').getByRole('row', { selected: true })).toContainText('evaluation');
  await page.keyboard.press('ArrowLeft');
  await expect(redefined).toHaveCount(0);
});

test('Rows are filtered by client, kind, outcome and words [D12]', async ({ desktop }) => {
  const { page } = desktop;
  const agent = await desktop.agent('codex');
  await agent.call('evaluate-lisp', { code: '(car 1)' });
  await agent.call('describe-symbol', { symbol: 'car' });
  await desktop.repl('(list :mine)');
  const activity = await open(desktop);
  await expect(row(desktop, ':mine')).toBeVisible();
  const choose = async (head: string, entry: string): Promise<void> => {
    await activity.getByRole('button', { name: `${head}:` }).click();
    await page.getByRole('menuitem', { name: entry, exact: true }).click();
  };
  await choose('Kind', 'evaluation');
  await expect(row(desktop, 'describe-symbol')).toHaveCount(0);
  await choose('Outcome', 'failed or denied');
  await expect(row(desktop, ':mine')).toHaveCount(0);
  await expect(row(desktop, 'TYPE-ERROR')).not.toHaveCount(0);
  await activity.getByRole('searchbox', { name: 'Activity filter' }).fill('nowhere at all');
  await activity.getByRole('button', { name: 'Clear the filter' }).click();
  await activity.getByRole('button', { name: 'codex' }).click();
  await expect(row(desktop, 'describe-symbol')).toHaveCount(0);
  await expect(row(desktop, ':mine')).toBeVisible();
});

test('An evaluation goes into the REPL again, becomes a test, and what is shown is exported [D12]', async ({
  desktop,
}) => {
  const { page } = desktop;
  const agent = await desktop.agent('codex');
  const long = `(+ ${Array.from({ length: 60 }, (_each, index) => index).join(' ')})`;
  await agent.call('evaluate-lisp', { code: long });
  await open(desktop);
  const evaluation = row(desktop, '1770').filter({ hasText: 'evaluation' });
  await evaluation.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Copy as Test' }).click();
  await expect.poll(() => clipboard(desktop)).toContain("(fiveam:is (equal '1770");
  expect(await clipboard(desktop)).toContain(long);
  const script = await savesTo(desktop, 'session.lisp');
  await desktop.region('Activity').getByRole('button', { name: 'Export…' }).click();
  await page.getByRole('menuitem', { name: 'As a Lisp Script…' }).click();
  await expect(page.getByRole('status').filter({ hasText: '1 evaluation is in session.lisp.' })).toBeVisible();
  expect(await readFile(script, 'utf8')).toContain(`\n${long}\n`);
  const json = await savesTo(desktop, 'session.jsonl');
  await desktop.region('Activity').getByRole('button', { name: 'Export…' }).click();
  await page.getByRole('menuitem', { name: 'As Lines of JSON…' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'session.jsonl' })).toBeVisible();
  const kinds = (await readFile(json, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { kind: string }).kind);
  expect(kinds).toEqual(expect.arrayContaining(['call-started', 'evaluation-finished']));
  await evaluation.click();
  await details(desktop).getByRole('button', { name: 'Put into the REPL' }).click();
  await expect(page.getByRole('textbox', { name: 'REPL input' })).toHaveValue(long);
  expect((await desktop.snapshot()).session.running).toBeNull();
});

test("The person goes back to before an agent's call, and reverts a file of its [P4, D12]", async ({ desktop }) => {
  const { page } = desktop;
  const file = path.join(desktop.project, 'shop.lisp');
  await writeFile(file, '(defun total () 1)\n');
  await desktop.repl('(defun area (r) (* r r))');
  await expect(desktop.region('REPL')).toContainText('AREA');
  const agent = await desktop.agent('codex');
  await agent.call('evaluate-lisp', { code: '(defun area (r) (* 3 r r))' });
  const written = agent.call('write-file', { path: 'shop.lisp', content: '(defun total () 2)\n' });
  await expect.poll(async () => (await desktop.snapshot()).waitingApprovals).toBe(1);
  await page.keyboard.press('F7');
  const review = await desktop.review();
  await expect(review.getByRole('button', { name: 'Approve', exact: true })).toBeEnabled();
  await review.getByRole('button', { name: 'Approve', exact: true }).click();
  expect((await written).isError).toBe(false);
  await page.evaluate(() => window.workbench.call('review.show', { open: false }));
  await open(desktop);
  await row(desktop, 'approved by you').click();
  await expect(details(desktop)).toContainText('write-file is a dangerous tool');
  await details(desktop).getByRole('button', { name: 'Take the Change Back' }).click();
  await expect.poll(() => readFile(file, 'utf8')).toBe('(defun total () 1)\n');
  await expect(row(desktop, 'taken back')).toBeVisible();

  await row(desktop, '(defun area (r) (* 3 r r))').first().click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Go Back to Before This…' }).click();
  await expect(page.getByRole('alertdialog', { name: /Go back to “before codex/ })).toContainText('codex defined area');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Go back' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'The image is back at' })).toBeVisible();
  await page.keyboard.press('Control+`');
  await desktop.repl('(list :now (area 2))');
  await expect(desktop.region('REPL')).toContainText('(:NOW 4)');
});

test('Everything that an agent did since a row is undone at once, or by going back, told beforehand [P3]', async ({
  desktop,
}) => {
  const { page } = desktop;
  const agent = await desktop.agent('codex');
  await agent.call('evaluate-lisp', { code: '(defun kept () :kept)' });
  await agent.call('evaluate-lisp', { code: '(defun one () 1) (defun two () 2)' });
  await desktop.repl('(defun mine () :mine)');
  await agent.call('evaluate-lisp', { code: '(defun three () 3)' });
  await open(desktop);
  await row(desktop, '(defun one () 1)').first().click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Undo Everything of codex Since This…' }).click();
  const asked = page.getByRole('alertdialog', { name: /Undo everything that codex defined since/ });
  await expect(asked.getByRole('listitem')).toHaveText([/^three/, /^two/, /^one/]);
  await expect(asked).toContainText('Values that were set and what others did stay.');
  await expect(asked.getByRole('button', { name: 'Go back instead…' })).toBeVisible();
  await asked.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Undone: three, two, one.' })).toBeVisible();
  await page.keyboard.press('Control+`');
  await desktop.repl("(mapcar #'fboundp '(one two three mine kept))");
  await expect(desktop.region('REPL')).toContainText(/\(NIL NIL NIL #<.*MINE.*> #<.*KEPT/);
  await page.keyboard.press('Control+Shift+J');
  await desktop.region('Clients').getByRole('button', { name: 'More about codex' }).click();
  await page.getByRole('menuitem', { name: 'Undo Everything Since It Connected…' }).click();
  await expect(page.getByRole('alertdialog').getByRole('listitem')).toHaveText([/^kept/]);
});

test('A row can be read in a small window, and what is selected stands below the rows [D12, D17]', async ({
  sharedDesktop: desktop,
}) => {
  const { app, page } = desktop;
  const agent = await desktop.agent('codex');
  for (let index = 0; index < 12; index += 1) await agent.call('evaluate-lisp', { code: `(list ${index})` });
  await agent.call('evaluate-lisp', { code: '(defun area (r) (* 3 r r))' });
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.setSize(900, 600));
  await expect.poll(() => page.evaluate(() => innerWidth)).toBe(900);
  const activity = await open(desktop);
  const called = row(desktop, 'evaluate-lisp').filter({ hasText: 'AREA' });
  await called.click();
  await expect(details(desktop)).toContainText('Answer');
  const what = (await called.getByRole('gridcell').nth(2).boundingBox())!;
  const outcome = (await called.getByRole('gridcell').nth(3).boundingBox())!;
  expect(what.width).toBeGreaterThan(200);
  expect(outcome.width).toBeGreaterThan(100);
  expect(what.x + what.width).toBeLessThanOrEqual(outcome.x);
  const rows = (await activity.getByRole('treegrid').boundingBox())!;
  expect((await details(desktop).boundingBox())!.y).toBeGreaterThan(rows.y + rows.height);
  // The row that was chosen stays in sight, although its details took the room where it was.
  const chosen = (await called.boundingBox())!;
  expect(chosen.y).toBeGreaterThanOrEqual(rows.y - 1);
  expect(chosen.y + chosen.height).toBeLessThanOrEqual(rows.y + rows.height + 1);
});
