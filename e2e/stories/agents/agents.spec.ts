import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '../../desktop/fixture.ts';
import { openReview } from '../../desktop/reviewing.ts';

test('What a client defines and calls appears without a reload, and the person can call it [D16, X8]', async ({
  sharedDesktop: desktop,
}) => {
  const agent = await desktop.agent('claude-code');
  const { text } = await agent.call('evaluate-lisp', { code: '(defun by-agent (x) "Doubles X." (* 2 x))' });
  expect(text).toBe('=> BY-AGENT');
  const { page } = desktop;
  await page.getByRole('button', { name: 'Definitions', exact: false }).first().click();
  await expect(desktop.region('Definitions').getByRole('treeitem', { name: 'by-agent' })).toBeVisible();
  await expect(desktop.region('REPL')).toContainText('claude-code');
  await desktop.repl('(by-agent 21)');
  await expect(desktop.region('REPL')).toContainText('42');
  await page.getByRole('button', { name: 'Activity', exact: false }).first().click();
  await expect(desktop.region('Activity')).toContainText('evaluate-lisp');
  await expect(desktop.region('Activity')).toContainText('claude-code');
});

test('A client reads and searches what the person has typed and not saved [D16]', async ({
  sharedDesktop: desktop,
}) => {
  await desktop.newFile('(defun half-written (x)\n  (list x');
  const agent = await desktop.agent('codex');
  await expect
    .poll(async () => (await agent.call('read-buffer')).text)
    .toMatch(/with unsaved changes\n1\t\(defun half-written/);
  expect((await agent.call('search-in-buffer', { pattern: 'list x' })).text).toMatch(/:2: {3}\(list x/);
});

test("An agent's evaluation shows in the REPL while it waits for the person, and leads to the request [D16]", async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const file = path.join(desktop.project, 'kept.txt');
  await writeFile(file, 'text');
  const agent = await desktop.agent('codex');
  const call = agent.call('evaluate-lisp', { code: `(progn (delete-file "${file}") :gone)` });
  const entry = desktop.region('REPL').getByRole('article', { name: 'Evaluated by codex' });
  await expect(entry).toContainText('delete-file');
  await expect(entry).toContainText(/Waits for you in \S+, \d:\d\d/);
  await expect(page.getByRole('button', { name: /^AI clients: codex waits for you/ })).toBeVisible();
  await entry.getByRole('button', { name: 'Show the card' }).click();
  const review = await desktop.review();
  await expect(review.getByRole('heading', { name: /^Delete kept\.txt/ })).toBeVisible();
  await review.getByRole('button', { name: 'Approve', exact: true }).click();
  expect((await call).text).toBe('=> :GONE');
  await expect(entry).toHaveCount(1);
  await expect(entry).toContainText('=> :GONE');
  await expect(entry).not.toContainText('Waits for you');
});

test('The REPL is at its end when it is shown again after another page [D16, D18]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const agent = await desktop.agent('codex');
  await desktop.repl('(loop for line below 40 do (print line))');
  await expect(desktop.region('REPL')).toContainText('39');
  await page.keyboard.press('Control+Shift+H');
  await expect(desktop.region('Activity')).toBeVisible();
  for (let count = 0; count < 30; count += 1)
    await agent.call('evaluate-lisp', {
      code: count % 4 === 0 ? '(car 1)' : `(dotimes (line ${count} :done-${count}) (print line))`,
    });
  await page.keyboard.press('Control+`');
  await expect(desktop.region('REPL').getByText(':DONE-29', { exact: true })).toBeInViewport({ ratio: 1 });
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
  await review.getByRole('button', { name: 'Approve edited', exact: true }).click();
  const { text } = await third;
  expect(text).toContain('The person edited this before approving it.');
  expect(text).toContain('+(defun total () 33)');
  expect(await readFile(file, 'utf8')).toBe('(defun total () 33)\n');
});

test('A file that changed while its card was open is drawn again instead of written [K3]', async ({
  sharedDesktop: desktop,
}) => {
  const agent = await desktop.agent('codex');
  const file = path.join(desktop.project, 'race.lisp');
  await writeFile(file, 'one\n');
  const call = agent.call('write-file', { path: 'race.lisp', content: 'two\n' });
  const review = await openReview(desktop);
  await expect(review.getByRole('button', { name: 'Approve', exact: true })).toBeEnabled();
  await writeFile(file, 'changed by hand\n');
  await review.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(review.getByText('The file changed. Here is the change again.')).toBeVisible();
  expect(await readFile(file, 'utf8')).toBe('changed by hand\n');
  await expect(review.getByRole('button', { name: 'Approve', exact: true })).toBeEnabled();
  await review.getByRole('button', { name: 'Approve', exact: true }).click();
  expect((await call).isError).toBe(false);
});

test('A deadline that passes denies, saying so [decision 18]', async ({ sharedDesktop: desktop }) => {
  await desktop.page.evaluate(() => window.workbench.call('settings.change', { approvalMinutes: 0.05 }));
  const agent = await desktop.agent('codex');
  const { text, isError } = await agent.call('write-file', { path: 'late.lisp', content: '1' });
  expect({ text, isError }).toEqual({
    text: 'Not approved: The person did not decide within 3 seconds.',
    isError: true,
  });
});

