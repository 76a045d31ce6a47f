/**
 * Stories about storage faults: the window's messages while data cannot be stored, and how the person recovers after the window's page has
 * crashed.
 */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mountSmallDisk } from '../../../main/core/settings/small-disk.fixture.ts';
import { expect, test, type Desktop } from '../../desktop/fixture.ts';
import { approve, deleting, deny, openReview } from '../../desktop/reviewing.ts';

const alerts = (desktop: Desktop) => desktop.page.getByRole('alert', { name: 'Alerts' });

test('A full disk is said in the window for as long as it lasts: text is not kept, the audit is not written', async ({
  launch,
}) => {
  const disk = mountSmallDisk(64);
  try {
    const desktop = await launch({ home: disk.folder });
    await desktop.imageReady();
    await desktop.repl('(+ 1 2)');
    await expect(alerts(desktop)).toBeHidden();
    disk.fill();
    await desktop.newFile(`(defun typed-on-a-full-disk () "${'x'.repeat(6000)}")`);
    await desktop.repl(`(list ${'"some text" '.repeat(600)})`);
    await expect(alerts(desktop)).toContainText('Your unsaved text cannot be written');
    await expect(alerts(desktop)).toContainText('Make room on the disk');
    await desktop.page.evaluate(async () => {
      for (let index = 0; index < 40; index += 1)
        await window.workbench.call('clients.mint', { name: `client-${index}` }).catch(() => {});
    });
    await expect(alerts(desktop)).toContainText('The audit cannot be written: the disk is full');
    disk.free();
    await expect(alerts(desktop)).toContainText('not recorded in the audit', { timeout: 30_000 });
    await expect(alerts(desktop)).not.toContainText('cannot be written', { timeout: 30_000 });
    await expect
      .poll(() => readFile(path.join(disk.folder, 'config', 'workspace.json'), 'utf8'))
      .toContain('typed-on-a-full-disk');
    await alerts(desktop).getByRole('button', { name: 'Seen' }).click();
    await expect(alerts(desktop)).toBeHidden();
    await desktop.close();
  } finally {
    disk.unmount();
  }
});

test('A file that is saved to a full disk is as it was, and so is the text in the editor', async ({ desktop }) => {
  const { page } = desktop;
  const disk = mountSmallDisk(1);
  try {
    const file = path.join(disk.folder, 'kept.lisp');
    await writeFile(file, '; the first text\n');
    await desktop.openFile(file);
    await expect(page.getByRole('tab', { name: /kept\.lisp/ })).toBeVisible();
    await desktop.region('Editor').locator('.monaco-editor').first().click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.insertText('; a text that was typed here\n'.repeat(60_000));
    await page.keyboard.press('Control+s');
    await expect(page.getByRole('status').filter({ hasText: /disk is full|no space/i })).toBeVisible();
    expect(await readFile(file, 'utf8')).toBe('; the first text\n');
    await expect(desktop.region('Status bar')).toContainText('Ln 60001');
  } finally {
    disk.unmount();
  }
});

test('With settings that are torn no image starts before the person decides about the sandbox', async ({ launch }) => {
  const home = await mkdtemp(path.join(tmpdir(), 'home-'));
  await mkdir(path.join(home, 'config'), { recursive: true });
  await writeFile(path.join(home, 'config', 'settings.json'), '{"version":1,"sandbox":tr');
  const desktop = await launch({ home });
  await expect(alerts(desktop)).toContainText('do not say whether to use the sandbox');
  await expect.poll(async () => (await desktop.snapshot()).session.problem).toMatch(/no image starts/);
  await alerts(desktop).getByRole('button', { name: 'Start without' }).click();
  await desktop.imageReady();
  await expect(alerts(desktop)).toBeHidden();
  await desktop.close();
  await rm(home, { recursive: true, force: true });
});

