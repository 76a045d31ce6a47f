/**
 * Stories about the HyperSpec: it opens pages for the name at the caret and for choices in the palette, either on the web or from a copy on
 * disk.
 */
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { faultsInBothThemes } from '../../desktop/axe.ts';
import { browserAside } from '../../desktop/browser-aside.ts';
import { type Desktop, expect, test } from '../../desktop/fixture.ts';

const WEB = 'http://www.lispworks.com/documentation/HyperSpec/Body/';

const CAR = `(defpackage #:garage
  (:use #:cl)
  (:shadow #:cdr))
(in-package #:garage)

(defun cdr (list) (car list))
(defun say (x)
  (format t "~2,'0d~%" (mapcar #'list x)))
`;

async function caretAt(desktop: Desktop, line: number, column: number): Promise<void> {
  const { page } = desktop;
  await page.keyboard.press('Control+1');
  await page.keyboard.press('Control+Home');
  for (let step = 1; step < line; step += 1) await page.keyboard.press('ArrowDown');
  for (let step = 1; step < column; step += 1) await page.keyboard.press('ArrowRight');
  await expect(desktop.region('Status bar')).toContainText(`Ln ${line}, Col ${column}`);
}

async function chord(desktop: Desktop, last: string): Promise<void> {
  await desktop.page.keyboard.press('Control+c');
  await desktop.page.keyboard.press('Control+d');
  await desktop.page.keyboard.press(last);
}

