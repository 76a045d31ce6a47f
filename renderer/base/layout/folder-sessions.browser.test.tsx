/** Folders in one window: each keeps its own tabs, unsaved text, panels and REPL package, and gets them back. */
import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Workspace } from '#contract/settings.ts';
import { type Disk, openDisk, openOnDisk, tabs } from '../../disk.fixture.ts';
import { activeEditor } from '../../editor/groups/active-editor.ts';
import { region, shownText } from '../../text.fixture.ts';
import { answer, openWholeWindow, press, snapshotWith, type, type FakeCore } from '../../window.fixture.tsx';
import { showLeft, showSide } from './layout-store.ts';
import { keepNow } from './workspace.ts';

let core: FakeCore;
let disk: Disk;

const folder = (name: string) => ({ path: `/home/ada/${name}`, name, trusted: true });
const titles = (): (string | null)[] =>
  tabs()
    .elements()
    .map((tab) => tab.querySelector('[class*="name"]')?.textContent ?? tab.textContent);
const go = (name: string): void => core.tell('project-changed', folder(name));

beforeEach(async () => {
  core = await openWholeWindow(snapshotWith({ project: folder('shop') }));
  answer({ 'repl.enterPackage': () => ({}) });
  disk = openDisk(core);
});

it('Tabs with their unsaved text, caret and panels are put away with a folder, and return with it [issue 39.2]', async () => {
  await openOnDisk(disk, 'cart.lisp', '(defun total (items)\n  ¦items)\n');
  await openOnDisk(disk, 'shop.lisp', '(defun pay ()¦)\n');
  await type(' :unsaved');
  await press('Control+Tab');
  showLeft('files');
  showSide('inspector');
  go('bakery');
  await expect.element(tabs().first()).not.toBeInTheDocument();
  await expect
    .element(page.getByText(/A text with unsaved changes was stored with shop\. Open that folder again/))
    .toBeVisible();
  await openOnDisk(disk, '/home/ada/bakery/oven.lisp', '(bake)¦\n');
  showLeft('tests');
  go('shop');
  await expect.poll(() => titles().length).toBe(2);
  await expect.element(page.getByRole('tab', { name: /oven\.lisp/ })).not.toBeInTheDocument();
  await expect.element(page.getByRole('tab', { name: /cart\.lisp/, selected: true })).toBeVisible();
  await expect.element(region('Files')).toBeVisible();
  await expect.poll(() => activeEditor()?.getPosition()).toMatchObject({ lineNumber: 2, column: 3 });
  await page.getByRole('tab', { name: /shop\.lisp.*not saved/ }).click();
  await expect.poll(shownText).toContain(':unsaved');
  expect(disk.read('shop.lisp')).not.toContain(':unsaved');
  go('bakery');
  await expect.element(page.getByRole('tab', { name: /oven\.lisp/, selected: true })).toBeVisible();
  await expect.element(region('Tests')).toBeVisible();
});

it('A file of the new folder that is open already stays open, and the texts of all folders are stored [issue 39.2]', async () => {
  go('garden');
  await openOnDisk(disk, '/home/ada/garden/rose.lisp', '(rose)¦\n');
  await type(' (unsaved)');
  await openOnDisk(disk, '/home/ada/forge/iron.lisp', '(bake)¦\n');
  go('forge');
  await expect.poll(() => titles().length).toBe(1);
  await expect.element(page.getByRole('tab', { name: /iron\.lisp/, selected: true })).toBeVisible();
  keepNow();
  const stored = (): Workspace => core.calls.findLast(({ name }) => name === 'workspace.keep')!.input as Workspace;
  expect(stored().folder).toBe('/home/ada/forge');
  expect(stored().buffers.map(({ path }) => path)).toEqual(['/home/ada/forge/iron.lisp']);
  expect(stored().folders['/home/ada/garden']?.buffers.map(({ path, text }) => [path, text])).toEqual([
    ['/home/ada/garden/rose.lisp', '(rose) (unsaved)\n'],
  ]);
});

it('Unsaved text is kept if folders are opened faster than their texts are read [issue 39.2]', async () => {
  go('orchard');
  await openOnDisk(disk, '/home/ada/orchard/apple.lisp', '(apple)¦\n');
  await type(' (unsaved)');
  for (const name of ['mill', 'orchard', 'mill', 'orchard']) go(name);
  await expect.element(page.getByRole('tab', { name: /apple\.lisp.*not saved/ })).toBeVisible();
  await expect.poll(shownText).toBe('(apple) (unsaved)\n');
  expect(titles()).toHaveLength(1);
});

it('The REPL leaves the package of a folder with it, and enters it again [issue 39.2]', async () => {
  const entered = (): unknown[] =>
    core.calls.filter(({ name }) => name === 'repl.enterPackage').map(({ input }) => input);
  const { session } = snapshotWith();
  core.tell('session-changed', { ...session, package: 'SHOP' });
  go('bakery');
  await expect.poll(entered).toEqual([{ repl: 'person', package: 'COMMON-LISP-USER' }]);
  core.tell('session-changed', { ...session, package: 'COMMON-LISP-USER' });
  go('shop');
  await expect.poll(() => entered().at(-1)).toEqual({ repl: 'person', package: 'SHOP' });
});
