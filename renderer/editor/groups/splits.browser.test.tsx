/** The groups of a split editor: their texts, keys and sizes, and which group a command acts on. */
import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { type Disk, openDisk, openOnDisk } from '../../disk.fixture.ts';
import { definitionIn, reportOf } from '../../image.fixture.ts';
import { editorRegion, region } from '../../text.fixture.ts';
import { answer, faults, openWholeWindow, press, type, type FakeCore } from '../../window.fixture.tsx';
import { openFile } from '../files/files.ts';

let core: FakeCore;
let disk: Disk;

beforeEach(async () => {
  core = await openWholeWindow();
  disk = openDisk(core);
});

const group = (number: number) => editorRegion().getByRole('group', { name: `Group ${number}` });
const groups = () => editorRegion().getByRole('group', { name: /^Group \d/ });
const tabs = (number: number) => group(number).getByRole('tab');
const titles = (number: number) =>
  tabs(number)
    .elements()
    .map((each) => /\w+\.lisp/.exec(each.textContent)?.[0]);
const status = () => region('Status bar');

/** Waits until the text of a group has the focus. */
async function hasFocus(number: number): Promise<void> {
  await expect.poll(() => group(number).query()?.querySelector('.monaco-editor.focused') ?? null).not.toBeNull();
}

async function isShown(number: number, title: string): Promise<void> {
  await expect.element(tabs(number).filter({ hasText: title })).toHaveAttribute('aria-selected', 'true');
}

async function threeFiles(): Promise<void> {
  for (const name of ['one', 'two', 'three']) {
    const lines = Array.from({ length: 120 }, (_, index) => `(defun ${name}-${index + 1} (x) (+ x ${index + 1}))`);
    await openOnDisk(disk, `${name}.lisp`, `¦${lines.join('\n')}\n`);
  }
}

it('A text in two groups is one text with two carets: what is typed in one is in the other, and undo is shared [issue 36.4]', async () => {
  await openOnDisk(disk, 'shared.lisp', '(defun shared () 1)\n(defun other () 2)\n¦');
  await press('Control+\\');
  await hasFocus(2);
  await press('Control+Home');
  await type('; typed on the right');
  await expect.element(group(1)).toMatchTextContent(/typed\son\sthe\sright/);
  await expect.element(status()).toMatchTextContent('Ln 1, Col 21');
  await press('Control+F6');
  await hasFocus(1);
  // The left group's caret is still at the same text, which is now one line further down because of the insertion above it.
  await expect.element(status()).toMatchTextContent('Ln 3, Col 1');
  await press('Control+z');
  await expect.element(group(2)).not.toMatchTextContent(/on\sthe\sright/);
  await press('Control+F6');
  await hasFocus(2);
});

it('Commands act on the group that has the focus: evaluating, path line, outline, problems, jumps and the way back [issue 36.4]', async () => {
  answer({
    'repl.evaluate': ({ evaluation, code }) => reportOf(evaluation, [/defun (\S+)/.exec(code)![1]!.toUpperCase()]),
    'names.definitions': ({ symbol }) => ({
      symbol,
      definitions: [definitionIn('/home/ada/shop/one.lisp', { name: 'ONE-1', kind: 'function', offset: 0, line: 1 })],
      total: 1,
    }),
  });
  await threeFiles();
  await press('Control+\\');
  await hasFocus(2);
  // A newly opened file appears in the group with the focus.
  await openFile('/home/ada/shop/one.lisp');
  await expect.poll(() => titles(2)).toEqual(['three.lisp', 'one.lisp']);
  await hasFocus(2);
  await press('Control+Home');
  await press('Alt+Enter');
  const value = (number: number) => group(number).query()?.querySelector('.inline-value')?.textContent ?? null;
  const definition = (number: number) => group(number).query()?.querySelector('[data-part="definition"]')?.textContent;
  await expect.poll(() => value(2)).toContain('ONE-1');
  expect(value(1)).toBeNull();
  await expect.poll(() => definition(2)).toBe('one-1');

  await press('Control+Shift+F6');
  await hasFocus(1);
  await press('Control+Home');
  await press('Alt+Enter');
  await expect.poll(() => value(1)).toContain('THREE-1');
  await expect.poll(() => definition(1)).toBe('three-1');
  expect(definition(2)).toBe('one-1');

  // A jump shows its target in the same group. Going back stays in the group too.
  await press('Control+End');
  await type('(one-1 5)');
  await press('ArrowLeft', 4);
  await press('F12');
  await isShown(1, 'one.lisp');
  await expect.element(status()).toMatchTextContent('Ln 1, Col 8');
  await press('Alt+ArrowLeft');
  await isShown(1, 'three.lisp');
  await isShown(2, 'one.lisp');

  // Going to a problem also stays in the group with the focus.
  await press('Control+End');
  await press('Enter');
  await navigator.clipboard.writeText('(car');
  await press('Control+v');
  await expect.poll(() => group(1).query()!.querySelectorAll('.squiggly-error').length).toBe(1);
  await press('Control+F6');
  await hasFocus(2);
  await press('F8');
  await isShown(2, 'three.lisp');
  await expect.element(status()).toMatchTextContent('Ln 122');
});

