/** Stories about Review: cards of effects, and the person's options for the waiting code. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '../../desktop/fixture.ts';
import { approve, button, deleting, openReview, radio } from '../../desktop/reviewing.ts';

test("An agent's delete-file is redirected, denied with a reason, and aborted [G2, G3]", async ({
  sharedDesktop: desktop,
}) => {
  const [kept, other] = ['kept.txt', 'other.txt'].map((name) => path.join(desktop.project, name)) as [string, string];
  for (const file of [kept, other]) await writeFile(file, 'text');
  const agent = await desktop.agent('codex');

  const first = agent.call('evaluate-lisp', {
    code: `(defun prune (file) (delete-file file) :done) (prune "${kept}")`,
  });
  const review = await openReview(desktop);
  await expect(review.getByRole('heading', { name: 'Delete kept.txt (4 bytes)' })).toBeVisible();
  await button(review, 'Frames').click();
  await expect(review.getByRole('region', { name: 'Frames' })).toContainText(`(PRUNE "${kept}")`);
  await button(review, 'Details').click();
  await expect(review.getByText('no effects outside the image in this evaluation')).toBeVisible();
  await radio(review, /^Use another path/).click();
  await expect(review.getByText('Enter the other path first.')).toBeVisible();
  const field = review.getByRole('textbox', { name: 'Other path' });
  await field.fill('/etc/passwd');
  await field.press('Enter');
  await approve(review);
  await expect(review.getByText(/outside the project/)).toBeVisible();
  await field.fill('other.txt');
  await approve(review);
  expect((await first).text).toContain('=> :DONE');
  await stat(kept);
  await expect(stat(other)).rejects.toThrow(/ENOENT/);

  const second = agent.call('evaluate-lisp', deleting(kept));
  await button(review, 'Deny').click();
  await review.getByRole('textbox').fill('I need it.');
  await button(review, 'Deny').click();
  expect(await second).toMatchObject({
    text: expect.stringMatching(/EFFECT-DENIED[^]*I need it\./),
    isError: true,
  });

  const third = agent.call('evaluate-lisp', { code: `(loop (ignore-errors (delete-file "${kept}")))` });
  await radio(review, /^Abort the evaluation/).click();
  await button(review, 'Abort').click();
  expect((await third).isError).toBe(true);
  expect((await agent.call('evaluate-lisp', { code: '(+ 1 1)' })).text).toBe('=> 2');
  await stat(kept);
});

test('Threads that wait for the same effect share one card and one decision [G3]', async ({
  sharedDesktop: desktop,
}) => {
  const agent = await desktop.agent('codex');
  const call = agent.call('evaluate-lisp', {
    code: `(mapcar #'sb-thread:join-thread (loop for i below 3 collect (let ((i i)) (sb-thread:make-thread (lambda () (with-open-file (s (format nil "${desktop.project}/thread-~D" i) :direction :output) (print i s)) i)))))`,
  });
  const review = await openReview(desktop);
  await expect(review.getByText('3 targets, one decision')).toBeVisible();
  await expect(review.getByText('Lets all 3 proceed. The next one needs approval again.')).toBeVisible();
  await expect(radio(review, /^Use another path/)).toHaveCount(0);
  await approve(review);
  expect((await call).text).toBe('=> (0 1 2)');
  await stat(path.join(desktop.project, 'thread-2'));
});

test('What the person remembers is asked no more: an effect in its evaluation, a tool for its target [G3]', async ({
  sharedDesktop: desktop,
}) => {
  const agent = await desktop.agent('codex');
  const call = agent.call('evaluate-lisp', {
    code: `(dotimes (i 20 :done) (with-open-file (s (format nil "${desktop.project}/many-~D" i) :direction :output) (print i s)))`,
  });
  const review = await openReview(desktop);
  await radio(review, /^Always in this evaluation/).click();
  await expect(review.getByText('Every effect of this evaluation of the kind “write”, until it ends')).toBeVisible();
  await approve(review);
  expect((await call).text).toBe('=> :DONE');
  await stat(path.join(desktop.project, 'many-19'));

  const first = agent.call('write-file', { path: 'log.txt', content: '1' });
  await button(review, 'Also approve similar requests').click();
  const rule = review.getByRole('checkbox', { name: /write-file for .*log\.txt/ });
  await expect(rule).not.toBeChecked();
  await rule.click();
  await approve(review);
  await first;
  expect(await agent.call('write-file', { path: 'log.txt', content: '2' })).toMatchObject({
    text: 'Wrote 1 byte to log.txt.',
    isError: false,
  });
  expect(await readFile(path.join(desktop.project, 'log.txt'), 'utf8')).toBe('2');
});

test('A frame leads to its line in the editor, where the suspended code is marked until it goes on [G2, G3]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const file = path.join(desktop.project, 'exports.lisp');
  await writeFile(
    file,
    ';; Old exports.\n\n(defun prune (files)\n  "Deletes."\n  (dolist (file files)\n    (delete-file file)))\n',
  );
  await writeFile(path.join(desktop.project, 'old.csv'), 'text');
  const agent = await desktop.agent('codex');
  await agent.call('load-file', { path: 'exports.lisp' });
  const call = agent.call('evaluate-lisp', {
    code: `(prune '("${path.join(desktop.project, 'old.csv')}"))`,
  });
  const review = await openReview(desktop);
  const frames = review.getByRole('region', { name: 'Frames' });
  await button(review, 'Frames').click();
  await expect(frames).toContainText('form 1 of 1');
  await expect(frames).not.toContainText('SIMPLE-EVAL-IN-LEXENV');
  await button(review, 'Show the frames of SBCL and the workbench').click();
  await expect(frames).toContainText('SIMPLE-EVAL-IN-LEXENV');
  await button(review, 'Show the source of frame 0, exports.lisp:6').click();
  const editor = desktop.region('Editor');
  await expect(editor).toContainText('delete-file file');
  await expect(editor).toContainText(/waiting.here.for.\d:\d\d/);
  await expect(editor.locator('.parked-hand')).toHaveCount(1);
  await expect(page.getByText('Ln 6, Col 1')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Image/ })).toContainText(
    /waiting for you in DELETE-FILE\s*· \d:\d\d/,
  );
  await page.evaluate(() => window.workbench.call('review.show', { open: false }));
  await editor.locator('.parked-hand').click();
  await expect.poll(async () => (await desktop.snapshot()).reviewOpen).toBe(true);
  await approve(review);
  await call;
  await expect(editor).not.toContainText(/waiting.here/);
  await expect(editor.locator('.parked-hand')).toHaveCount(0);
});
