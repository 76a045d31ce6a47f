import { readFile, readdir, readlink, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { execFileSync, spawn } from 'node:child_process';
import type { Page } from '@playwright/test';
import { expect, test } from '../../desktop/fixture.ts';
import { deny, openReview } from '../../desktop/reviewing.ts';

test('Every page is sandboxed, isolated and without Node [K2]', async ({ sharedDesktop: desktop }) => {
  await desktop.review();
  const preferences = await desktop.app.evaluate(({ webContents }) =>
    webContents.getAllWebContents().map((contents) => {
      const {
        sandbox,
        contextIsolation,
        nodeIntegration,
        nodeIntegrationInWorker,
        nodeIntegrationInSubFrames,
        webSecurity,
        webviewTag,
        allowRunningInsecureContent,
        experimentalFeatures,
      } = (contents as unknown as { getLastWebPreferences(): Electron.WebPreferences }).getLastWebPreferences();
      return {
        url: contents.getURL().split('?')[0],
        sandbox,
        contextIsolation,
        nodeIntegration,
        nodeIntegrationInWorker: nodeIntegrationInWorker ?? false,
        nodeIntegrationInSubFrames: nodeIntegrationInSubFrames ?? false,
        webSecurity,
        webviewTag,
        allowRunningInsecureContent: allowRunningInsecureContent ?? false,
        experimentalFeatures: experimentalFeatures ?? false,
      };
    }),
  );
  const safe = {
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    webviewTag: false,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
  };
  expect(preferences.toSorted((one, other) => one.url!.localeCompare(other.url!))).toEqual([
    { url: 'app://approval/approval/index.html', ...safe },
    { url: 'app://workbench/index.html', ...safe },
  ]);
});

test('A page leads nowhere: no navigation, no window, no permission, no foreign script, no Node [K2]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const tried = await page.evaluate(async () => {
    const permission = await navigator.permissions.query({ name: 'geolocation' }).then(({ state }) => state);
    const opened = window.open('https://example.com') === null;
    const evaluated = ((): boolean => {
      try {
        // oxlint-disable-next-line no-implied-eval -- the policy must stop it
        return Boolean(new Function('return true')());
      } catch {
        return false;
      }
    })();
    const fetched = await fetch('app://approval/approval/index.html').then(
      () => true,
      () => false,
    );
    return {
      permission,
      opened,
      evaluated,
      fetched,
      node: 'require' in window || 'process' in window,
      approval: 'approval' in window,
    };
  });
  expect(tried).toEqual({
    permission: 'denied',
    opened: true,
    evaluated: false,
    fetched: false,
    node: false,
    approval: false,
  });
  await page.evaluate(() => void (location.href = 'https://example.com/'));
  await expect.poll(() => page.url()).toContain('app://workbench/');
});

test('Markup, scripts and links in names, text, output and files are text wherever they are shown [K2, case 26]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const markup = `<img src=x onerror="document.title='taken'"><script>document.title='taken'</script><a href="javascript:document.title='taken'">x</a>`;
  const inLisp = markup.replaceAll('"', String.raw`\"`);
  const agent = await desktop.agent('codex');
  await agent.call('evaluate-lisp', {
    code: `(progn (defun |<b>${markup.replaceAll('"', "'")}| (x) "${inLisp}" x) (defvar *markup* "${inLisp}") (write-line "${inLisp}") (format t "~C[31mred~C]8;;javascript:1~C" #\\Esc #\\Esc #\\Bel) "${inLisp}")`,
  });
  await agent.call('evaluate-lisp', { code: `(error "${inLisp}")` });
  await page.getByRole('button', { name: 'Definitions', exact: false }).first().click();
  await expect(desktop.region('Definitions')).toContainText("<b><img src=x onerror='document.title");
  await expect(desktop.region('REPL')).toContainText('<script>');
  await page.getByRole('button', { name: 'Activity', exact: false }).first().click();
  await expect(desktop.region('Activity')).toContainText('<script>');
  const call = agent.call('propose-file-edit', {
    path: '<img src=x>.lisp',
    original: '',
    modified: `"${inLisp}"\n`,
    description: markup,
  });
  const review = await openReview(desktop);
  await expect(review.getByRole('article')).toContainText('<img src=x>.lisp');
  await expect(review.getByRole('article')).toContainText('<script>');
  for (const view of [page, review]) {
    expect(await view.locator('img[src="x"], a[href^="javascript:"], script:not([src])').count()).toBe(0);
    expect(await view.title()).not.toBe('taken');
  }
  await deny(review, 'No.');
  expect(await call).toMatchObject({ isError: true });
});