test('The HyperSpec opens at the symbol, directive, reader macro, term or section that is meant, from the web or from a copy on the disk', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const opened = await browserAside(desktop);
  const field = page.getByRole('combobox', { name: 'Command field' });
  const status = desktop.page.getByRole('status');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  const file = path.join(desktop.project, 'garage.lisp');
  await writeFile(file, CAR);
  await desktop.openFile(file);
  await expect(page.getByRole('tab', { name: /garage\.lisp/ })).toBeVisible();
  await desktop.repl(`(load ${JSON.stringify(file)})`);
  await expect(desktop.region('REPL')).toContainText('=> T');
  await page.evaluate(() => window.workbench.call('settings.change', { keymap: 'slime' }));

  await test.step('The list of keys has the chords, and lists none of them as not there yet', async () => {
    await page.keyboard.press('F1');
    const help = page.getByRole('dialog', { name: 'Keys and commands' });
    await help.getByRole('searchbox', { name: 'Find a command or its keys' }).fill('HyperSpec');
    const group = help.getByRole('region', { name: 'Help', exact: true });
    await expect(group).toContainText('HyperSpec: Symbol at CaretCtrlCCtrlDH');
    await expect(group).toContainText('HyperSpec: FORMAT Directive…CtrlCCtrlD~');
    await expect(group).toContainText('HyperSpec: Reader Macro…CtrlCCtrlD#');
    await expect(group).toContainText('HyperSpec: Glossary Term…CtrlCCtrlDG');
    await expect(help.getByRole('region', { name: 'Not implemented yet' })).toBeHidden();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect(help).toBeHidden();
  });

  await test.step('A symbol of the standard opens its page at once', async () => {
    await caretAt(desktop, 6, 21);
    await chord(desktop, 'h');
    await expect.poll(opened).toEqual([`${WEB}f_car_c.htm`]);
  });

  await test.step('The image tells a symbol that is spelled alike: another is chosen from all of the standard', async () => {
    await caretAt(desktop, 6, 9);
    await chord(desktop, 'h');
    await expect(field).toHaveValue('?cdr');
    await expect(status.filter({ hasText: 'cdr is a symbol of GARAGE, not of the standard.' })).toBeVisible();
    await page.screenshot({ path: 'out/playwright/hyperspec-symbols.png' });
    expect(await faultsInBothThemes(desktop)).toEqual([]);
    await page.keyboard.type('multiple-value-b');
    await expect(field).toHaveValue('?multiple-value-b');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await opened()).at(-1)).toBe(`${WEB}m_multip.htm`);
    await expect(field).toBeHidden();
  });

  await test.step('A directive of FORMAT and a reader macro are those at the caret, unless others are typed', async () => {
    await caretAt(desktop, 8, 15);
    await chord(desktop, '~');
    await expect(field).toHaveValue('?format: ~D');
    await page.screenshot({ path: 'out/playwright/hyperspec-format.png' });
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await opened()).at(-1)).toBe(`${WEB}22_cbb.htm`);
    await caretAt(desktop, 8, 32);
    await chord(desktop, '#');
    await expect(field).toHaveValue("?reader: #'");
    await page.keyboard.type('#\\');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await opened()).at(-1)).toBe(`${WEB}02_dha.htm`);
  });

  await test.step('Terms of the glossary and sections are found in the palette', async () => {
    await chord(desktop, 'g');
    await expect(page.getByRole('option', { name: 'absolute' })).toBeVisible();
    await expect(status.filter({ hasText: 'more entries match' })).toBeVisible();
    await page.keyboard.type('actual arg');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await opened()).at(-1)).toBe(`${WEB}26_glo_a.htm#actual_argument`);
    await page.keyboard.press('Alt+x');
    await page.keyboard.type('hyperspec section');
    await page.keyboard.press('Enter');
    await page.keyboard.type('22.3.1');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await opened()).at(-1)).toBe(`${WEB}22_ca.htm`);
  });

  await test.step('The hover and the Documentation panel link to the page, of the standard’s own symbols alone', async () => {
    const before = (await opened()).length;
    const hover = page.locator('.monaco-hover:visible').filter({ hasText: 'function in CL' });
    await caretAt(desktop, 8, 25);
    await page.keyboard.press('Control+Shift+I');
    await expect(hover).toContainText('HyperSpec');
    await page.screenshot({ path: 'out/playwright/hyperspec-hover.png' });
    await hover.getByText('HyperSpec').click();
    await expect.poll(opened).toHaveLength(before + 1);
    expect((await opened()).at(-1)).toBe(`${WEB}f_mapc_.htm`);
    await caretAt(desktop, 8, 5);
    await chord(desktop, 'd');
    const panel = desktop.region('Documentation');
    await expect(panel).toContainText(/format/i);
    await panel.getByRole('button', { name: 'HyperSpec' }).click();
    await expect.poll(opened).toHaveLength(before + 2);
    expect((await opened()).at(-1)).toBe(`${WEB}f_format.htm`);
    await page.screenshot({ path: 'out/playwright/hyperspec-documentation.png' });
    await caretAt(desktop, 6, 9);
    await expect(panel).toContainText('function in GARAGE');
    await expect(panel.getByRole('button', { name: 'HyperSpec' })).toBeHidden();
  });

  await test.step('A folder that is no copy is told as such, and a copy gives its own pages', async () => {
    const copy = path.join(await realpath(desktop.project), 'HyperSpec');
    await mkdir(path.join(copy, 'Body'), { recursive: true });
    await writeFile(path.join(copy, 'Body', 'f_own.htm'), '');
    await page.keyboard.press('Alt+x');
    await page.keyboard.type('>settings');
    await page.keyboard.press('Enter');
    await settings.getByRole('searchbox', { name: 'Find a setting' }).fill('clhs');
    const place = settings.getByRole('textbox', { name: 'Folder or address of the HyperSpec' });
    await place.fill(copy);
    await page.keyboard.press('Enter');
    await expect(settings).toContainText('Choose the folder that contains Body, Data and Front.');
    await page.screenshot({ path: 'out/playwright/hyperspec-settings.png' });
    expect(await faultsInBothThemes(desktop)).toEqual([]);
    await mkdir(path.join(copy, 'Data'));
    await writeFile(path.join(copy, 'Data', 'Map_Sym.txt'), 'CAR\n../Body/f_own.htm\n');
    await settings.getByRole('button', { name: 'Use', exact: true }).click();
    await expect(settings.getByRole('button', { name: 'Reset Folder or address of the HyperSpec' })).toBeVisible();
    await settings.getByRole('button', { name: 'Done' }).click();
    await caretAt(desktop, 6, 21);
    await chord(desktop, 'h');
    await expect
      .poll(async () => (await opened()).at(-1))
      .toBe(pathToFileURL(path.join(copy, 'Body', 'f_own.htm')).href);
    const count = (await opened()).length;
    await caretAt(desktop, 8, 5);
    await chord(desktop, 'h');
    await expect(status.filter({ hasText: 'Your copy of the HyperSpec lacks the page about format' })).toBeVisible();
    expect(await opened()).toHaveLength(count);
  });
});
