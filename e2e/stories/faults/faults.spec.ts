import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test, type Desktop } from '../../desktop/fixture.ts';

/** Ends the process of a page, as a fault in the browser engine would. Resolves when the page has loaded again. */
async function crash(desktop: Desktop, origin: 'app://workbench/' | 'app://approval/'): Promise<void> {
  await desktop.review(); // the page of Review is loaded when the window is first drawn
  await desktop.app.evaluate(({ webContents }, prefix) => {
    const page = webContents.getAllWebContents().find((contents) => contents.getURL().startsWith(prefix));
    return new Promise<void>((resolve) => {
      page!.once('did-finish-load', () => resolve());
      process.kill(page!.getOSProcessId(), 'SIGKILL');
    });
  }, origin);
}

/** Runs a script in a page without Playwright's connection to the page, because a crash breaks that connection. */
function inPage<Value>(desktop: Desktop, origin: string, script: string): Promise<Value> {
  return desktop.app.evaluate(
    ({ webContents }, [prefix, code]) =>
      webContents
        .getAllWebContents()
        .find((contents) => contents.getURL().startsWith(prefix!))!
        .executeJavaScript(code!) as Promise<Value>,
    [origin, script],
  );
}

const APPROVE = `[...document.querySelectorAll('button')].find((each) => each.textContent === 'Approve')`;
const APPROVE_IS_LIVE = `((button) => Boolean(button && !button.disabled && button.ariaDisabled !== 'true'))(${APPROVE})`;

/** Clicks with real mouse events. */
async function clickApprove(desktop: Desktop): Promise<void> {
  const place = `(({ x, y, width, height }) => ({ x: Math.round(x + width / 2), y: Math.round(y + height / 2) }))(${APPROVE}.getBoundingClientRect())`;
  const at = await inPage<{ x: number; y: number }>(desktop, 'app://approval/', place);
  await desktop.app.evaluate(({ webContents }, point) => {
    const page = webContents.getAllWebContents().find((each) => each.getURL().startsWith('app://approval/'))!;
    for (const type of ['mouseMove', 'mouseDown', 'mouseUp'] as const)
      page.sendInputEvent({ type, ...point, button: 'left', clickCount: 1 });
  }, at);
}

test('A crash of the page keeps what was typed, and the page comes back with it [D18, K6]', async ({ desktop }) => {
  await desktop.newFile('(defun typed-before-the-crash () 1)');
  await expect
    .poll(async () => JSON.stringify((await desktop.snapshot()).workspace))
    .toContain('typed-before-the-crash');
  await crash(desktop, 'app://workbench/');
  await expect
    .poll(() => inPage<string>(desktop, 'app://workbench/', 'document.body.innerText'))
    .toContain('typed-before-the-crash');
});

test('The program ends also when something hangs while it closes [K6]', async ({ desktop }) => {
  const { app } = desktop;
  await expect(desktop.region('Status bar').getByText(/^MCP 127/)).toBeVisible();
  // Replaces the server with one that never reports that it has closed.
  await app.evaluate(() => {
    const { Server } = process.getBuiltinModule('node:http');
    Server.prototype.close = function close() {
      return this;
    };
  });
  const ended = new Promise((resolve) => app.process().once('exit', resolve));
  void app.evaluate((electron) => electron.app.quit()).catch(() => {}); // the call fails because the process ends during it
  expect(await ended).toBe(1);
});

for (const origin of ['app://workbench/', 'app://approval/'] as const)
  test(`The page ${origin} comes back also when Electron does not tell of its end [K6]`, async ({ desktop }) => {
    await desktop.review();
    await desktop.app.evaluate(({ webContents }, prefix) => {
      const page = webContents.getAllWebContents().find((contents) => contents.getURL().startsWith(prefix));
      page!.removeAllListeners('render-process-gone');
    }, origin);
    await crash(desktop, origin);
    await expect.poll(() => inPage<string>(desktop, origin, 'document.body.innerText')).toMatch(/\S/);
  });

test('A crash of Review denies what waits; then it is there again for the next request [K6, decision 18]', async ({
  desktop,
}) => {
  const agent = await desktop.agent('codex');
  const waiting = agent.call('write-file', { path: 'a.lisp', content: '1' });
  await expect.poll(async () => (await desktop.snapshot()).waitingApprovals).toBe(1);
  await crash(desktop, 'app://approval/');
  expect(await waiting).toMatchObject({ isError: true, text: expect.stringContaining('Review') });
  const next = agent.call('write-file', { path: 'b.lisp', content: '2' });
  await expect.poll(async () => (await desktop.snapshot()).waitingApprovals).toBe(1);
  await desktop.page.keyboard.press('F7');
  await expect
    .poll(() => inPage<string>(desktop, 'app://approval/', 'document.body.innerText'))
    .toContain('Write 1 byte to b.lisp');
  await expect.poll(() => inPage<boolean>(desktop, 'app://approval/', APPROVE_IS_LIVE)).toBe(true);
  await clickApprove(desktop);
  expect(await next).toMatchObject({ isError: false, text: 'Wrote 1 byte to b.lisp.' });
});