/** Answers the system's dialogs, which a test cannot click, with this button, and records their messages. */
function answerDialogs(desktop: Desktop, button: string): Promise<void> {
  return desktop.app.evaluate(({ dialog }, wanted) => {
    const asked: string[] = [];
    (globalThis as unknown as { asked: string[] }).asked = asked;
    dialog.showMessageBox = ((_window: unknown, { message, buttons }: { message: string; buttons: string[] }) => {
      asked.push(message);
      const response = buttons.indexOf(wanted);
      return response < 0 ? new Promise(() => {}) : Promise.resolve({ response, checkboxChecked: false });
    }) as never;
  }, button);
}

const asked = (desktop: Desktop): Promise<string[]> =>
  desktop.app.evaluate(() => (globalThis as unknown as { asked: string[] }).asked);

/** Returns the text of the window without Playwright's connection to the page, because a crash breaks that connection. */
const shownText = (desktop: Desktop): Promise<string> =>
  desktop.app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    return window!.webContents.isCrashed()
      ? ''
      : (window!.webContents.executeJavaScript('document.body.innerText') as Promise<string>);
  });

test('A page whose process is killed again and again is loaded again from a dialog, with what was typed', async ({
  desktop,
}) => {
  await desktop.newFile('(defun typed-before-the-kills () 1)');
  await expect.poll(async () => JSON.stringify((await desktop.snapshot()).workspace)).toContain('before-the-kills');
  await answerDialogs(desktop, 'Reload');
  const pid = (): Promise<number> =>
    desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.webContents.getOSProcessId());
  for (let kill = 0; kill < 4; kill += 1) {
    const killed = await pid();
    process.kill(killed, 'SIGKILL');
    await expect.poll(async () => [0, killed].includes(await pid()), { timeout: 30_000 }).toBe(false);
  }
  await expect.poll(() => asked(desktop)).toEqual(['The window of Lisp Workbench keeps crashing.']);
  await expect.poll(() => shownText(desktop), { timeout: 30_000 }).toContain('typed-before-the-kills');
});

test('A page that hangs is said to, and is loaded again from a dialog', async ({ desktop }) => {
  await answerDialogs(desktop, 'Reload');
  await desktop.app.evaluate(({ BrowserWindow }) => {
    const { webContents } = BrowserWindow.getAllWindows()[0]!;
    const loaded = new Promise<void>((resolve) => webContents.once('did-finish-load', () => resolve()));
    (globalThis as unknown as { loaded: Promise<void> }).loaded = loaded;
    void webContents.executeJavaScript('for (;;) {}').catch(() => {});
    // Emits the event, because the browser engine does not do so while a debugger, such as the test runner's, is attached to the page.
    webContents.emit('unresponsive');
  });
  await expect
    .poll(() => asked(desktop), { timeout: 90_000 })
    .toEqual(['The window of Lisp Workbench is not responding.']);
  await desktop.app.evaluate(() => (globalThis as unknown as { loaded: Promise<void> }).loaded);
  await expect.poll(() => shownText(desktop), { timeout: 60_000 }).toContain('REPL');
});

test('A page that does not come up when it is loaded again is told in a dialog, from which it is', async ({
  desktop,
}) => {
  await answerDialogs(desktop, 'Reload');
  await desktop.app.evaluate(({ BrowserWindow }) => {
    const { webContents } = BrowserWindow.getAllWindows()[0]!;
    const loaded = new Promise<void>((resolve) => webContents.once('did-finish-load', () => resolve()));
    // Makes the first load hang, and shortens the time limit after which that is detected.
    const reload = webContents.reload.bind(webContents);
    webContents.reload = () => void (webContents.reload = reload);
    const later = globalThis.setTimeout;
    globalThis.setTimeout = ((work: () => void, ms: number, ...more: []) => {
      if (ms === 30_000) globalThis.setTimeout = later;
      return later(work, ms === 30_000 ? 300 : ms, ...more);
    }) as typeof setTimeout;
    Object.assign(globalThis, { loaded });
    process.kill(webContents.getOSProcessId(), 'SIGKILL');
  });
  await expect.poll(() => asked(desktop)).toContain('The window of Lisp Workbench is not responding.');
  await desktop.app.evaluate(() => (globalThis as unknown as { loaded: Promise<void> }).loaded);
  await expect.poll(() => shownText(desktop), { timeout: 60_000 }).toContain('REPL');
});

