import { expect, test } from '../../desktop/fixture.ts';

test('Unsaved text, REPL history and draft survive a restart [D18]', async ({ launch }) => {
  const first = await launch();
  await first.imageReady();
  await first.newFile('(defun never-saved () 1)');
  await first.repl('(list :remembered)');
  await expect(first.region('REPL')).toContainText('(:REMEMBERED)');
  await first.close();
  const second = await launch({ home: first.home, project: first.project });
  await expect(second.region('Editor')).toContainText('never-saved');
  await second.imageReady();
  await second.page.getByRole('textbox', { name: 'REPL input' }).click();
  await second.page.keyboard.press('ArrowUp');
  await expect(second.page.getByRole('textbox', { name: 'REPL input' })).toHaveValue('(list :remembered)');
});

test('A system is loaded from the list, with its output [D9]', async ({ desktop }) => {
  const { page } = desktop;
  await page.getByRole('button', { name: 'Systems', exact: false }).first().click();
  const systems = desktop.region('Systems');
  await systems.getByRole('searchbox').first().fill('alexandria');
  await systems.getByText('alexandria', { exact: true }).first().click();
  await page.keyboard.press('Enter');
  await expect(systems).toContainText(/loaded/i, { timeout: 60_000 });
  await desktop.repl('(alexandria:iota 3)');
  await expect(desktop.region('REPL')).toContainText('(0 1 2)');
});

test('The window without an SBCL opens, says what is missing, and the editor works', async ({ launch }) => {
  const desktop = await launch({ env: { LISP_WORKBENCH_SBCL: '/nonexistent/sbcl' } });
  await expect(desktop.region('REPL')).toContainText('There is no program at /nonexistent/sbcl');
  await expect(desktop.region('REPL')).toContainText('sbcl');
  await expect(desktop.region('REPL')).toContainText('To evaluate forms, start an image.');
  await expect(desktop.region('REPL')).not.toContainText('Type a form below');
  await desktop.newFile('(still works)');
  await expect(desktop.region('Editor')).toContainText('(still works)');
});

test('Text typed just before the window is closed by its button is there again [D18]', async ({ launch }) => {
  const first = await launch();
  await first.newFile('(typed-in-the-last-moment)');
  const ended = first.app.waitForEvent('close');
  await first.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.close());
  await ended;
  const second = await launch({ home: first.home, project: first.project });
  await expect(second.region('Editor')).toContainText('typed-in-the-last-moment');
});
