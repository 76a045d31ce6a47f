/** Stories about whole tasks of agents, from the first call to the final results. */
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test, type Agent, type Desktop } from '../../desktop/fixture.ts';
import { approve, deny, openReview, press, radio } from '../../desktop/reviewing.ts';

const missing = (file: string): Promise<void> => expect(stat(file)).rejects.toThrow(/ENOENT/);

/** Makes a call as the agent and lets the person decide about it. Returns the agent's answer. */
async function decided(
  desktop: Desktop,
  call: ReturnType<Agent['call']>,
  decide: (review: Awaited<ReturnType<typeof openReview>>) => Promise<void>,
): ReturnType<Agent['call']> {
  await decide(await openReview(desktop));
  return call;
}

test('An agent builds a small library through proposals that the person takes, edits, leaves in part and undoes [X15, X23, X39, D13, P6]', async ({
  sharedDesktop: desktop,
}) => {
  const agent = await desktop.agent('claude-code');
  const file = path.join(desktop.project, 'src', 'money.lisp');
  const read = (): Promise<string> => readFile(file, 'utf8');

  // Writes a system and its first file, each approved by the person.
  for (const [name, content] of [
    ['money.asd', '(defsystem "money" :components ((:module "src" :components ((:file "money")))))\n'],
    [
      'src/money.lisp',
      '(defpackage :money (:use :cl) (:export #:add #:tax))\n(in-package :money)\n\n(defun add (a b)\n  (+ a b))\n',
    ],
  ] as const) {
    const made = await decided(desktop, agent.call('write-file', { path: name, content }), approve);
    expect(made.isError).toBe(false);
  }

  // The agent tries a second function in the image. Then it proposes a file edit that adds this function and changes the first function.
  // The person leaves out the change of the first function.
  const tax = '(defun tax (amount)\n  (* amount 19/100))\n';
  await agent.call('evaluate-lisp', {
    code: `(defpackage :money (:use :cl) (:export #:add #:tax)) (in-package :money) ${tax}`,
  });
  const both = agent.call('propose-file-edit', {
    path: 'src/money.lisp',
    original: '(defun add (a b)\n  (+ a b))\n',
    modified: `(defun add (&rest all)\n  (apply #'+ all))\n\n${tax}`,
    description: 'Adds TAX.',
  });
  const partly = await decided(desktop, both, async (review) => {
    await expect(review.getByText('Image already runs this')).toHaveCount(1);
    await review.getByRole('checkbox', { name: 'Include defun add' }).click();
    await approve(review);
  });
  expect(partly.text).toMatch(/accepted 1 of 2 hunks[^]*\[Left out by the person\][^]*apply/);
  expect(await read()).toContain('(+ a b)');
  expect(await read()).toContain('19/100');

  // The person edits a proposal before it is written, and the agent is notified.
  const edit = agent.call('edit-definition', {
    path: 'src/money.lisp',
    definition: 'tax',
    text: '(defun tax (amount)\n  (* amount 20/100))',
  });
  const edited = await decided(desktop, edit, async (review) => {
    await press(review, 'Edit and approve');
    await review.getByRole('textbox').fill('(defun tax (amount)\n  (* amount 7/100))');
    await press(review, 'Approve with edits');
  });
  expect(edited.text).toMatch(/The person edited this/);
  expect(await read()).toContain('7/100');

  // A denied request writes nothing, and the agent gets the reason.
  const denied = await decided(desktop, agent.call('delete-file', { path: 'src/money.lisp' }), (review) =>
    deny(review, 'It is all we have.'),
  );
  expect(denied).toMatchObject({ isError: true, text: expect.stringMatching(/It is all we have\./) });

  // The approved code loads and runs.
  const loaded = await agent.call('load-system', { system: 'money' });
  expect(loaded.text).toMatch(/Loaded: money/);
  expect((await agent.call('evaluate-lisp', { code: '(list (money:add 1 2) (money:tax 100))' })).text).toBe('=> (3 7)');

  // The person undoes the edit.
  const review = await desktop.review();
  await review.getByRole('button', { name: /^Undo/ }).first().click();
  await expect.poll(read).toContain('19/100');
});

test("An agent's code would delete a file and, in a thread, start a process: one is redirected, the other denied [G1–G3]", async ({
  sharedDesktop: desktop,
}) => {
  const [precious, scratch, proof] = ['precious.txt', 'scratch.txt', 'proof'].map((name) =>
    path.join(desktop.project, name),
  ) as [string, string, string];
  for (const file of [precious, scratch]) await writeFile(file, 'text');
  const agent = await desktop.agent('codex');
  const call = agent.call('evaluate-lisp', {
    code: `(let ((thread (sb-thread:make-thread (lambda ()
                    (handler-case (progn (sb-ext:run-program "/bin/sh" (list "-c" "touch ${proof}")) :ran)
                      (error (e) (princ-to-string (type-of e))))))))
             (delete-file "${precious}")
             (list :deleted (sb-thread:join-thread thread)))`,
  });
  const review = await openReview(desktop);
  await expect.poll(async () => (await desktop.snapshot()).waitingApprovals).toBe(2);

  // The person's own REPL continues to work.
  await desktop.repl('(+ 20 22)');
  await expect(desktop.region('REPL')).toContainText('42');

  for (let left = 2; left > 0; left -= 1) {
    const heading = await review.getByRole('article').getByRole('heading').first().innerText();
    if (heading.startsWith('Delete')) {
      await radio(review, /^Use another path/).click();
      await review.getByRole('textbox', { name: 'Other path' }).fill('scratch.txt');
      await approve(review);
    } else {
      expect(heading).toMatch(/Run \/bin\/sh/);
      await deny(review, 'No programs.');
    }
    await expect(review.getByRole('article').filter({ hasText: heading })).toHaveCount(0);
    await expect.poll(async () => (await desktop.snapshot()).waitingApprovals).toBe(left - 1);
  }
  expect((await call).text).toMatch(/=> \(:DELETED "?.*EFFECT-DENIED/);
  await stat(precious);
  await missing(scratch);
  await missing(proof);
});

test('A program that is killed while a card waits asks again after the next start, and runs only what is clicked then [K4, D18]', async ({
  launch,
}) => {
  const home = await mkdtemp(path.join(tmpdir(), 'home-'));
  const project = await mkdtemp(path.join(tmpdir(), 'project-'));
  try {
    const first = await launch({ home, project });
    await first.imageReady();
    const agent = await first.agent('codex');
    const lost = agent.call('write-file', { path: 'kept.txt', content: 'kept' }).catch(() => null);
    await expect.poll(async () => (await first.snapshot()).waitingApprovals).toBe(1);
    const ended = first.app.waitForEvent('close');
    first.app.process().kill('SIGKILL');
    await ended;
    await agent.close(); // the request gets no answer any more
    await lost;

    const second = await launch({ home, project });
    await second.imageReady();
    const review = await openReview(second);
    await expect(review.getByText(/The program ended before you decided/)).toBeVisible();
    await missing(path.join(project, 'kept.txt'));
    await press(review, 'Run anyway');
    await expect.poll(() => readFile(path.join(project, 'kept.txt'), 'utf8').catch(() => null)).toBe('kept');
  } finally {
    await rm(home, { recursive: true, force: true });
    await rm(project, { recursive: true, force: true });
  }
});
