/**
 * Files in the editor: a single key switches to each open text, and no text is lost when other programs write files or when texts are
 * closed.
 */
import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { type Disk, openDisk, openOnDisk, tabs } from '../../disk.fixture.ts';
import { editorRegion, region, shownText } from '../../text.fixture.ts';
import { answer, openWholeWindow, press, type, type FakeCore } from '../../window.fixture.tsx';
import { openFile } from './files.ts';

let core: FakeCore;
let disk: Disk;

beforeEach(async () => {
  core = await openWholeWindow();
  disk = openDisk(core);
});

const selected = () => page.getByRole('tablist', { name: 'Open files' }).getByRole('tab', { selected: true });
const unsaved = () => tabs().filter({ hasText: 'not saved' });
const question = () => page.getByRole('alertdialog');
const status = () => region('Status bar');

it('Tabs of one name tell their folders, and keys go to the text before and to the neighbours [B17, issue 36.4]', async () => {
  await openOnDisk(disk, 'shop/api.lisp', '; shop\n');
  await openOnDisk(disk, 'cart/api.lisp', '; cart\n');
  await openOnDisk(disk, 'other.lisp', '; other\n');
  await expect.element(page.getByRole('tab', { name: /api\.lisp shop/ })).toBeVisible();
  await expect.element(page.getByRole('tab', { name: /api\.lisp cart/ })).toBeVisible();
  const steps: [keys: string, shown: string][] = [
    ['Control+PageUp', 'cart'],
    ['Control+PageUp', 'shop'],
    ['Control+Tab', 'cart'],
    ['Control+Tab', 'shop'],
  ];
  for (const [keys, shown] of steps) {
    await press(keys);
    await expect.element(selected()).toMatchTextContent(shown);
  }
  await userEvent.keyboard('{Control>}{Tab}{Tab}{/Control}');
  await expect.element(selected()).toMatchTextContent('other');
});

it('An unsaved text and the other text that its file got are compared line by line, in the bar and when it is saved [issue 36.4]', async () => {
  answer({
    'file.difference': () => ({
      hunks: [
        {
          lines: [
            { kind: 'added', text: '; mine', before: null, after: 1 },
            { kind: 'same', text: '(one)', before: 1, after: 2 },
            { kind: 'same', text: '(two)', before: 2, after: 3 },
            { kind: 'removed', text: '(three of theirs)', before: 3, after: null },
            { kind: 'added', text: '(three)', before: null, after: 4 },
          ],
        },
      ],
      why: null,
    }),
  });
  await openOnDisk(disk, 'both.lisp', '¦(one)\n(two)\n(three)\n');
  await type('; mine\n');
  disk.write('both.lisp', '(one)\n(two)\n(three of theirs)\n');
  await page.getByRole('button', { name: 'Compare…' }).click();
  const lines = page.getByRole('group', { name: 'Difference between the file on disk and your text' });
  await expect.element(lines).toMatchTextContent('added: ; mine');
  await expect.element(lines).toMatchTextContent('removed: (three of theirs)');
  expect(core.calls.findLast(({ name }) => name === 'file.difference')?.input).toEqual({
    path: '/home/ada/shop/both.lisp',
    text: '; mine\n(one)\n(two)\n(three)\n',
    encoding: 'utf-8',
  });
  await question().getByRole('button', { name: 'Keep mine' }).click();
  await expect.element(page.getByRole('button', { name: 'Compare…' })).not.toBeInTheDocument();
  await press('Control+s');
  await expect.element(lines).toMatchTextContent('removed: (three of theirs)');
  expect(disk.read('both.lisp')).toBe('(one)\n(two)\n(three of theirs)\n');
  await page.getByRole('button', { name: 'Overwrite' }).click();
  await expect.poll(() => disk.read('both.lisp')).toBe('; mine\n(one)\n(two)\n(three)\n');
});

it('Where the unsaved text and its file have become the same there is nothing to decide [issue 36.4]', async () => {
  await openOnDisk(disk, 'both.lisp', '¦(one)\n');
  await type('; same\n');
  await expect.poll(() => unsaved().elements().length).toBe(1);
  disk.write('both.lisp', '; same\n(one)\n');
  await expect.poll(() => unsaved().elements().length).toBe(0);
  await expect.element(page.getByRole('button', { name: 'Compare…' })).not.toBeInTheDocument();
  await type('; unsaved\n');
  disk.write('both.lisp', '; theirs\n');
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await page.getByRole('region', { name: 'Editor', exact: true }).getByText('; unsaved').click();
  await press('Control+a');
  await type('; theirs\n');
  await press('Control+s');
  await expect.poll(() => unsaved().elements().length).toBe(0);
  await expect.element(question()).not.toBeInTheDocument();
});

