/** Libraries of Quicklisp in the window, with a stand-in for the client and a dist of its own. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openDist, simpleProject, type TestDist } from '../../../main/core/libraries/dist.fixture.ts';
import { makeQuicklisp, STAND_IN } from '../../../main/core/sessions/systems/quicklisp.fixture.ts';
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

/** The variables of a person whose home has no Quicklisp, with a dist and a client on this machine. */
function withoutQuicklisp({ home, address, client }: TestDist): Record<string, string> {
  return { HOME: home, LISP_WORKBENCH_DISTS: address, LISP_WORKBENCH_QUICKLISP_CLIENT: client };
}

const SALAD = {
  lettuce: simpleProject('lettuce', ['radish']),
  radish: {
    ...simpleProject('radish'),
    files: {
      ...simpleProject('radish').files,
      'radish.asd': '(defsystem "radish" :description "Red and hot" :license "MIT" :components ((:file "radish")))',
    },
  },
  other: simpleProject('other'),
};

test('From nothing to a loaded library: the error names the way, three clicks lead there, and the client works [issue 38.4]', async ({
  launch,
}) => {
  const dist = await openDist(SALAD, { bare: true, client: STAND_IN });
  const desktop = await launch({ env: withoutQuicklisp(dist) });
  const { page } = desktop;
  const repl = desktop.region('REPL');
  const libraries = desktop.region('Libraries');
  await desktop.imageReady();
  await page.keyboard.press('Control+Backquote');
  await page.keyboard.insertText('(ql:quickload :lettuce)');
  await page.keyboard.press('Control+Enter');
  await expect(repl.getByRole('button', { name: 'Set Up Quicklisp' })).toBeVisible();

  await page.getByRole('button', { name: 'Libraries', exact: true }).click();
  await expect(libraries).toContainText('None of its code runs until you load a library.');
  await libraries.getByRole('button', { name: 'Set Up Quicklisp' }).click();
  await page.keyboard.press('Control+Shift+Alt+L');
  await libraries.getByRole('searchbox').fill('lettuce');
  await expect(libraries.getByRole('option', { name: 'lettuce' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(libraries.getByRole('list', { name: 'Releases that lettuce needs' })).toContainText('radish');
  expect(await faultsInBothThemes(desktop)).toEqual([]);
  await libraries.getByRole('button', { name: 'Load lettuce' }).click();
  await expect(page.getByText(/^lettuce: Loaded/)).toBeVisible();
  await desktop.repl('(lettuce::find-me)');
  await expect(repl).toContainText(':LETTUCE');

  // The client is loaded now.
  await desktop.repl('(ql:quickload :other)');
  await expect(repl).toContainText('("other")');
  await dist.close();
});

test('A library is added to the project as a change to look at, and an update replaces what is installed [issue 38.4]', async ({
  launch,
}) => {
  const next = { ...SALAD, radish: simpleProject('radish'), vinegar: simpleProject('vinegar') };
  const dist = await openDist(SALAD, { next });
  const desktop = await launch({ env: { HOME: dist.home } });
  const { page } = desktop;
  const libraries = desktop.region('Libraries');
  const definition = path.join(desktop.project, 'shop.asd');
  await writeFile(definition, '(defsystem "shop"\n  :depends-on ())\n');
  await desktop.imageReady();
  await page.keyboard.press('Control+Shift+Alt+L');
  await libraries.getByRole('searchbox').fill('radish');
  await libraries.getByRole('option', { name: 'radish' }).click();
  await libraries.getByRole('button', { name: 'Install radish' }).click();
  await expect(libraries).toContainText('Red and hot');
  await libraries.getByRole('button', { name: /Add to project/ }).click();
  await expect(page.getByRole('tab', { name: /shop.asd/, selected: true })).toBeVisible();
  await expect(desktop.region('Editor')).toContainText(':depends-on ("radish")');
  expect(await readFile(definition, 'utf8')).toContain(':depends-on ())');
  await page.keyboard.press('Control+s');
  await expect.poll(() => readFile(definition, 'utf8')).toContain(':depends-on ("radish")');

  await libraries.getByRole('button', { name: 'Dists' }).click();
  await libraries.getByRole('button', { name: 'Check for Update…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('vinegar-2');
  await dialog.getByRole('button', { name: 'Update', exact: true }).click();
  await expect(libraries).toContainText('made 2026-12-01');
  await expect.poll(() => readdir(path.join(dist.folder, 'software'))).toEqual(['radish-2']);
  await dist.close();
});
