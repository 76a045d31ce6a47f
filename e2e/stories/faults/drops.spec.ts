/**
 * Stories about dragging files or text into the window from outside: files open in the editor, text is inserted as text, and nothing
 * navigates, runs or loads.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { browserAside } from '../../desktop/browser-aside.ts';
import { expect, test } from '../../desktop/fixture.ts';
import { deleting, openReview } from '../../desktop/reviewing.ts';

interface Dragged {
  readonly items?: readonly { readonly mimeType: string; readonly data: string }[];
  readonly files?: readonly string[];
}

/** Drags files or text from outside to the middle of an element and drops them there, with the events that the system sends to the page. */
async function drop(page: Page, target: Locator, { items = [], files = [] }: Dragged): Promise<void> {
  const { x, y, width, height } = (await target.boundingBox())!;
  const at = { x: x + width / 2, y: y + height / 2 };
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [...items], files: [...files], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await devtools.send('Input.dispatchDragEvent', { type, ...at, data });
  await devtools.detach();
}

const RUNS = 'window.ran=1';
const HTML = `<img src=x onerror="${RUNS}"><script>${RUNS}</script><a href="javascript:${RUNS}">words</a>`;
const item = (mimeType: string, data: string): Dragged => ({ items: [{ mimeType, data }] });

test('What is dropped into the window, Review included, navigates nothing, runs nothing and loads nothing [issue 34.5]', async ({
  desktop,
}) => {
  const { page } = desktop;
  const trap = path.join(desktop.project, 'trap.html');
  const code = path.join(desktop.project, 'trap.lisp');
  const folder = path.join(desktop.project, 'folder');
  await mkdir(folder);
  await writeFile(trap, `<script>${RUNS}</script>`);
  await writeFile(code, '(defparameter cl-user::*ran* (print :ran))\n');
  const opened = await browserAside(desktop);
  const agent = await desktop.agent('codex');
  await desktop.newFile('(mine)\n');
  const call = agent.call('evaluate-lisp', deleting(code));
  const review = await openReview(desktop);
  await expect(review.getByRole('heading', { name: /Delete trap\.lisp/ })).toBeVisible();
  await review.getByRole('button', { name: 'Deny', exact: true }).click();
  const requested: string[] = [];
  for (const each of [page, review]) each.on('request', (request) => requested.push(request.url()));
  const addresses = [page.url(), review.url()];
  const windows = desktop.app.windows().length;

  const dragged: readonly Dragged[] = [
    { files: [trap] },
    { files: [code] },
    { files: [folder] },
    { files: [trap], ...item('text/uri-list', `file://${trap}`) },
    item('text/uri-list', `https://evil.example/\r\n`),
    item('text/uri-list', `javascript:${RUNS}`),
    item('text/uri-list', `file://${trap}`),
    item('text/html', HTML),
    {
      items: [
        { mimeType: 'text/html', data: HTML },
        { mimeType: 'text/plain', data: '(print :ran)\n\n' },
      ],
    },
    item('text/plain', '(print :ran)\n\n'),
    item('application/x-lisp-workbench-tab', 'group-1 text-1'),
  ];
  const areas: readonly [Page, Locator][] = [
    [page, desktop.region('Editor').locator('.monaco-editor').first()],
    [page, page.getByRole('textbox', { name: 'REPL input' })],
    [page, desktop.region('REPL')],
    [page, page.getByRole('banner').first()],
    [review, review.locator('body')],
    [review, review.getByRole('textbox')],
  ];
  for (const [at, area] of areas) for (const each of dragged) await drop(at, area, each);

  for (const each of [page, review]) expect(await each.evaluate(() => (window as { ran?: number }).ran ?? 0)).toBe(0);
  expect([page.url(), review.url()]).toEqual(addresses);
  expect(requested.filter((url) => !url.startsWith('app://'))).toEqual([]);
  expect(desktop.app.windows().length).toBe(windows);
  expect(await opened()).toEqual([]);
  // The card is still waiting.
  expect((await desktop.snapshot()).waitingApprovals).toBe(1);
  expect(await desktop.region('REPL').textContent()).not.toContain(':RAN');
  // Text that was dropped on an input field is inserted as text.
  await expect(page.getByRole('textbox', { name: 'REPL input' })).toHaveValue(/\(print :ran\)/);
  await desktop.page.keyboard.press('Control+Shift+.');
  expect(await call).toMatchObject({ isError: true });
});

test('Files that the person drops onto the editor open and can be saved where they are, and no script can drop any [issue 34.5]', async ({
  desktop,
}, info) => {
  const { page } = desktop;
  const elsewhere = info.outputPath('elsewhere');
  await mkdir(path.join(elsewhere, 'folder'), { recursive: true });
  const [first, second, third] = ['cart.lisp', 'shop two.asd', 'third.lisp'].map((name) => path.join(elsewhere, name));
  await writeFile(first!, '(defun total () 1)\n');
  await writeFile(second!, '(defsystem "shop")\n');
  await writeFile(third!, '(third)\n');
  const editor = desktop.region('Editor');

  // Drops a file when no file is open, and then onto an open text.
  await drop(page, editor, { files: [first!] });
  await expect(editor.getByRole('tab', { name: /cart\.lisp/ })).toBeVisible();
  await expect(editor.locator('.view-lines')).toContainText('total');
  await drop(page, editor.locator('.monaco-editor').first(), { files: [second!] });
  await expect(editor.getByRole('tab', { name: /shop two\.asd/ })).toHaveAttribute('aria-selected', 'true');
  await expect(editor.locator('.view-lines')).toContainText('defsystem');
  await page.screenshot({ path: info.outputPath('opened.png') });
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText(';; mine');
  await page.keyboard.press('Control+s');
  await expect.poll(() => readFile(second!, 'utf8')).toBe('(defsystem "shop")\n;; mine');

  await drop(page, editor, { files: [path.join(elsewhere, 'folder')] });
  await expect(page.getByText(/folder is a folder\. Choose a file in it/).first()).toBeVisible();
  expect((await desktop.snapshot()).project?.path ?? desktop.project).toBe(desktop.project);

  // Other parts of the window accept no file. A drop that a script simulates is ignored.
  await drop(page, desktop.region('REPL'), { files: [third!] });
  await editor.evaluate((element) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['x'], '/etc/passwd'));
    for (const type of ['dragover', 'drop'])
      element.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
  });
  await desktop.repl('(+ 20 22)');
  await expect(desktop.region('REPL')).toContainText('42');
  await expect(editor.getByRole('tab')).toHaveCount(2);
});