it('A file that somebody else removes is told at once, and its text is not lost [B14, issue 36.4]', async () => {
  await openOnDisk(disk, 'gone.lisp', '; all there is\n');
  disk.remove('gone.lisp');
  await expect.element(page.getByText('gone.lisp no longer exists on disk. Its text exists only here.')).toBeVisible();
  await press('Control+w');
  await expect.element(page.getByText('Save gone.lisp before closing?')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  disk.write('gone.lisp', '; back\n');
  await expect.poll(shownText).toBe('; back\n');
});

it('What others write into open files leaves the caret where it was, is undone by itself, and takes problems away that it mends [B14, issue 36.4]', async () => {
  const problems = status().getByRole('button', { name: /problem/i });
  await openOnDisk(disk, 'broken.lisp', '(defun broken (x)\n  (list x\n');
  await expect.element(problems).toBeVisible();
  const lines = Array.from({ length: 80 }, (_, line) => `(defun f-${line} () ${line})`);
  await openOnDisk(disk, 'shared.lisp', `${lines.join('\n')}\n`.replace('(defun f-39', '(¦defun f-39'));
  disk.write('broken.lisp', '(defun broken (x)\n  (list x))\n');
  await expect.element(problems).not.toBeInTheDocument();
  await expect.element(status()).toMatchTextContent('Ln 40, Col 2');
  disk.write('shared.lisp', ['; theirs', ...lines.slice(0, 60), '; theirs as well', ...lines.slice(60), ''].join('\n'));
  await expect.element(status()).toMatchTextContent('Ln 41, Col 2');
  // Undoing the reload restores the text as it was before, including the typed part.
  await type('mine');
  disk.write('shared.lisp', '; all theirs\n');
  await page.getByRole('button', { name: 'Reload from disk' }).click();
  await expect.poll(shownText).toBe('; all theirs\n');
  await editorRegion().getByText('; all theirs').click();
  await press('Control+z');
  await expect.poll(shownText).toContain('(minedefun f-39 () 39)');
});

it('Of all files that are saved at once, one that cannot be written and one that is cancelled keep no other unsaved [B14, issue 36.4]', async () => {
  for (const name of ['refused', 'removed', 'saved']) {
    await openOnDisk(disk, `${name}.lisp`, '¦; theirs\n');
    await type('; mine ');
  }
  const { save } = disk;
  answer({
    'file.save': (request) => {
      if (request.path.endsWith('refused.lisp')) throw new Error('/home/ada/shop/refused.lisp is read-only.');
      return save(request);
    },
  });
  disk.remove('removed.lisp');
  await expect.poll(() => unsaved().elements().length).toBe(3);
  await press('Control+Alt+s');
  await question().getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(() => disk.read('saved.lisp')).toBe('; mine ; theirs\n');
  await expect.element(page.getByText(/refused\.lisp is read-only/)).toBeVisible();
  expect(disk.read('refused.lisp')).toBe('; theirs\n');
  await expect.poll(() => unsaved().elements().length).toBe(2);
});

it('A question has the keys: commands do nothing behind it, and a click on a tab leads into its text [issue 36.4]', async () => {
  await openOnDisk(disk, 'first.lisp', '(first)\n');
  await openOnDisk(disk, 'second.lisp', '(second)\n');
  await tabs().filter({ hasText: 'first.lisp' }).click();
  await press('Control+Home');
  await type(';');
  await press('Control+w');
  await expect.element(question()).toMatchTextContent('Save first.lisp before closing?');
  for (const keys of ['Control+s', 'Control+n', 'Control+w']) await press(keys);
  await expect.element(question()).toBeVisible();
  await press('Escape');
  await expect.element(question()).not.toBeInTheDocument();
  expect(disk.read('first.lisp')).toBe('(first)\n');
  await expect.element(selected()).toMatchTextContent('first.lisp');
  await expect.element(page.getByRole('tab', { name: /untitled/i })).not.toBeInTheDocument();
  await press('Control+s');
  await expect.poll(() => disk.read('first.lisp')).toBe(';(first)\n');
});

it('All tabs of a group are closed at once, or all but one, and unsaved texts are asked about [issue 36.4]', async () => {
  for (const name of ['one', 'two', 'three']) {
    await openOnDisk(disk, `${name}.lisp`, `¦; ${name}\n`);
    if (name !== 'three') await type(';');
  }
  const count = () => tabs().elements().length;
  await tabs().filter({ hasText: 'two.lisp' }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Close Others' }).click();
  await expect.element(question()).toMatchTextContent('Save one.lisp before closing?');
  await question().getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(count).toBe(3);
  await tabs().filter({ hasText: 'three.lisp' }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Close Others' }).click();
  await expect.element(question()).toMatchTextContent('Save 2 texts before closing?');
  await expect.element(question()).toMatchTextContent('one.lisp, two.lisp');
  await question().getByRole('button', { name: 'Save all' }).click();
  await expect.poll(count).toBe(1);
  await expect.element(tabs()).toMatchTextContent('three.lisp');
  expect(['one', 'two', 'three'].map((name) => disk.read(`${name}.lisp`))).toEqual([
    ';; one\n',
    ';; two\n',
    '; three\n',
  ]);
  await type(';');
  await openFile('/home/ada/shop/one.lisp');
  await expect.poll(count).toBe(2);
  await press('Control+Shift+P');
  await type('Close All');
  await press('Enter');
  await expect.element(question()).toMatchTextContent('Save three.lisp before closing?');
  await question().getByRole('button', { name: 'Discard' }).click();
  await expect.poll(count).toBe(0);
  expect(disk.read('three.lisp')).toBe('; three\n');
});

it('A text that is saved again while its file is still being written is not taken for changed by somebody else [D1, D18, issue 36.4]', async () => {
  await openOnDisk(disk, 'typed.lisp', '¦(a)\n');
  const { save } = disk;
  const written: (() => void)[] = [];
  answer({
    'file.save': async (request) => {
      const saved = save(request);
      await new Promise<void>((resolve) => written.push(resolve));
      return saved;
    },
  });
  for (const char of ['1', '2', '3', '4']) {
    await type(char);
    await press('Control+s', 3);
  }
  // Each save waits until the previous one has finished, even after many requests.
  await expect
    .poll(() => {
      written.shift()?.();
      return disk.read('typed.lisp');
    })
    .toBe('1234(a)\n');
  await expect
    .poll(() => {
      written.shift()?.();
      return unsaved().elements().length;
    })
    .toBe(0);
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
});
