/** Libraries of Quicklisp in the window, with a stand-in for the client and a dist of its own. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeQuicklisp } from '../../../main/core/sessions/systems/quicklisp.fixture.ts';
import { faultsInBothThemes } from '../../desktop/axe.ts';
import { expect, test } from '../../desktop/fixture.ts';

test('One Load brings all libraries of a project, which are there again after a restart, and only own definitions are listed [issue 38.1, 38.2]', async ({
  launch,
}) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'home-'));
  try {
    await makeQuicklisp(path.join(folder, 'quicklisp'), ['lettuce', 'radish']);
    const desktop = await launch({ env: { HOME: folder } });
    const { page } = desktop;
    await writeFile(
      path.join(desktop.project, 'salad.asd'),
      '(defsystem "salad" :depends-on ("lettuce" "radish") :components ((:file "salad")))',
    );
    await writeFile(path.join(desktop.project, 'salad.lisp'), '(defun salad () (lettuce::find-me))');
    await desktop.imageReady();
    await expect(page.getByText('Everything is ready.')).toBeVisible();

    await page.getByRole('button', { name: 'Systems', exact: true }).click();
    const systems = desktop.region('Systems');
    const row = systems.getByRole('option', { name: 'salad' });
    await row.click();
    await systems.getByRole('button', { name: 'Load: salad' }).click();
    await expect(systems.getByRole('option', { name: /^loaded salad/ })).toBeVisible();
    await systems.getByRole('searchbox').fill('');
    await expect(systems.getByRole('option', { name: /^loaded lettuce/ })).toContainText('quicklisp');
    await expect(systems.getByRole('option', { name: /^loaded radish/ })).toBeVisible();
    expect(await faultsInBothThemes(desktop)).toEqual([]);
    await page.screenshot({ path: 'out/playwright/libraries.png' });

    await page.keyboard.press('Control+Backquote');
    await desktop.repl('(defun mine () (salad))');
    await desktop.repl('(sb-ext:exit :code 3 :abort t)');
    const repl = desktop.region('REPL');
    await repl.getByRole('button', { name: 'Evaluate my definitions again' }).click();
    await expect(repl).toContainText(/evaluated again/);
    await expect(repl).not.toContainText('failed');
    await desktop.repl('(list (mine) (radish::find-me))');
    await expect(repl).toContainText('(:LETTUCE :RADISH)');
    const { definitions } = await page.evaluate(() => window.workbench.call('app.snapshot', {}));
    expect(JSON.stringify(definitions)).not.toContain('QL-');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
