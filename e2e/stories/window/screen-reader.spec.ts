/** Stories about every part of the window as a screen reader reports it: names, positions in lists and trees, and events elsewhere. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { type Desktop, expect, test } from '../../desktop/fixture.ts';
import { openReview, ORIGINAL, press, propose } from '../../desktop/reviewing.ts';
import { spokenOf, unclearIn } from '../../desktop/spoken.ts';

const PROGRAM = `(defpackage :shop (:use :cl) (:export #:price))
(in-package :shop)
(defclass thing () ((name :initarg :name)))
(defclass book (thing) ((pages :initform 1)))
(defgeneric price (thing))
(defmethod price ((thing book)) (error "No price of ~A." thing))
(defun two (a) (let ((unused 1)) (price a)))
`;

/** The names of the commands that show panels. */
const PANELS = [
  'Files',
  'Definitions',
  'Systems',
  'Tests',
  'Clients',
  'Activity',
  'Debugger',
  'Problems',
  'Output',
  'Threads',
  'Memory',
  'Profiler',
  'Trace',
  'Coverage',
  'Inspector',
] as const;

async function run({ page }: Desktop, command: string): Promise<void> {
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.insertText(command);
  await page.keyboard.press('Enter');
}

/** Returns elements with wrong attributes: tree rows without their positions, and tab stops without a role. */
function placeless(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const shown = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true });
    const found = (selector: string): Element[] => [...document.querySelectorAll(selector)].filter(shown);
    const named = (words: string) => (element: Element) =>
      `${words}: ${element.getAttribute('aria-label') ?? element.textContent ?? ''}`.slice(0, 90);
    const native = 'a, button, input, select, textarea, summary, section[aria-label], ol[aria-label], ul[aria-label]';
    return [
      ...found('[role="treeitem"]:not([aria-level][aria-posinset][aria-setsize])').map(
        named('a tree row without a place'),
      ),
      ...found('[role="row"][aria-level]:not([aria-rowindex])').map(named('a row without its index')),
      ...found('[tabindex="0"]:not([role])')
        .filter((element) => !element.matches(native) && !element.matches('.monaco-editor *'))
        .map(named('a stop of Tab without a role')),
    ];
  });
}

async function isClear(page: Page, surface: string): Promise<void> {
  expect.soft(unclearIn(await spokenOf(page)), surface).toEqual([]);
  expect.soft(await placeless(page), surface).toEqual([]);
}

test('Every surface of the window has names and places for a screen reader, which is told what happens [D17, issue 12.2]', async ({
  desktop,
}) => {
  const { page } = desktop;
  const agent = await desktop.agent('claude-code');
  await agent.call('evaluate-lisp', { code: '(defun by-agent (x) "Doubles." (* 2 x))' });
  const file = path.join(desktop.project, 'shop.lisp');
  await writeFile(file, PROGRAM);
  await desktop.openFile(file);
  await expect(page.getByRole('tab', { name: /shop\.lisp/ })).toBeVisible();
  await run(desktop, 'Compile and Load File');
  await expect(desktop.region('Status bar').getByRole('button', { name: /^Problems/ })).toBeVisible();

  await test.step('Results and errors are told where the person works', async () => {
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText('(list 1 2)');
    await page.keyboard.press('Alt+Enter');
    await expect(desktop.region('Editor').getByRole('status').filter({ hasText: '(1 2)' })).toHaveCount(1);
    await desktop.repl("(shop::two (make-instance 'shop::book))");
    // The debugger has the focus, and its list of frames is described by the condition.
    const frames = desktop.region('Debugger').getByRole('listbox', { name: 'Frames' });
    await expect(frames).toBeFocused();
    await expect(frames).toHaveAccessibleDescription(/No price of/);
    await page.keyboard.press('Control+Backquote');
    const log = desktop.region('REPL').getByRole('log', { name: 'Transcript' });
    await expect(log).toContainText('No price of');
  });

  await isClear(page, 'Editor and REPL');
  for (const panel of PANELS) {
    await run(desktop, `${panel}: Focus`);
    await expect(desktop.region(panel)).toBeVisible();
    await isClear(page, panel);
  }
  await page.keyboard.press('Control+Shift+F');
  await isClear(page, 'Search');
  await page.keyboard.press('Control+2');
  for (const tab of ['Apropos', 'Classes', 'Generic functions', 'Packages', 'Systems', 'Clean build']) {
    await desktop.region('Browser').getByRole('tab', { name: tab }).click();
    if (tab === 'Classes') await desktop.region('Browser').getByText('Graph', { exact: true }).click();
    if (tab === 'Classes') await expect(desktop.region('Browser').getByRole('treeitem').first()).toBeVisible();
    await isClear(page, tab);
  }
  await page.keyboard.press('Control+1');
  for (const keys of ['Control+,', 'Control+Shift+P', 'F1']) {
    await page.keyboard.press(keys);
    await expect(page.getByRole('dialog')).toBeVisible();
    await isClear(page, keys);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  }

  await test.step('Requests are told as they arrive, and each kind of card is clear', async () => {
    await writeFile(file, ORIGINAL);
    const write = agent.call('write-file', { path: 'notes.txt', content: 'Mine.' });
    const told = page.getByRole('status', { name: 'Requests' });
    await expect(told).toHaveText('1 request is waiting for you. F7 opens Review.');
    const review = await openReview(desktop);
    await expect(told).toHaveText('');
    const denied = async (kind: string, answer: Promise<unknown>): Promise<void> => {
      await expect(review.getByRole('article')).toBeVisible();
      await isClear(review, kind);
      await press(review, 'Deny');
      await isClear(review, `${kind}, being denied`);
      await press(review, 'Deny');
      await answer;
    };
    await denied('a file that is written', write);
    await denied('hunks', propose(agent));
    const effect = agent.call('evaluate-lisp', { code: `(delete-file "${file}")` });
    await denied('an effect', effect);
    await isClear(review, 'decided requests');
  });
  await agent.close();
});
