import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from '@playwright/test';
import { expect, test, type Agent } from './fixture.ts';
import { approve, button, deny, openReview, press, radio } from './reviewing.ts';

const FORMS = ['total', 'discount', 'tax'].map((name) => `(defun ${name} (x)\n  "Of X."\n  (* x 1))\n`);
const ORIGINAL = FORMS.join('\n');
const MODIFIED = ORIGINAL.replaceAll('1)', '2)');

function propose(agent: Agent): ReturnType<Agent['call']> {
  const description = 'Doubles all of them.';
  return agent.call('propose-file-edit', { path: 'shop.lisp', original: ORIGINAL, modified: MODIFIED, description });
}

const deleting = (file: string): { code: string } => ({ code: `(progn (delete-file "${file}") :done)` });

test('D13 X15 the person takes two of three hunks: the file has those, and the agent is told which were left', async ({
  desktop,
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
  await expect(review.getByText(/^A dangerous tool is asked about each time/)).toBeVisible();
  await button(review, 'Show modes and rules').click();
  await expect(desktop.region('Clients')).toBeVisible();
  await expect(review.getByText('Image already runs this')).toHaveCount(1);
  const boxes = review.getByRole('checkbox', { name: /^Take/ });
  await expect(boxes).toHaveCount(3);
  for (const name of ['Take defun total', 'Take defun discount', 'Take defun tax']) {
    await expect(review.getByRole('checkbox', { name, exact: true })).toBeChecked();
    await review.getByRole('checkbox', { name, exact: true }).click();
  }
  await expect(review.getByText('Nothing is chosen. Deny it instead.')).toBeVisible();
  await expect(button(review, 'Approve')).toBeDisabled();
  await review.getByRole('checkbox', { name: 'Take defun total' }).click();
  await review.getByRole('checkbox', { name: 'Take defun tax' }).click();
  await expect(review.getByText('2 of 3 changes will be written')).toBeVisible();
  await approve(review);
  const { text, isError } = await call;
  expect({ text, isError }).toEqual({
    text: expect.stringMatching(/took 2 of 3 hunks[^]*\[Left out by the person\][^]*discount/),
    isError: false,
  });
  expect(await readFile(file, 'utf8')).toBe(
    [FORMS[0]!.replace('1)', '2)'), FORMS[1], FORMS[2]!.replace('1)', '2)')].join('\n'),
  );
});

test('P6 an approved write is undone under Decided, and where the file was changed since, its texts are shown', async ({
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
  await expect(review.getByText(/Undone: .*shop\.lisp is as it was before\./)).toBeVisible();
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
  await review.getByRole('group', { name: 'Now' }).scrollIntoViewIfNeeded(); // rows are drawn where they are seen
  await expect(review.getByRole('group', { name: 'Now' })).toContainText(';; by hand');
  await deny(review, 'It is mine.');
  await third;
  expect(await readFile(file, 'utf8')).toBe(';; by hand\n');
});

test("G2 G3 an agent's delete-file is redirected, denied with a reason, and aborted", async ({ desktop }) => {
  const [kept, other] = ['kept.txt', 'other.txt'].map((name) => path.join(desktop.project, name)) as [string, string];
  for (const file of [kept, other]) await writeFile(file, 'text');
  const agent = await desktop.agent('codex');

  const first = agent.call('evaluate-lisp', {
    code: `(defun prune (file) (delete-file file) :done) (prune "${kept}")`,
  });
  const review = await openReview(desktop);
  await expect(review.getByRole('heading', { name: 'Delete kept.txt (4 bytes)' })).toBeVisible();
  await expect(review.getByRole('region', { name: 'Frames' })).toContainText(`(PRUNE "${kept}")`);
  await expect(review.getByText('nothing outside the image in this evaluation')).toBeVisible();
  await radio(review, /^Use another path/).click();
  await expect(review.getByText('Name the other path first.')).toBeVisible();
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

test('D13 a card has the colour of its client, and begins with its headline wherever the one before was left', async ({
  desktop,
}) => {
  const first = await desktop.agent('claude-code');
  const second = await desktop.agent('codex');
  const text = Array.from({ length: 60 }, (_each, line) => `;; line ${line}\n`).join('');
  const calls = [first, second].map((agent, index) =>
    agent.call('write-file', { path: `notes-${index}.lisp`, content: text }),
  );
  const review = await openReview(desktop);
  const heading = review.getByRole('heading', { name: /^Write .* notes-/ });
  await expect(review.getByText('2 waiting')).toBeVisible();
  const colours: string[] = [];
  for (const _ of calls) {
    await expect(heading).toBeInViewport();
    colours.push(
      await review
        .getByRole('article')
        .locator('.mark')
        .evaluate((mark) => getComputedStyle(mark).color),
    );
    const shown = await heading.innerText();
    await approve(review);
    await expect(review.getByRole('heading', { name: shown, exact: true })).toHaveCount(0);
  }
  await Promise.all(calls);
  const agentColours = await review.evaluate(() =>
    ['--agent-1', '--agent-2'].map((name) => {
      const probe = document.createElement('i');
      probe.style.color = `var(${name})`;
      document.body.append(probe);
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    }),
  );
  expect(colours.toSorted()).toEqual(agentColours.toSorted());
});

test('G3 threads that wait for the same share one card and one decision', async ({ desktop }) => {
  const agent = await desktop.agent('codex');
  const call = agent.call('evaluate-lisp', {
    code: `(mapcar #'sb-thread:join-thread (loop for i below 3 collect (let ((i i)) (sb-thread:make-thread (lambda () (with-open-file (s (format nil "${desktop.project}/thread-~D" i) :direction :output) (print i s)) i)))))`,
  });
  const review = await openReview(desktop);
  await expect(review.getByText('3 targets, one decision')).toBeVisible();
  await expect(review.getByText('Lets all 3 go on. The next one asks again.')).toBeVisible();
  await expect(radio(review, /^Use another path/)).toHaveCount(0);
  await approve(review);
  expect((await call).text).toBe('=> (0 1 2)');
  await stat(path.join(desktop.project, 'thread-2'));
});

test('G3 what the person remembers is asked no more: an effect in its evaluation, a tool for its target', async ({
  desktop,
}) => {
  const agent = await desktop.agent('codex');
  const call = agent.call('evaluate-lisp', {
    code: `(dotimes (i 20 :done) (with-open-file (s (format nil "${desktop.project}/many-~D" i) :direction :output) (print i s)))`,
  });
  const review = await openReview(desktop);
  await expect(review.getByText('effect write of this evaluation, until it ends')).toBeVisible();
  await radio(review, /^Always in this evaluation/).click();
  await approve(review);
  expect((await call).text).toBe('=> :DONE');
  await stat(path.join(desktop.project, 'many-19'));

  const first = agent.call('write-file', { path: 'log.txt', content: '1' });
  await button(review, 'Also approve further ones like this').click();
  const rule = review.getByRole('checkbox', { name: /write_file for .*log\.txt/ });
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

test('D13 D17 hunks and effects are decided with the keyboard alone, and never by Enter', async ({ desktop }) => {
  const file = path.join(desktop.project, 'shop.lisp');
  await writeFile(file, ORIGINAL);
  const agent = await desktop.agent('codex');
  const edit = propose(agent);
  const review = await openReview(desktop);
  const tabTo = async (target: Locator): Promise<void> => {
    await expect(target).toBeVisible();
    for (let steps = 0; steps < 30; steps += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await review.keyboard.press('Tab');
    }
    await expect(target).toBeFocused();
  };
  await tabTo(review.getByRole('checkbox', { name: 'Take defun tax' }));
  await review.keyboard.press('Space');
  await expect(button(review, 'Approve')).toBeEnabled();
  await tabTo(button(review, 'Approve'));
  await review.keyboard.press('Enter');
  expect(await readFile(file, 'utf8')).toBe(ORIGINAL);
  await review.keyboard.press('Space');
  expect((await edit).text).toContain('took 2 of 3 hunks');

  const effect = agent.call('evaluate-lisp', deleting(file));
  const proceed = radio(review, /^Proceed once/);
  await tabTo(proceed);
  await expect(button(review, 'Approve')).toBeEnabled();
  for (const key of ['Enter', 'y', 'a']) await review.keyboard.press(key);
  await stat(file);
  for (let steps = 0; steps < 4; steps += 1) await review.keyboard.press('ArrowDown');
  await expect(radio(review, /^Deny/)).toBeChecked();
  await review.keyboard.press('Tab');
  await review.keyboard.insertText('By the keyboard.');
  await review.keyboard.press('Escape');
  await expect(radio(review, /^Deny/)).toBeFocused();
  await tabTo(button(review, 'Deny'));
  await review.keyboard.press('Space');
  expect((await effect).text).toMatch(/EFFECT-DENIED[^]*By the keyboard\./);
  await stat(file);
});

test('D13 D17 F7 goes from card to card, F6 from Review to the regions and back, and Tab begins in the card', async ({
  desktop,
}) => {
  const { page } = desktop;
  const agent = await desktop.agent('codex');
  const calls = ['a', 'b'].map((name) => agent.call('write-file', { path: `${name}.lisp`, content: '1' }));
  await expect.poll(async () => (await desktop.snapshot()).waitingApprovals).toBe(2);
  const review = await openReview(desktop);
  /** As the keyboard sends it: main hears it before the page. */
  const key = (view: 'workbench' | 'approval', keyCode: string, modifiers: 'shift'[] = []): Promise<void> =>
    desktop.app.evaluate(
      ({ webContents }, sent) => {
        const contents = webContents.getAllWebContents().find((each) => each.getURL().startsWith(sent.url))!;
        for (const type of ['keyDown', 'keyUp'] as const)
          contents.sendInputEvent({ type, keyCode: sent.keyCode, modifiers: sent.modifiers });
      },
      { url: `app://${view}/`, keyCode, modifiers },
    );
  const card = review.getByRole('article');
  await expect(card).toBeFocused();
  const first = await card.getByRole('heading').innerText();
  await review.keyboard.press('Tab');
  await expect(card.locator(':focus')).toHaveCount(1);
  await key('approval', 'F7');
  await expect(card.getByRole('heading')).not.toHaveText(first);
  await expect(card).toBeFocused();
  await key('approval', 'F7');
  await expect(card.getByRole('heading')).toHaveText(first);

  const region = (): Promise<string | undefined> =>
    page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-region]')?.dataset['region']);
  const focused = (): Promise<string | null> =>
    desktop.app.evaluate(({ webContents }) => webContents.getFocusedWebContents()?.getURL() ?? null);
  await page.getByRole('textbox', { name: 'REPL input' }).click();
  await key('workbench', 'F6');
  await expect.poll(region).toBe('Status bar');
  await key('workbench', 'F6');
  await expect.poll(focused).toMatch(/^app:\/\/approval/);
  await key('approval', 'F6');
  await expect.poll(region).toBe('Title bar');
  await key('workbench', 'F6', ['shift']);
  await expect.poll(focused).toMatch(/^app:\/\/approval/);
  await key('approval', 'F6', ['shift']);
  await expect.poll(region).toBe('Status bar');
  for (const _ of calls) {
    await press(review, 'Deny');
    await press(review, 'Deny');
  }
  await Promise.all(calls);
});

test('decision 18 X9 a card whose client stopped waiting says so on its button', async ({ desktop }) => {
  const agent = await desktop.agent('codex');
  const control = new AbortController();
  const gone = agent.client.callTool(
    { name: 'write-file', arguments: { path: 'late.lisp', content: '1' } },
    undefined,
    { signal: control.signal },
  );
  const review = await openReview(desktop);
  control.abort();
  await expect(gone).rejects.toThrow(/abort/i);
  await expect(review.getByText('codex stopped waiting. Run anyway?')).toBeVisible();
  await expect(button(review, 'Approve')).toHaveCount(0);
  await expect(button(review, 'Run anyway')).toBeEnabled();
  await button(review, 'Run anyway').click();
  await expect.poll(() => readFile(path.join(desktop.project, 'late.lisp'), 'utf8').catch(() => '')).toBe('1');
});

test('K2 what an agent wrote cannot hide in a path, a frame or a fact', async ({ desktop }) => {
  const agent = await desktop.agent('codex');
  const call = agent.call('evaluate-lisp', {
    code: `(with-open-file (s (format nil "${desktop.project}/a~Ctxt.lisp" (code-char #x202E)) :direction :output) :done)`,
  });
  const review = await openReview(desktop);
  await expect(button(review, 'Approve')).toBeEnabled();
  const card = await review.getByRole('article').innerText();
  expect(card).toContain('a⟨U+202E⟩txt.lisp');
  expect(card).not.toContain('\u202E');
  await button(review, 'Deny').click();
  await button(review, 'Deny').click();
  await call;
});

test('D13 the desktop is told of a request while the window is not looked at, once a client, until it is settled', async ({
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
    'show codex asks: 2 requests wait for you.',
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

test('D5 K6 all agents are stopped from Review: what waits is denied, what runs is interrupted', async ({
  desktop,
}) => {
  const agent = await desktop.agent('codex');
  const waiting = agent.call('write-file', { path: 'a.lisp', content: '1' });
  const running = agent.call('evaluate-lisp', { code: '(loop)' });
  const review = await openReview(desktop);
  await expect.poll(async () => (await desktop.snapshot()).session.state).toBe('evaluating');
  await button(review, 'Stop all agents').click();
  expect((await waiting).text).toMatch(/^User denied tool execution: The person has paused this client/);
  expect((await running).text).toMatch(/^\[ERROR\] SB-SYS:INTERACTIVE-INTERRUPT/);
  // Review lies above the page: what it is told stands beside it.
  const told = desktop.page.getByRole('status').filter({ hasText: 'All agents are paused.' });
  await expect(told).toBeVisible();
  const { x, width } = (await told.boundingBox())!;
  expect(x + width).toBeLessThanOrEqual((await desktop.page.evaluate(() => innerWidth)) - 648);
  await review.keyboard.press('Escape');
  await desktop.page.getByRole('button', { name: /^AI clients/ }).click();
  await desktop.page.getByRole('menuitem', { name: 'Let All Agents Go On' }).click();
  await expect.poll(async () => (await desktop.snapshot()).clients.map(({ paused }) => paused)).toEqual([null]);
});

test('G2 G3 a frame leads to its line in the editor, where the parked code is marked until it goes on', async ({
  desktop,
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
  await expect(frames).toContainText('form 1 of 1');
  await expect(frames).not.toContainText('SIMPLE-EVAL-IN-LEXENV');
  await button(review, 'Show the frames of SBCL and the workbench').click();
  await expect(frames).toContainText('SIMPLE-EVAL-IN-LEXENV');
  await button(review, 'Show the source of frame 0, exports.lisp:6').click();
  const editor = desktop.region('Editor');
  await expect(editor).toContainText('delete-file file');
  await expect(editor).toContainText(/parked.here.\d:\d\d/);
  await expect(editor.locator('.parked-hand')).toHaveCount(1);
  await expect(page.getByText('Ln 6, Col 1')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Image/ })).toContainText(/waits for you in DELETE-FILE\s*· \d:\d\d/);
  await page.evaluate(() => window.workbench.call('review.show', { open: false }));
  await editor.locator('.parked-hand').click();
  await expect.poll(async () => (await desktop.snapshot()).reviewOpen).toBe(true);
  await approve(review);
  await call;
  await expect(editor).not.toContainText(/parked.here/);
  await expect(editor.locator('.parked-hand')).toHaveCount(0);
});

test('D13 a card says whether the editor has unsaved text of its file, as it is at the moment, and what does not read', async ({
  desktop,
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
  await expect(review.getByText('does not read: the form in line 1 is never closed')).toBeVisible();
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

test('D13 a card can be decided however often Review is shown anew while it is drawn', async ({ desktop }) => {
  const agent = await desktop.agent('codex');
  const call = agent.call('write-file', { path: 'shown.txt', content: 'shown' });
  const review = await openReview(desktop);
  // As main tells the page that it is shown: between one frame and the next, at every moment of drawing.
  await desktop.app.evaluate(async ({ webContents }) => {
    const page = webContents.getAllWebContents().find((each) => each.getURL().startsWith('app://approval/'))!;
    for (let n = 0; n < 400; n += 1) {
      page.send('approval-event', 'view-shown', {});
      await new Promise((resolve) => setTimeout(resolve, n % 20));
    }
  });
  await approve(review);
  expect((await call).isError).toBe(false);
});
