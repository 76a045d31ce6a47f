/** Tests that all needed controls are visible and not covered, also in a window of 900 by 600 pixels. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import { type Disk, openDisk, openOnDisk } from '../disk.fixture.ts';
import { reportOf } from '../image.fixture.ts';
import { editorRegion, region } from '../text.fixture.ts';
import { answer, openWholeWindow, press, snapshotWith, type, type FakeCore } from '../window.fixture.tsx';
import { notify } from '../base/notices/notices.tsx';
import { layout } from '../base/layout/layout-store.ts';
import { cutRings } from './rings.fixture.ts';

let core: FakeCore;
let disk: Disk;

beforeEach(async () => {
  core = await openWholeWindow();
  disk = openDisk(core);
  answer({ 'repl.evaluate': ({ evaluation }) => reportOf(evaluation, ['AREA']) });
});
afterEach(() => page.viewport(1280, 800));

const small = (): Promise<void> => page.viewport(900, 600);
const boxOf = (locator: Locator): DOMRect => locator.element().getBoundingClientRect();
const status = (text: string) => page.getByRole('status').filter({ hasText: text });

const overlap = (one: DOMRect, other: DOMRect): boolean =>
  one.x < other.right && other.x < one.right && one.y < other.bottom && other.y < one.bottom;

const within = (inner: DOMRect, outer: DOMRect): boolean =>
  inner.x >= outer.x && inner.y >= outer.y && inner.right <= outer.right && inner.bottom <= outer.bottom;

it.each(['large', 'small'])(
  'A notice moves nothing and does not cover the caret in a %s window [issue 39.1]',
  async (size) => {
    await openOnDisk(disk, 'long.lisp', ';; a comment\n'.repeat(200));
    if (size === 'small') await small();
    await press('Control+1');
    await press('Control+End');
    const places = () => ['Editor', 'REPL', 'Status bar'].map((name) => boxOf(region(name)).toJSON());
    const caret = () => editorRegion().element().querySelector('.cursors-layer > .cursor')!.getBoundingClientRect();
    const before = { places: places(), caret: caret().toJSON() };
    await press('Control+Alt+m');
    const told = status('There is no form at the caret.');
    await expect.element(told).toBeVisible();
    expect.soft({ places: places(), caret: caret().toJSON() }).toEqual(before);
    expect.soft(overlap(boxOf(told), caret())).toBe(false);
    expect.soft(overlap(boxOf(told), boxOf(page.getByRole('textbox', { name: 'REPL input' })))).toBe(false);
  },
);

it('A notice moves away from a control in its corner that gets the focus [issue 39.1]', async () => {
  await small();
  await press('Control+1');
  notify('A file was saved. '.repeat(40));
  const told = status('A file was saved.');
  await expect.element(told).toBeVisible();
  const hidden = [...document.querySelectorAll<HTMLElement>('button')].find(
    (each) =>
      each.checkVisibility() && !told.element().contains(each) && overlap(boxOf(told), each.getBoundingClientRect()),
  )!;
  hidden.focus();
  await expect.poll(() => overlap(boxOf(told), hidden.getBoundingClientRect())).toBe(false);
});

it('The text stays where it is while a bar appears above it and goes [issue 39.1]', async () => {
  await openOnDisk(
    disk,
    'long.lisp',
    `${Array.from({ length: 200 }, (_, at) => `(defun f${at} () ${at})`).join('\n')}\n`,
  );
  await press('Control+1');
  await press('Control+End');
  const caret = () => editorRegion().element().querySelector('.cursors-layer > .cursor')!.getBoundingClientRect().top;
  const before = caret();
  core.tell('project-changed', { path: '/home/ada/shop', name: 'shop', trusted: false });
  await expect.element(page.getByRole('status', { name: 'Trust' })).toBeVisible();
  await expect.poll(caret).toBe(before);
  core.tell('project-changed', { path: '/home/ada/shop', name: 'shop', trusted: true });
  await expect.element(page.getByRole('status', { name: 'Trust' })).not.toBeInTheDocument();
  await expect.poll(caret).toBe(before);
});

it('The line with the caret stays in view when the dock becomes higher [issue 39.1]', async () => {
  await openOnDisk(
    disk,
    'long.lisp',
    `${Array.from({ length: 200 }, (_, at) => `(defun f${at} () ${at})`).join('\n')}\n`,
  );
  await press('Control+1');
  await press('Control+End');
  const splitter = page.getByRole('separator', { name: 'Height of the dock' }).element() as HTMLElement;
  splitter.focus();
  await press('ArrowUp', 20);
  const caret = () => editorRegion().element().querySelector('.cursors-layer > .cursor')!.getBoundingClientRect();
  await expect.poll(() => within(caret(), boxOf(editorRegion()))).toBe(true);
});

it('A tooltip leaves the bars free that ask for a decision, of the folder and of a text [issue 36.4]', async () => {
  core = await openWholeWindow(snapshotWith({ project: { path: '/home/ada/shop', name: 'shop', trusted: false } }));
  disk = openDisk(core);
  const told = page.getByRole('tooltip');
  const trust = page.getByRole('status', { name: 'Trust' });
  // Moves the pointer first, because the window ignores a pointer that has not moved since the start or the last key press.
  await trust.hover();
  await page.getByRole('button', { name: /^Review/ }).hover();
  await expect.element(told).toBeVisible();
  expect(overlap(boxOf(told), boxOf(trust))).toBe(false);

  await openOnDisk(disk, 'shop.lisp', '(defun area (r) r)\n');
  await type(';; mine');
  disk.write('shop.lisp', ';; theirs\n');
  const bar = editorRegion().getByRole('status').filter({ hasText: 'has changed on disk since' });
  await expect.element(bar).toBeVisible();
  await bar.hover();
  await editorRegion().getByRole('button', { name: 'Split right' }).hover();
  await expect.element(told).toMatchTextContent('Split');
  expect(overlap(boxOf(told), boxOf(bar))).toBe(false);
});

it('No focus ring is cut off, in the list of breakpoints and in the other panels [issue 36.4]', async () => {
  await openOnDisk(disk, 'area.lisp', '(defun area (r) (* r r))');
  core.tell('breakpoints-changed', {
    functions: [{ wanted: 'area', name: 'AREA', there: true }],
    conditions: [],
  });
  await press('Control+Shift+g');
  await expect.element(region('Debugger').getByRole('button', { name: /^Clear breakpoint/ })).toBeVisible();
  await press('Shift');
  expect.soft(cutRings(), 'Breakpoints').toEqual([]);
  for (const keys of [
    'Control+Shift+m',
    'Control+Shift+f',
    'Control+Shift+y',
    'Control+Shift+j',
    'Control+Shift+e',
    'Control+F1',
    'Control+Alt+i',
    'Control+Shift+h',
    'Control+,',
    'F1',
  ]) {
    await press(keys);
    await new Promise(requestAnimationFrame);
    await press('Shift');
    expect.soft(cutRings(), keys).toEqual([]);
    await press('Escape');
  }
});

it('A result that is opened at the foot of the editor is scrolled into sight [issue 36.4]', async () => {
  const symbols = Array.from({ length: 400 }, () => 'SOME-SYMBOL').join('\n    ');
  answer({ 'repl.evaluate': ({ evaluation }) => reportOf(evaluation, [`(1 (${symbols}))`]) });
  await openOnDisk(disk, 'foot.lisp', `${'\n'.repeat(60)}(list 1 (make-list 400 :initial-element 'some-symbol))¦`);
  await press('Control+Enter');
  await expect.poll(() => editorRegion().element().querySelector('.inline-value')).not.toBeNull();
  await press('Control+Alt+Enter');
  const result = editorRegion().getByRole('group', { name: /^Result of/ });
  await expect.element(result).toBeVisible();
  await expect
    .poll(() => {
      const text = editorRegion().element().querySelector('.monaco-editor')!.getBoundingClientRect();
      const box = boxOf(result);
      return box.bottom <= text.bottom || box.y <= text.y + 40;
    })
    .toBe(true);
});

it('In a narrow group what is to be done about a file that changed on disk is within the group [issue 36.4]', async () => {
  await small();
  await openOnDisk(disk, 'shipping-rates.lisp', '(defun rate () 1)\n');
  await type(';');
  disk.write('shipping-rates.lisp', '(defun rate () 2)\n');
  const bars = () => editorRegion().getByRole('status').filter({ hasText: 'has changed on disk since' });
  await expect.poll(() => bars().elements().length).toBe(1);
  await press('Control+\\');
  await expect.poll(() => bars().elements().length).toBe(2);
  const outside = bars()
    .all()
    .flatMap((bar) =>
      bar
        .getByRole('button')
        .all()
        .filter((button) => !within(boxOf(button), boxOf(bar))),
    );
  expect(outside.map((button) => button.element().textContent)).toEqual([]);
  expect(overlap(boxOf(bars().first()), boxOf(bars().last()))).toBe(false);
});

it('In a low window the dock keeps its share, code keeps the larger part, and no scrollbar covers the last line [issue 36.4]', async () => {
  const lines = Array.from({ length: 60 }, (_, index) => `(defun long-${index} () ${'"text" '.repeat(40)})`);
  await page.viewport(1500, 960);
  await openOnDisk(disk, 'long.lisp', `¦${lines.join('\n')}`);
  const code = () => editorRegion().element().querySelector('.monaco-editor')!.getBoundingClientRect().height;
  const dock = () => boxOf(region('REPL')).height;
  const full = dock();
  await small();
  await expect.poll(dock).toBeLessThan(full * 0.65);
  const low = dock();
  expect(code()).toBeGreaterThan(low);
  await press('Control+End');
  await expect
    .poll(() => {
      const rows = [...editorRegion().element().querySelectorAll('.view-line')];
      // While the text scrolls, the line is redrawn, so it may have no position for a moment.
      const last = rows.find(({ textContent }) => textContent.includes('long-59'))?.getBoundingClientRect();
      const bar = editorRegion().element().querySelector('.scrollbar.horizontal')?.getBoundingClientRect();
      return last !== undefined && bar !== undefined && last.bottom <= bar.y + 0.5;
    })
    .toBe(true);
  // The dock keeps the height that the person has chosen.
  (page.getByRole('separator', { name: 'Height of the dock' }).element() as HTMLElement).focus();
  await press('ArrowUp', 5);
  await expect.poll(dock).toBeCloseTo(low + 80, -1);
});

it('No tab moves when another one is selected [issue 39.1]', async () => {
  await page.viewport(1600, 1000);
  for (const name of ['one.lisp', 'two.lisp', 'three.lisp']) await openOnDisk(disk, name, '(first)¦\n');
  for (const label of ['Open files', 'Below the editor', 'Beside the editor']) {
    const tabs = page.getByRole('tablist', { name: label }).getByRole('tab');
    const lefts = (): number[] => tabs.elements().map((tab) => tab.getBoundingClientRect().x);
    const before = lefts();
    for (const tab of tabs.elements()) {
      (tab as HTMLElement).click();
      await expect.poll(() => tab.getAttribute('aria-selected')).toBe('true');
      expect.soft(lefts(), label).toEqual(before);
    }
  }
});

it('The panels beside the editor that have no room for their tabs are in a menu [issue 39.1]', async () => {
  await page.viewport(1600, 1000);
  layout.setState({ sideWidth: 240 });
  await page.getByRole('button', { name: 'More panels' }).click();
  await page.getByRole('menuitem', { name: /^Agent/ }).click();
  await expect.element(page.getByRole('tab', { name: 'Agent', selected: true })).toBeVisible();
  // As soon as all tabs fit, the menu goes, and with it the room that it took.
  layout.setState({ sideWidth: 392 });
  await expect.element(page.getByRole('button', { name: 'More panels' })).not.toBeInTheDocument();
  await expect.element(page.getByRole('tab', { name: 'Documentation' })).toBeInViewport({ ratio: 1 });
});

it('Texts of the window are drawn in the fonts that come with the program [issue 39.1]', () => {
  expect(getComputedStyle(document.body).fontFamily).toMatch(/^"?Inter Variable/);
  for (const family of ['Inter Variable', 'JetBrains Mono Variable'])
    expect([...document.fonts].some((font) => font.family.includes(family) && font.status === 'loaded')).toBe(true);
});
