import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { expect, test } from './fixture.ts';
import { deny, openReview } from './reviewing.ts';

test('K2 every page is sandboxed, isolated and without Node', async ({ desktop }) => {
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

test('K2 a page leads nowhere: no navigation, no window, no permission, no foreign script, no Node', async ({
  desktop,
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

test('K2 case 26 markup, scripts and links in names, text, output and files are text wherever they are shown', async ({
  desktop,
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

test('decision 20 the page cannot decide: the approval channel takes its own frame alone', async ({ desktop }) => {
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

test('K1 tokens are kept as digests in a file for the owner alone', async ({ desktop }) => {
  const { token } = await desktop.mint('codex');
  const file = path.join(desktop.home, 'config', 'clients.json');
  expect(await readFile(file, 'utf8')).not.toContain(token);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('K5 what happened is in the audit, without the token', async ({ desktop }) => {
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

test('a second start hands over to the first and ends', async ({ desktop }) => {
  const electron = await desktop.app.evaluate(() => process.execPath);
  const flags = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const second = spawn(electron, [...flags, '.'], {
    cwd: path.resolve(import.meta.dirname, '..'),
    env: { ...process.env, LISP_WORKBENCH_HOME: desktop.home, LISP_WORKBENCH_TEST: '1' },
  });
  let said = '';
  second.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const code = await new Promise((resolve) => second.on('close', resolve));
  expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining('already running') });
});