test('A page that cannot be started any more, because what starts pages was killed, is told in a dialog', async ({
  desktop,
}) => {
  await answerDialogs(desktop, 'Wait'); // the dialog has no button `Wait`, so it stays open
  const main = await desktop.app.evaluate(() => process.pid);
  const children = execFileSync('ps', ['--ppid', String(main), '-o', 'pid=,args='], { encoding: 'utf8' });
  const page = await desktop.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]!.webContents.getOSProcessId(),
  );
  const zygotes = children.split('\n').filter((line) => line.includes('--type=zygote'));
  for (const line of zygotes) process.kill(Number.parseInt(line, 10), 'SIGKILL');
  process.kill(page, 'SIGKILL');
  await expect
    .poll(() => asked(desktop), { timeout: 60_000 })
    .toEqual(['The window of Lisp Workbench keeps crashing.']);
});

test('What is decided while the disk is full runs nothing unrecorded, is said to the person and to the agent, and can be decided again [issue 34.5]', async ({
  launch,
}) => {
  const disk = mountSmallDisk(64);
  try {
    const desktop = await launch({ home: disk.folder });
    await desktop.imageReady();
    const at = (name: string): string => path.join(desktop.project, name);
    for (const name of ['one.txt', 'two.txt']) await writeFile(at(name), 'mine');
    const [coder, denied, writer] = await Promise.all(['codex', 'gemini', 'cursor'].map((name) => desktop.agent(name)));
    const effect = coder!.call('evaluate-lisp', deleting(at('one.txt')));
    const review = await openReview(desktop);
    await expect(review.getByRole('heading', { name: /^Delete one\.txt/ })).toBeVisible();
    const other = denied!.call('evaluate-lisp', deleting(at('two.txt')));
    // The cards are decided below in the order of their arrival.
    await expect.poll(async () => (await desktop.snapshot()).waitingApprovals).toBe(2);
    const tool = writer!.call('write-file', { path: 'made.txt', content: 'by an agent' });
    await expect.poll(async () => (await desktop.snapshot()).waitingApprovals).toBe(3);
    disk.fill();
    // Uses a long entry, because a short one could still fit into the last disk block of the audit.
    await desktop.repl(`(list ${'"some text" '.repeat(600)})`);
    await expect(alerts(desktop)).toContainText('The audit cannot be written: the disk is full');

    await approve(review);
    expect((await effect).text).toMatch(/EFFECT-DENIED[^]*approved but did not run[^]*audit cannot be written/);
    await expect(review.getByText(/audit cannot be written/).first()).toBeVisible();
    await expect(review.getByRole('heading', { name: /^Delete two\.txt/ })).toBeVisible();
    await deny(review, 'I need it.');
    expect((await other).text).toMatch(/EFFECT-DENIED[^]*I need it\./);
    await expect(review.getByRole('heading', { name: /made\.txt/ })).toBeVisible();
    await approve(review);
    expect(await tool).toMatchObject({
      isError: true,
      text: expect.stringMatching(/approved but did not run[^]*audit cannot be written/),
    });
    expect((await readdir(desktop.project)).toSorted()).toEqual(['one.txt', 'two.txt']);
    await review.screenshot({ path: test.info().outputPath('full.png') });
    await desktop.page.screenshot({ path: test.info().outputPath('full-page.png') });
    // The person can continue to work.
    await desktop.repl('(* 6 7)');
    await expect(desktop.region('REPL')).toContainText('42');

    disk.free();
    await expect(alerts(desktop)).toContainText('not recorded in the audit', { timeout: 30_000 });
    const again = coder!.call('evaluate-lisp', deleting(at('one.txt')));
    await openReview(desktop);
    await expect(review.getByRole('heading', { name: /^Delete one\.txt/ })).toBeVisible();
    await approve(review);
    expect((await again).text).toBe('=> :DONE');
    expect(await readdir(desktop.project)).toEqual(['two.txt']);
    await desktop.close();
  } finally {
    disk.unmount();
  }
});