test('What hides in a text or turns it around is drawn as its code point in every panel [K2, case 26]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const name = 'tur\u202Ened\u200B.lisp';
  const drawn = 'tur⟨U+202E⟩ned⟨U+200B⟩';
  const file = path.join(desktop.project, name);
  await writeFile(
    file,
    `(defun |tur\u202Ened\u200B| (x)
  "Documents \u2066 it."
  (restart-case (error "Bad \u202E news \u200F: ~a" x)
    (carry-on () :report "Carry \u2067 on" :ignored)))
`,
  );
  await desktop.imageReady();
  await desktop.openFile(file);
  await expect(page.getByRole('tab', { name: `${drawn}.lisp`, selected: true })).toBeVisible();
  await expect(desktop.region('Editor').locator('.hidden-character')).toHaveText(['⟨U+200B⟩']);
  await page.keyboard.press('Control+Shift+E');
  await expect(desktop.region('Files').getByRole('treeitem', { name: `${drawn}.lisp` })).toBeVisible();
  await desktop.repl(`(load (first (directory "*.lisp")))`);
  await expect(desktop.region('REPL')).toContainText('=> T');
  await page.keyboard.press('Control+Shift+D');
  await expect(desktop.region('Definitions').getByRole('treeitem', { name: `|${drawn}|` })).toBeVisible();
  await desktop.region('Editor').locator('.view-line').first().click();
  await page.keyboard.press('Control+Home');
  for (let step = 0; step < 9; step += 1) await page.keyboard.press('ArrowRight');
  await expect(desktop.region('Documentation')).toContainText('Documents ⟨U+2066⟩ it.');
  expect(await undrawn(page)).toEqual([]);
  await desktop.repl('(inspect (format nil "in~aside" (code-char #x202e)))');
  await expect(desktop.region('Inspector')).toContainText('in⟨U+202E⟩side');
  await desktop.repl('(princ (format nil "out~aput" (code-char #x200b)))');
  await expect(desktop.region('REPL')).toContainText('=> "out⟨U+200B⟩put"');
  expect(await undrawn(page)).toEqual([]);
  await desktop.repl('(funcall (quote |tur\u202Ened\u200B|) (format nil "lo~acal" (code-char #x2067)))');
  const debuggerPanel = desktop.region('Debugger');
  await expect(debuggerPanel).toBeVisible();
  await page.keyboard.press('Control+Backquote');
  await expect(desktop.region('REPL')).toContainText('Bad ⟨U+202E⟩ news');
  await page.getByRole('tab', { name: /^Debugger/ }).click();
  await expect(debuggerPanel).toContainText('Bad ⟨U+202E⟩ news ⟨U+200F⟩: lo⟨U+2067⟩cal');
  await expect(debuggerPanel).toContainText('Carry ⟨U+2067⟩ on');
  await expect(debuggerPanel.getByRole('listbox', { name: 'Frames' })).toContainText(drawn);
  await expect(debuggerPanel.getByRole('group', { name: 'Locals' })).toContainText('lo⟨U+2067⟩cal');
  expect(await undrawn(page)).toEqual([]);
});

/**
 * Returns the texts and names of a page that contain hidden characters. Skips Monaco and input fields, which make hidden characters visible
 * themselves.
 */
