import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '../../desktop/fixture.ts';
import { openReview } from '../../desktop/reviewing.ts';

test('What a client defines, calls and asks for appears without a reload, and the person calls it and decides [D16, X8]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const repl = desktop.region('REPL');
  const file = path.join(desktop.project, 'kept.txt');
  await writeFile(file, 'text');
  const agent = await desktop.agent('codex');
  const { text } = await agent.call('evaluate-lisp', { code: '(defun by-agent (x) "Doubles X." (* 2 x))' });
  expect(text).toBe('=> BY-AGENT');
  await page.getByRole('button', { name: 'Definitions', exact: false }).first().click();
  await expect(desktop.region('Definitions').getByRole('treeitem', { name: 'by-agent' })).toBeVisible();
  await expect(repl).toContainText('codex');
  await desktop.repl('(by-agent 21)');
  await expect(repl).toContainText('42');

  // An agent can read and search the person's unsaved text.
  await desktop.newFile('(defun half-written (x)\n  (list x');
  await expect
    .poll(async () => (await agent.call('read-buffer')).text)
    .toMatch(/with unsaved changes\n1\t\(defun half-written/);
  expect((await agent.call('search-in-buffer', { pattern: 'list x' })).text).toMatch(/:2: {3}\(list x/);

  // An evaluation that is waiting for the person shows a button that opens the card.
  const call = agent.call('evaluate-lisp', { code: `(progn (delete-file "${file}") :gone)` });
  const entry = repl.getByRole('article', { name: 'Evaluated by codex' }).last();
  await expect(entry).toContainText('delete-file');
  await expect(entry).toContainText(/Waiting for you in \S+, \d:\d\d/);
  await expect(page.getByRole('button', { name: /^AI clients: codex waiting for you/ })).toBeVisible();
  await entry.getByRole('button', { name: 'Show the card' }).click();
  const review = await desktop.review();
  await expect(review.getByRole('heading', { name: /^Delete kept\.txt/ })).toBeVisible();
  await review.getByRole('button', { name: 'Approve', exact: true }).click();
  expect((await call).text).toBe('=> :GONE');
  await expect(entry).toContainText('=> :GONE');
  await expect(entry).not.toContainText('Waiting for you');
  await page.getByRole('button', { name: 'Activity', exact: false }).first().click();
  await expect(desktop.region('Activity')).toContainText('evaluate-lisp');
  await expect(desktop.region('Activity')).toContainText('codex');
});

test('A write-file waits for the click: approved, denied, edited [D13, X9–X12, X14, X37]', async ({
  sharedDesktop: desktop,
}) => {
  const agent = await desktop.agent('claude-code');
  const file = path.join(desktop.project, 'shop.lisp');
  await writeFile(file, '(defun total () 1)\n');

  const first = agent.call('write-file', { path: 'shop.lisp', content: '(defun total () 2)\n' });
  const review = await openReview(desktop);
  await expect(review.getByText('Write 19 bytes to shop.lisp', { exact: true })).toBeVisible();
  await expect(review.getByText('write-file').first()).toBeVisible();
  await expect(review.getByText('claude-code').first()).toBeVisible();
  expect(await readFile(file, 'utf8')).toBe('(defun total () 1)\n');
  await review.keyboard.press('Enter');
  await expect(review.getByRole('button', { name: 'Approve', exact: true })).toBeEnabled();
  expect(await readFile(file, 'utf8')).toBe('(defun total () 1)\n');
  await review.getByRole('button', { name: 'Approve', exact: true }).click();
  expect(await first).toMatchObject({ text: 'Wrote 19 bytes to shop.lisp.', isError: false });
  expect(await readFile(file, 'utf8')).toBe('(defun total () 2)\n');

  const second = agent.call('write-file', { path: 'secret.lisp', content: '(print 1)\n' });
  await review.getByRole('button', { name: 'Deny', exact: true }).click();
  await review.getByRole('textbox').fill('Not this one.');
  await review.getByRole('button', { name: 'Deny', exact: true }).click();
  expect(await second).toMatchObject({ text: 'User denied tool execution: Not this one.', isError: true });
  await expect(stat(path.join(desktop.project, 'secret.lisp'))).rejects.toThrow();

  const third = agent.call('write-file', { path: 'shop.lisp', content: '(defun total () 3)\n' });
  await review.getByRole('button', { name: 'Edit and approve', exact: true }).click();
  await review.getByRole('textbox').fill('(defun total () 33)\n');
  await review.getByRole('button', { name: 'Approve with edits', exact: true }).click();
  const { text } = await third;
  expect(text).toContain('The person edited this before approving it.');
  expect(text).toContain('+(defun total () 33)');
  expect(await readFile(file, 'utf8')).toBe('(defun total () 33)\n');
});

test('A window that closes denies what waits [decision 18]', async ({ desktop }) => {
  const agent = await desktop.agent('codex');
  const call = agent.call('write-file', { path: 'late.lisp', content: '1' });
  await openReview(desktop);
  const [answer] = await Promise.allSettled([call, desktop.close()]);
  // Either the answer still arrives, or the connection ends with the program. In both cases no file is written.
  if (answer.status === 'fulfilled')
    expect(answer.value.text).toMatch(/^Not approved: The (window|workbench) was closed\.$/);
  await expect(stat(path.join(desktop.project, 'late.lisp'))).rejects.toThrow();
});