it('Groups are made to the right and below, resized, walked through and closed by keys and from the menus [issue 36.4]', async () => {
  await threeFiles();
  await editorRegion().getByRole('button', { name: 'Split right' }).click();
  await hasFocus(2);
  await press('Alt+Shift+\\');
  await hasFocus(3);
  await expect.poll(() => groups().elements().length).toBe(3);
  const edge = editorRegion().getByRole('separator', { name: 'Width of the group' });
  const width = () => group(1).element().getBoundingClientRect().width;
  const before = width();
  (edge.element() as HTMLElement).focus();
  await press('ArrowRight', 2);
  await expect.poll(width).toBeGreaterThan(before + 30);
  // When the palette is closed, the group that had the focus before gets it back.
  await press('Control+Shift+P');
  await type('Focus Next Group');
  await press('Enter');
  await hasFocus(1);
  await press('Control+Shift+F6');
  await hasFocus(3);
  await press('Control+Shift+W');
  await hasFocus(2);
  // The Emacs keys do the same.
  core.choose({ keymap: 'slime' });
  await press('Control+x');
  await press('2');
  await hasFocus(3);
  await press('Control+x');
  await press('o');
  await expect.element(page.getByRole('textbox', { name: 'REPL input' })).toHaveFocus();
  await press('Control+F6');
  await hasFocus(1);
  await press('Control+x');
  await press('1');
  await expect.poll(() => groups().elements().length).toBe(0);
  await press('Control+x');
  await press('3');
  await hasFocus(2);
  // Closing a group's last tab closes the group. The text stays open in the other group.
  await press('Control+x');
  await press('k');
  await expect.poll(() => groups().elements().length).toBe(0);
  await expect.poll(() => editorRegion().element().querySelectorAll('.monaco-editor.focused').length).toBe(1);
  expect(
    editorRegion()
      .getByRole('tab')
      .elements()
      .map((each) => /\w+\.lisp/.exec(each.textContent)?.[0]),
  ).toEqual(['one.lisp', 'two.lisp', 'three.lisp']);
});

it('A tab is moved to another group by its key and by dragging it, and shows there what it showed [issue 36.4]', async () => {
  // Hides the side columns, so that all tabs fit.
  await press('Control+b');
  await press('Control+Shift+l');
  await threeFiles();
  await press('Control+End');
  await expect.element(editorRegion().getByText('three-120').first()).toBeVisible();
  await press('Control+Shift+PageDown');
  await hasFocus(2);
  await expect.poll(() => titles(1)).toEqual(['one.lisp', 'two.lisp']);
  await expect.poll(() => titles(2)).toEqual(['three.lisp']);
  await expect.element(group(2).getByText('three-120').first()).toBeVisible();
  await expect.element(status()).toMatchTextContent('Ln 121');
  await userEvent.dragAndDrop(tabs(1).filter({ hasText: 'one.lisp' }), tabs(2).first());
  await expect.poll(() => titles(2)).toEqual(['one.lisp', 'three.lisp']);
  await expect.poll(() => titles(1)).toEqual(['two.lisp']);
});

it('A split editor and an open result have no faults that axe finds, in both themes [D17, issue 36.4]', async () => {
  const values = `(${Array.from({ length: 100 }, (_, n) => `(${n} ${n * n})`).join('\n ')})`;
  answer({ 'repl.evaluate': ({ evaluation }) => reportOf(evaluation, [values]) });
  await openOnDisk(disk, 'squares.lisp', '¦(loop for n below 100 collect (list n (* n n)))\n');
  await press('Control+Enter');
  await expect
    .poll(() => editorRegion().element().querySelector('.inline-value')?.textContent)
    .toMatch(/=>\s\(\(0\s0\)/);
  await press('Control+\\');
  await hasFocus(2);
  await press('Control+Alt+Enter');
  await expect.element(group(2).getByRole('document')).toMatchTextContent('(99 9801)');
  expect(await faults()).toEqual([]);
});
