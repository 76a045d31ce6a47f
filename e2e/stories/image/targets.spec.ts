import { execFileSync } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from '@playwright/test';
import { faultsInBothThemes } from '../../desktop/axe.ts';
import { expect, test, type Desktop } from '../../desktop/fixture.ts';

// The tests run one after the other: the first builds a core for the target, the others use it.
test.describe.configure({ mode: 'default' });

/** The folder in which the target of all tests stores its cores. */
let cache: string;
test.beforeAll(async () => {
  cache = await mkdtemp(path.join(tmpdir(), 'target-cache-'));
});
test.afterAll(() => rm(cache, { recursive: true, force: true }));

/** Opens the Targets dialog with the keyboard. */
async function targets({ page }: Desktop): Promise<Locator> {
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.insertText('Targets…');
  await expect(page.getByRole('option', { name: 'Targets…' }).first()).toBeVisible();
  await page.keyboard.press('Enter');
  return page.getByRole('dialog', { name: 'Targets' });
}

/** Adds a target that actually runs on this machine, but is reached through a program like another machine. */
async function add(desktop: Desktop, name: string, command: string): Promise<Locator> {
  const { page } = desktop;
  const dialog = await targets(desktop);
  await dialog.getByRole('button', { name: 'Add Target…' }).click();
  const form = page.getByRole('dialog', { name: 'Add a target' });
  await form.getByText('Command', { exact: true }).first().click();
  await form.getByRole('textbox', { name: 'Name' }).fill(name);
  await form.getByRole('textbox', { name: 'Command' }).fill(command);
  return form;
}

test('A target is added, tried and used for a further image, which says where it runs', async ({ launch }) => {
  const desktop = await launch({ env: { XDG_CACHE_HOME: cache } });
  const { page } = desktop;
  await desktop.imageReady();
  const dialog = await targets(desktop);
  await expect(dialog).toContainText('Other places where images can run');
  expect(await faultsInBothThemes(desktop)).toEqual([]);
  await page.keyboard.press('Escape');

  const form = await add(desktop, 'there', 'env LISP_PLACE=there');
  await form.getByRole('textbox', { name: 'Folder on the target' }).fill('src');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toContainText('Enter the absolute path, beginning with /.');
  await form.getByRole('textbox', { name: 'Folder on the target' }).fill('');
  await form.getByRole('button', { name: 'Test' }).click();
  const trial = form.getByRole('status', { name: 'Connection test' });
  await expect(trial).toContainText(/First form/, { timeout: 120_000 });
  await expect(trial).not.toContainText('failed');
  expect(await faultsInBothThemes(desktop)).toEqual([]);
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('listitem', { name: 'there' })).toContainText('Command · env LISP_PLACE=there');
  expect(await faultsInBothThemes(desktop)).toEqual([]);

  await dialog.getByRole('button', { name: 'New Image on there' }).click();
  // Until the new image's REPL appears, the REPL of the shared image is visible.
  await expect(desktop.region('REPL')).toContainText('image 2 is a separate image', { timeout: 120_000 });
  await desktop.repl('(sb-ext:posix-getenv "LISP_PLACE")');
  await expect(desktop.region('REPL')).toContainText('"there"', { timeout: 120_000 });
  await page.getByRole('button', { name: /^Image / }).click();
  await expect(page.getByRole('menuitem', { name: /image 2/ })).toContainText('on there');
  await page.keyboard.press('Escape');
});

test('The shared image runs at a target from its next start on, and the window says where', async ({ launch }) => {
  const desktop = await launch({ env: { XDG_CACHE_HOME: cache } });
  const { page } = desktop;
  await desktop.imageReady();
  const form = await add(desktop, 'there', 'env LISP_PLACE=there');
  await form.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Targets' });
  await dialog.getByRole('button', { name: /^The shared image runs on/ }).click();
  await page.getByRole('menuitem', { name: 'there' }).click();
  await expect(dialog.getByRole('status')).toContainText('The running image is on this machine');
  await dialog.getByRole('button', { name: 'Restart Image…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Restart' }).click();
  await expect(page.getByRole('button', { name: /^Image / })).toContainText('on there', { timeout: 120_000 });
  await expect(page.getByRole('region', { name: 'Status bar' })).toContainText('guard on, on there');
  await desktop.repl('(sb-ext:posix-getenv "LISP_PLACE")');
  await expect(desktop.region('REPL')).toContainText('"there"', { timeout: 120_000 });
});

test('A target that cannot be reached says why, before it is kept and when an image is to start there', async ({
  launch,
}) => {
  const desktop = await launch({ env: { XDG_CACHE_HOME: cache } });
  const { page } = desktop;
  await desktop.imageReady();
  const form = await add(desktop, 'nowhere', '/no/such/program');
  await form.getByRole('button', { name: 'Test' }).click();
  const trial = form.getByRole('status', { name: 'Connection test' });
  await expect(trial).toContainText('failed');
  await expect(trial).toContainText('/no/such/program');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'New Image on nowhere' }).click();
  await expect(desktop.region('REPL')).toContainText('the program /no/such/program is not on this machine');
  await desktop.region('REPL').getByRole('button', { name: 'Targets…' }).click();
  await page.getByRole('button', { name: 'Edit nowhere' }).click();
  const changed = page.getByRole('dialog', { name: 'Target nowhere' });
  await changed.getByRole('textbox', { name: 'Command' }).fill('env');
  await changed.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog', { name: 'Targets' }).getByRole('button', { name: 'Close' }).click();
  await desktop.region('REPL').getByRole('button', { name: 'Start image' }).click();
  await desktop.repl('(+ 1 2)');
  await expect(desktop.region('REPL')).toContainText('3', { timeout: 120_000 });
});

test('What a trial finds after its target was changed in the form is not shown as that of the new one', async ({
  launch,
}) => {
  const desktop = await launch({ env: { XDG_CACHE_HOME: cache } });
  const { page } = desktop;
  await desktop.imageReady();
  const gate = path.join(desktop.project, 'gate');
  execFileSync('mkfifo', [gate]);
  const form = await add(desktop, 'slow', `sh -c "read word < '${gate}'; echo too late >&2; exit 4"`);
  await form.getByRole('button', { name: 'Test' }).click();
  const trial = form.getByRole('status', { name: 'Connection test' });
  await expect(trial).toContainText('Connecting');
  await form.getByRole('textbox', { name: 'Command' }).fill('/no/such/program');
  await expect(trial).toBeHidden();
  await form.getByRole('button', { name: 'Test' }).click();
  await expect(trial).toContainText('/no/such/program');
  // Opens the pipe for reading and writing, because otherwise opening would wait for the other end.
  const opened = await open(gate, 'r+');
  await opened.write('go\n');
  await opened.close();
  // Tests the slow target again. Once this test has ended, the result of the first test has been reported too.
  const slow = `sh -c "read word < '${gate}'; exit 4"`;
  const again = page.evaluate(
    (place) =>
      window.workbench.call('target.try', {
        name: 'slow',
        kind: 'command',
        place,
        options: '',
        directory: '',
        sbcl: 'sbcl',
      }),
    slow,
  );
  const second = await open(gate, 'r+');
  await second.write('go\n');
  expect((await again).steps).toMatchObject([{ title: 'Connect', ok: false }]);
  await second.close();
  await expect(trial).toContainText('/no/such/program');
  await expect(trial).not.toContainText('too late');
});