function undrawn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const hidden = /[\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/;
    const found: string[] = [];
    const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
      const element = node instanceof Element ? node : node.parentElement;
      if (element?.closest('.monaco-editor')) continue;
      const texts =
        node instanceof Element
          ? ['title', 'aria-label', 'alt', 'placeholder'].map((attribute) => node.getAttribute(attribute) ?? '')
          : [node.textContent ?? ''];
      found.push(...texts.filter((text) => hidden.test(text)));
    }
    return found;
  });
}

test('The page cannot decide: the approval channel takes its own frame alone [decision 20]', async ({
  sharedDesktop: desktop,
}) => {
  const agent = await desktop.agent('codex');
  const call = agent.call('write-file', { path: 'x.lisp', content: '1' });
  await expect.poll(async () => (await desktop.snapshot()).waitingApprovals).toBe(1);
  const answer = await desktop.page.evaluate(async () => {
    try {
      await (window.workbench.call as (name: string, input: unknown) => Promise<unknown>)('approval.decide', {
        id: 'x',
        fingerprint: 'x',
        decision: { decision: 'approved' },
      });
      return 'decided';
    } catch (error) {
      return (error as Error).message;
    }
  });
  expect(answer).toBe('There is no call approval.decide.');
  expect((await desktop.snapshot()).waitingApprovals).toBe(1);
  const review = await desktop.review();
  expect(await review.evaluate(() => 'workbench' in window)).toBe(false);
  await desktop.page.evaluate(() => window.workbench.call('settings.change', { approvalMinutes: 0.05 }));
  await desktop.close();
  await call.catch(() => {});
});

test('The image has no descriptor of the browser engine, so that evaluated code cannot speak for a page [K2, G1]', async ({
  sharedDesktop: desktop,
}) => {
  const children = execFileSync('ps', ['--ppid', String(desktop.app.process().pid), '-o', 'pid=,args='], {
    encoding: 'utf8',
  });
  const image = children.split('\n').find((line) => line.includes('.core'))!;
  const open = `/proc/${Number.parseInt(image, 10)}/fd`;
  const above = (await readdir(open)).filter((number) => Number(number) > 4);
  const names = await Promise.all(above.map((number) => readlink(path.join(open, number)).catch(() => 'closed')));
  // Ignores pipes, which the browser engine uses for the process's output.
  expect(names.filter((name) => !name.startsWith('pipe:'))).toEqual([]);
});

test('Tokens are kept as digests in a file for the owner alone [K1]', async ({ sharedDesktop: desktop }) => {
  const { token } = await desktop.mint('codex');
  const file = path.join(desktop.home, 'config', 'clients.json');
  expect(await readFile(file, 'utf8')).not.toContain(token);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('What happened is in the audit, without the token [K5]', async ({ sharedDesktop: desktop }) => {
  const agent = await desktop.agent('codex');
  await agent.call('evaluate-lisp', { code: '(list :audited "lwb_abcdefghijklmnopqrstuvwxyz0123456789")' });
  const { readdir } = await import('node:fs/promises');
  const folder = path.join(desktop.home, 'state', 'audit');
  await expect
    .poll(async () =>
      (await Promise.all((await readdir(folder)).map((name) => readFile(path.join(folder, name), 'utf8')))).join(''),
    )
    .toContain(':audited');
  const text = (
    await Promise.all((await readdir(folder)).map((name) => readFile(path.join(folder, name), 'utf8')))
  ).join('');
  expect(text).not.toContain('abcdefghijklmnopqrstuvwxyz0123456789');
});

test('A second start hands over to the first and ends', async ({ sharedDesktop: desktop }) => {
  const electron = await desktop.app.evaluate(() => process.execPath);
  const flags = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const second = spawn(electron, [...flags, '.'], {
    cwd: path.resolve(import.meta.dirname, '../../..'),
    env: { ...process.env, LISP_WORKBENCH_HOME: desktop.home, LISP_WORKBENCH_TEST: '1' },
  });
  let said = '';
  second.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const code = await new Promise((resolve) => second.on('close', resolve));
  expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining('already running') });
});
