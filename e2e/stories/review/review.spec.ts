/** Stories about Review: cards about changes of files, their contents, and how they are decided and undone. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Desktop, expect, test } from '../../desktop/fixture.ts';
import { approve, button, deny, FORMS, MODIFIED, openReview, ORIGINAL, propose } from '../../desktop/reviewing.ts';

test('The person takes two of three hunks: the file has those, and the agent is told which were left [D13, X15]', async ({
  sharedDesktop: desktop,
}) => {
  const file = path.join(desktop.project, 'shop.lisp');
  await writeFile(file, ORIGINAL);
  const agent = await desktop.agent('claude-code');
  await agent.call('evaluate-lisp', { code: MODIFIED.split('\n\n')[0]! });
  const call = propose(agent);
  const review = await openReview(desktop);
  await expect(review.getByRole('heading', { name: 'Change 3 definitions in shop.lisp' })).toBeVisible();
  await expect(review.getByText('3 complete forms')).toBeVisible();
  await button(review, 'Why?').click();
  await expect(review.getByText('claude-code is in collaborate mode', { exact: true })).toBeVisible();
  await expect(review.getByText(/^A dangerous tool needs approval each time/)).toBeVisible();
  await button(review, 'Show modes and rules').click();
  await expect(desktop.region('Clients')).toBeVisible();
  await expect(review.getByText('Image already runs this')).toHaveCount(1);
  const boxes = review.getByRole('checkbox', { name: /^Include/ });
  await expect(boxes).toHaveCount(3);
  for (const name of ['Include defun total', 'Include defun discount', 'Include defun tax']) {
    await expect(review.getByRole('checkbox', { name, exact: true })).toBeChecked();
    await review.getByRole('checkbox', { name, exact: true }).click();
  }
  await expect(review.getByText('Nothing is selected. Deny the request instead.')).toBeVisible();
  await expect(button(review, 'Approve')).toBeDisabled();
  await review.getByRole('checkbox', { name: 'Include defun total' }).click();
  await review.getByRole('checkbox', { name: 'Include defun tax' }).click();
  await expect(review.getByText('2 of 3 changes will be written')).toBeVisible();
  await approve(review);
  const { text, isError } = await call;
  expect({ text, isError }).toEqual({
    text: expect.stringMatching(/accepted 2 of 3 hunks[^]*\[Left out by the person\][^]*discount/),
    isError: false,
  });
  // The image already ran the approved text of TOTAL, so the person has reviewed it.
  await expect
    .poll(async () => (await desktop.snapshot()).unreviewed.entries.map(({ name }) => name))
    .not.toContain('TOTAL');
  expect(await readFile(file, 'utf8')).toBe(
    [FORMS[0]!.replace('1)', '2)'), FORMS[1], FORMS[2]!.replace('1)', '2)')].join('\n'),
  );
});

test('An approved write is undone under Decided, and where the file was changed since, its texts are shown [P6]', async ({
  desktop,
}) => {
  const file = path.join(desktop.project, 'shop.lisp');
  await writeFile(file, ORIGINAL);
  const agent = await desktop.agent('claude-code');
  const first = propose(agent);
  const review = await openReview(desktop);
  await approve(review);
  await first;
  expect(await readFile(file, 'utf8')).toBe(MODIFIED);
  await button(review, 'Undo').click();
  await expect(review.getByText(/Undone: .*shop\.lisp was restored\./)).toBeVisible();
  expect(await readFile(file, 'utf8')).toBe(ORIGINAL);
  await expect(button(review, 'Undo')).toHaveCount(0);

  const second = propose(agent);
  await approve(review);
  await second;
  await writeFile(file, ';; by hand\n');
  await button(review, 'Undo').click();
  await expect(review.getByText(/shop\.lisp was changed after that\./)).toBeVisible();
  await expect(review.getByRole('group', { name: 'Now' })).toContainText(';; by hand');
  await expect(review.getByRole('group', { name: 'Before the approved change' })).toContainText('(* x 1)');

  const third = agent.call('delete-file', { path: 'shop.lisp' });
  await expect(review.getByRole('heading', { name: 'Delete shop.lisp' })).toBeVisible();
  await expect(review.getByText(/11 bytes · written \d/)).toBeVisible();
  await expect(review.getByRole('group', { name: 'Now' })).toHaveCount(0);
  await button(review, 'Show the texts').click();
  await review.getByRole('group', { name: 'Now' }).scrollIntoViewIfNeeded(); // only visible rows are drawn
  await expect(review.getByRole('group', { name: 'Now' })).toContainText(';; by hand');
  await deny(review, 'It is mine.');
  await third;
  expect(await readFile(file, 'utf8')).toBe(';; by hand\n');
});

test('The desktop is told of a request while the window is not looked at, once a client, until it is settled [D13]', async ({
  desktop,
}) => {
  const agent = await desktop.agent('codex');
  await desktop.app.evaluate(({ BrowserWindow, Notification }) => {
    const told: string[] = [];
    Object.assign(globalThis, { told });
    const [window] = BrowserWindow.getAllWindows();
    window!.isFocused = () => false;
    Notification.isSupported = () => true;
    Notification.prototype.show = function show() {
      told.push(`show ${this.title}: ${this.body}`);
    };
    Notification.prototype.close = () => void told.push('close');
  });
  const told = (): Promise<string[]> => desktop.app.evaluate(() => (globalThis as unknown as { told: string[] }).told);
  const calls = ['a', 'b'].map((name) => agent.call('write-file', { path: `${name}.lisp`, content: '1' }));
  const shown = [
    expect.stringMatching(/^show codex asks: Write 1 byte to [ab]\.lisp$/),
    'close',
    'show codex asks: 2 requests are waiting for you.',
  ];
  await expect.poll(told).toEqual(shown);
  const review = await openReview(desktop);
  for (const _ of calls) {
    await button(review, 'Deny').click();
    await button(review, 'Deny').click();
  }
  await Promise.all(calls);
  await expect.poll(told).toEqual([...shown, 'close']);
});

test('All agents are stopped from Review: what waits is denied, what runs is interrupted [D5, K6]', async ({
  sharedDesktop: desktop,
}) => {
  const agent = await desktop.agent('codex');
  const waiting = agent.call('write-file', { path: 'a.lisp', content: '1' });
  const running = agent.call('evaluate-lisp', { code: '(loop)' });
  const review = await openReview(desktop);
  await expect.poll(async () => (await desktop.snapshot()).session.state).toBe('evaluating');
  await button(review, 'Stop all agents').click();
  expect((await waiting).text).toMatch(/^Not approved: The person has paused this client/);
  expect((await running).text).toMatch(/^\[ERROR\] SB-SYS:INTERACTIVE-INTERRUPT/);
  // Review covers a part of the page, so notifications appear next to it.
  const told = desktop.page.getByRole('status').filter({ hasText: 'All agents are paused.' });
  await expect(told).toBeVisible();
  const edge = (await desktop.page.evaluate(() => innerWidth)) - 648;
  await expect.poll(() => told.boundingBox().then((box) => box && box.x + box.width)).toBeLessThanOrEqual(edge);
  await review.keyboard.press('Escape');
  await desktop.page.getByRole('button', { name: /^AI clients/ }).click();
  await desktop.page.getByRole('menuitem', { name: 'Resume All Agents' }).click();
  await expect.poll(async () => (await desktop.snapshot()).clients.map(({ paused }) => paused)).toEqual([null]);
});

test('A card says whether the editor has unsaved text of its file, as it is at the moment, and what does not read [D13]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const file = path.join(desktop.project, 'shop.lisp');
  await writeFile(file, ORIGINAL);
  await desktop.openFile(file);
  await expect(desktop.region('Editor')).toContainText('defun total');
  const agent = await desktop.agent('claude-code');
  const modified = ORIGINAL.replace('(* x 1))', '(* x 2)');
  const call = agent.call('propose-file-edit', {
    path: 'shop.lisp',
    original: ORIGINAL,
    modified,
    description: 'Two.',
  });
  const review = await openReview(desktop);
  await expect(review.getByText(/cannot be read: Line 1, column \d+: .* is never closed/)).toBeVisible();
  await expect(review.getByText(/no unsaved text in the editor/)).toBeVisible();
  await desktop
    .region('Editor')
    .locator('.monaco-editor .view-lines')
    .click({ position: { x: 60, y: 10 } });
  await page.keyboard.insertText(';');
  await expect(review.getByText('has unsaved text in the editor')).toBeVisible();
  await deny(review, 'It does not read.');
  expect((await call).isError).toBe(true);
});

test('Review is there again when a page is loaded in which it had stepped aside for the palette [D13, K6]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  await writeFile(path.join(desktop.project, 'shop.lisp'), ORIGINAL);
  const agent = await desktop.agent('codex');
  const edit = propose(agent);
  const review = await openReview(desktop);
  const isShown = await watchShown(desktop, review.url());
  await page.bringToFront();
  await page.keyboard.press('Control+Shift+P');
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect.poll(isShown).toBe(false);
  await page.reload();
  await expect.poll(isShown).toBe(true);
  await deny(review, 'No.');
  expect((await edit).isError).toBe(true);
});

test('Review that draws nothing although it is open is shown anew, and its card can be decided [D13, K6]', async ({
  sharedDesktop: desktop,
}) => {
  const agent = await desktop.agent('codex');
  const call = agent.call('write-file', { path: 'unseen.txt', content: 'seen' });
  const review = await openReview(desktop);
  await expect(button(review, 'Approve')).toBeEnabled();
  const waiting = await review.evaluateHandle(() => {
    const held: FrameRequestCallback[] = [];
    const draw = window.requestAnimationFrame;
    window.requestAnimationFrame = (callback) => held.push(callback);
    const drawAgain = (): void => {
      window.requestAnimationFrame = draw;
      for (const callback of held) draw(callback);
    };
    return { held, drawAgain };
  });
  const shown = await watchShown(desktop, review.url());
  await desktop.app.evaluate(({ webContents }, url) => {
    const page = webContents.getAllWebContents().find((each) => each.getURL() === url)!;
    page.send('approval-events', null, [['view-shown', {}]]);
  }, review.url());
  await expect.poll(() => waiting.evaluate(({ held }) => held.length)).toBeGreaterThan(0);
  await expect(button(review, 'Approve')).toBeDisabled();
  await expect.poll(shown).toBe(true); // not reported before the view is shown again
  await waiting.evaluate(({ drawAgain }) => drawAgain());
  await approve(review);
  expect((await call).isError).toBe(false);
  expect(await readFile(path.join(desktop.project, 'unseen.txt'), 'utf8')).toBe('seen');
});

/** Starts to record whether the view with this page is visible. Returns a function that returns the latest recorded value. */
async function watchShown({ app }: Desktop, url: string): Promise<() => Promise<boolean | undefined>> {
  await app.evaluate(({ BrowserWindow, WebContentsView }, wanted) => {
    const views = BrowserWindow.getAllWindows().flatMap(({ contentView }) => contentView.children);
    const view = views.find((each) => each instanceof WebContentsView && each.webContents.getURL() === wanted)!;
    const setVisible = view.setVisible.bind(view);
    view.setVisible = (visible) => {
      Object.assign(globalThis, { isReviewShown: visible });
      setVisible(visible);
    };
  }, url);
  return () => app.evaluate(() => (globalThis as { isReviewShown?: boolean }).isReviewShown);
}