test('Damaged files of our own are told, kept aside, and hinder nothing', async ({ launch }) => {
  const home = await mkdtemp(path.join(tmpdir(), 'home-'));
  const config = path.join(home, 'config');
  await mkdir(config, { recursive: true });
  const names = ['settings.json', 'clients.json', 'workspace.json', 'window.json', 'chosen-files.json'];
  for (const name of names) await writeFile(path.join(config, name), '{"version": 1, ');
  const desktop = await launch({ home });
  await expect(desktop.page.getByRole('status').filter({ hasText: 'is damaged' }).first()).toBeVisible();
  const kept = (await readdir(config)).filter((name) => name.includes('.damaged-'));
  expect(kept.length).toBe(names.length);
  // The settings, which can no longer be read, may have turned the sandbox on, so the person is asked about the sandbox and about nothing
  // else.
  await desktop.page.getByRole('button', { name: 'Start without' }).click();
  await desktop.imageReady();
  await desktop.repl('(+ 40 2)');
  await expect(desktop.region('REPL')).toContainText('42');
  await desktop.close();
  await rm(home, { recursive: true, force: true });
});

test('Quitting waits for no evaluation and no card, and tells the client', async ({ desktop }) => {
  const agent = await desktop.agent('codex');
  const waiting = agent.call('write-file', { path: 'a.lisp', content: '1' });
  await expect.poll(async () => (await desktop.snapshot()).waitingApprovals).toBe(1);
  await desktop.repl('(loop)');
  await expect.poll(async () => (await desktop.snapshot()).session.state).toBe('evaluating');
  await desktop.close(); // the call, an endless (loop), must not keep the window from closing
  expect(await waiting).toMatchObject({ isError: true, text: 'Not approved: The window was closed.' });
});

test('A file that was deleted since it was opened is told as deleted when it is saved [D1]', async ({
  sharedDesktop: desktop,
}) => {
  const { page, app, project } = desktop;
  const file = path.join(project, 'gone.lisp');
  await writeFile(file, '(defun here () 1)\n');
  await app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] });
  }, file);
  await page.keyboard.press('Control+o');
  await expect(desktop.region('Editor')).toContainText('defun here');
  await rm(file);
  await desktop.region('Editor').locator('.monaco-editor').first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText(';; more\n');
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('alertdialog')).toContainText('gone.lisp no longer exists on disk');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Create it again' }).click();
  await expect.poll(() => readFile(file, 'utf8').catch(() => null)).toBe('(defun here () 1)\n;; more\n');
});

test('A project folder that was deleted leaves the window at work, and says so to a client', async ({ desktop }) => {
  await rm(desktop.project, { recursive: true });
  const agent = await desktop.agent('codex');
  const { text, isError } = await agent.call('read-file', { path: 'a.lisp' });
  expect({ text, isError }).toEqual({ text: expect.stringContaining('does not exist') as unknown, isError: true });
  await desktop.page.evaluate(() => window.workbench.call('session.restart', {}));
  await desktop.imageReady();
  await desktop.repl('(+ 40 2)');
  await expect(desktop.region('REPL')).toContainText('42');
});

test.describe('SBCL that cannot serve', () => {
  for (const [name, script, expected] of [
    ['none there', null, 'There is no program at'],
    ['too old', 'echo "SBCL 2.0.1"', 'needs 2.2.9 or newer'],
    ['no SBCL at all', 'echo "GNU CLISP 2.49"', 'is not SBCL'],
    ['one that fails', 'exit 3', 'cannot be run'],
  ] as const) {
    test(`The window tells that its SBCL cannot serve, and what to do: ${name}`, async ({ launch }) => {
      const folder = await mkdtemp(path.join(tmpdir(), 'sbcl-'));
      const sbcl = path.join(folder, 'sbcl');
      if (script) await writeFile(sbcl, `#!/bin/sh\n${script}\n`);
      if (script) await chmod(sbcl, 0o755);
      const desktop = await launch({ env: { LISP_WORKBENCH_SBCL: sbcl } });
      await expect.poll(async () => (await desktop.snapshot()).session.problem).toContain(expected);
      await expect(desktop.page.getByText(expected).first()).toBeVisible();
      await desktop.newFile('(still-editing)');
      await expect(desktop.region('Editor')).toContainText('still-editing');
      await rm(folder, { recursive: true });
    });
  }
});

test('A second start with a folder opens that folder in the first window', async ({ desktop }) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'second-'));
  const electron = await desktop.app.evaluate(() => process.execPath);
  const flags = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const second = spawn(electron, [...flags, '.', folder], {
    cwd: path.resolve(import.meta.dirname, '../../..'),
    env: { ...process.env, LISP_WORKBENCH_HOME: desktop.home, LISP_WORKBENCH_TEST: '1' },
  });
  await new Promise((resolve) => second.on('close', resolve));
  await expect.poll(async () => (await desktop.snapshot()).project?.path).toBe(folder);
  await rm(folder, { recursive: true });
});

test('A home that cannot be made ends the start with one line', async ({ desktop }) => {
  const electron = await desktop.app.evaluate(() => process.execPath);
  const flags = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const home = path.join(desktop.project, 'file');
  await writeFile(home, '');
  const child = spawn(electron, [...flags, '.'], {
    cwd: path.resolve(import.meta.dirname, '../../..'),
    env: { ...process.env, LISP_WORKBENCH_HOME: home },
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect({ code, said: said.split('\n').filter((line) => line.startsWith('lisp-workbench:')) }).toEqual({
    code: 2,
    said: [expect.stringContaining('Set LISP_WORKBENCH_HOME to store everything')],
  });
});