test('A window that closes denies what waits [decision 18]', async ({ desktop }) => {
  const agent = await desktop.agent('codex');
  const call = agent.call('write-file', { path: 'late.lisp', content: '1' });
  await openReview(desktop);
  const [answer] = await Promise.allSettled([call, desktop.close()]);
  // The answer may still get out, or the connection ends with the program; in neither case is anything written.
  if (answer.status === 'fulfilled')
    expect(answer.value.text).toMatch(/^Not approved: The (window|workbench) was closed\.$/);
  await expect(stat(path.join(desktop.project, 'late.lisp'))).rejects.toThrow();
});

test("A client's endless loop is interrupted by the person [K6, D5]", async ({ sharedDesktop: desktop }) => {
  const agent = await desktop.agent('codex');
  const call = agent.call('evaluate-lisp', { code: '(loop)' });
  await expect.poll(async () => (await desktop.snapshot()).session.state).toBe('evaluating');
  await desktop.page.getByRole('button', { name: 'Interrupt evaluation' }).first().click();
  const { text, isError } = await call;
  expect({ text, isError }).toEqual({
    text: expect.stringMatching(/^\[ERROR\] SB-SYS:INTERACTIVE-INTERRUPT/),
    isError: true,
  });
  expect((await agent.call('evaluate-lisp', { code: '(+ 1 2)' })).text).toBe('=> 3');
});

test('An agent that ends the image takes nothing with it: the image goes back to the checkpoint before [K6]', async ({
  sharedDesktop: desktop,
}) => {
  await desktop.newFile('(defun kept-text () :in-the-editor)');
  await desktop.repl('(defun mine (x) (list :mine x))');
  await expect(desktop.region('REPL')).toContainText('MINE');
  const agent = await desktop.agent('codex');
  const call = agent.call('evaluate-lisp', { code: '(sb-ext:exit :code 7)' });
  const review = await openReview(desktop);
  await expect(review.getByRole('heading', { name: 'End the image (with code 7)' })).toBeVisible();
  await review.getByRole('button', { name: 'Approve', exact: true }).click();
  const { text, isError } = await call;
  expect({ text, isError }).toEqual({ text: expect.stringMatching(/exit code 7/), isError: true });
  await desktop.repl('(mine 5)');
  await expect(desktop.region('REPL')).toContainText('(:MINE 5)');
  await expect(desktop.region('Editor')).toContainText('kept-text');
});

test("An image that ends is replaced, and the window brings the person's definitions back [K6, P4, D18]", async ({
  sharedDesktop: desktop,
}) => {
  await desktop.newFile('(defun kept-text () :in-the-editor)');
  await desktop.repl('(defun mine (x) (list :mine x))');
  await expect(desktop.region('REPL')).toContainText('MINE');
  await desktop.repl('(sb-ext:exit :code 7)');
  const bar = desktop.page.getByRole('button', { name: 'Evaluate my definitions again' });
  await expect(bar).toBeVisible();
  await expect(desktop.region('Editor')).toContainText('kept-text');
  await bar.click();
  await expect(bar).toBeHidden();
  await desktop.repl('(mine 5)');
  await expect(desktop.region('REPL')).toContainText('(:MINE 5)');
});

test('A client that would reset the shared image asks the person [S25, S26, X9, decision 14]', async ({
  sharedDesktop: desktop,
}) => {
  const agent = await desktop.agent('codex');
  await desktop.repl('(defun mine () :still-here)');
  await expect(desktop.region('REPL')).toContainText('MINE');

  const refused = agent.call('reset-session');
  const review = await openReview(desktop);
  await expect(review.getByText('Reset the image that you share', { exact: false }).first()).toBeVisible();
  await review.getByRole('button', { name: 'Deny', exact: true }).click();
  await review.getByRole('textbox').fill('I am working in it.');
  await review.getByRole('button', { name: 'Deny', exact: true }).click();
  expect((await refused).text).toBe('User denied tool execution: I am working in it.');
  await desktop.repl('(mine)');
  await expect(desktop.region('REPL')).toContainText(':STILL-HERE');

  const allowed = agent.call('reset-session');
  await review.getByRole('button', { name: 'Approve', exact: true }).click();
  expect((await allowed).text).toBe('Session reset. All definitions cleared.\nCurrent package: CL-USER');
  await desktop.repl('(fboundp (find-symbol "MINE"))');
  await expect(desktop.region('REPL')).toContainText('NIL');
});

test('A request is decided with the keyboard alone, and never by Enter [D13, D17]', async ({
  sharedDesktop: desktop,
}) => {
  const agent = await desktop.agent('codex');
  const call = agent.call('write-file', { path: 'keys.lisp', content: '1' });
  const review = await openReview(desktop);
  const approve = review.getByRole('button', { name: 'Approve', exact: true });
  await expect(approve).toBeEnabled();
  for (let steps = 0; steps < 20; steps += 1) {
    if (await approve.evaluate((button) => button === document.activeElement)) break;
    await review.keyboard.press('Tab');
  }
  await expect(approve).toBeFocused();
  await review.keyboard.press('Enter');
  await expect(approve).toBeVisible();
  await expect(stat(path.join(desktop.project, 'keys.lisp'))).rejects.toThrow(/ENOENT/);
  await review.keyboard.press('Space');
  expect((await call).text).toBe('Wrote 1 byte to keys.lisp.');
});
