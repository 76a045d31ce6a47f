/** Expanding macros step by step in the editor. */
import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { type Disk, openDisk, openOnDisk } from '../../disk.fixture.ts';
import { editorRegion, placeCaret, shownText } from '../../text.fixture.ts';
import { answer, openWholeWindow, press, type, type FakeCore } from '../../window.fixture.tsx';

let core: FakeCore;
let disk: Disk;

beforeEach(async () => {
  core = await openWholeWindow();
  disk = openDisk(core);
});

const bar = () => editorRegion().getByRole('group', { name: 'Expansion' });
const tab = (name: RegExp) => page.getByRole('tab', { name, selected: true });
const text = (): string => shownText().replaceAll(/\s+/g, ' ').trim();
const asked = () => core.calls.findLast(({ name }) => name === 'names.expand')?.input;

/** Answers requests to expand a form, or the part of the form at a path. Each answer is the whole new text. */
function expands(
  steps: readonly (readonly [form: string, path: number[] | null, whole: string, part?: string])[],
): void {
  answer({
    'names.expand': ({ form, path }) => {
      const step = steps.find(
        ([from, at]) => from === form.replaceAll(/\s+/g, ' ') && JSON.stringify(at) === JSON.stringify(path),
      );
      if (!step) return { text: form, start: 0, end: form.length, changed: false, cut: 0 };
      const [, , whole, part = whole] = step;
      const start = whole.indexOf(part);
      return { text: whole, start, end: start + part.length, changed: true, cut: 0 };
    },
  });
}

it('A macro is expanded as a text of its own, further forms in their place, and each step is taken back [issue 36.4]', async () => {
  const whole = '(progn (when x (twice (print x))) (when x (twice (print x))))';
  const once = '(progn (if x (twice (print x))) (when x (twice (print x))))';
  const inIt = '(progn (if x (progn (print x) (print x))) (when x (twice (print x))))';
  expands([
    ['(twice (setf *x* 1))', null, '(progn (setf *x* 1) (setf *x* 1))'],
    ['(twice (when x (twice (print x))))', null, whole],
    [whole, [1], once, '(if x (twice (print x)))'],
    [once, [1], inIt, '(if x (progn (print x) (print x)))'],
    ['(when x (twice (print x)))', null, '(if x (progn (print x) (print x)))'],
  ]);
  // The form at the caret of the REPL can also be expanded.
  const input = page.getByRole('textbox', { name: 'REPL input' });
  await input.click();
  await type('(twice (setf *x* 1');
  await press('Home');
  await press('Control+Alt+m');
  await expect.element(tab(/expansion of twice/)).toBeVisible();
  await expect.poll(text).toBe('(progn (setf *x* 1) (setf *x* 1))');
  await press('Control+w');
  await input.fill('');
  const file = '(in-package #:cl-user)\n\n(defun f (x)\n  (twice (when x (twice (print x)))))\n';
  await openOnDisk(disk, 'macros.lisp', file.replace('(twice (when', '(tw¦ice (when'));
  await press('Control+Alt+m');
  await expect.element(tab(/expansion of twice/)).toBeVisible();
  await expect.element(bar()).toMatchTextContent('Expansion in CL-USER');
  await expect.poll(text).toBe(whole);

  // Expands the first of the two forms in place, and then the form inside it.
  await placeCaret(whole.replace('(when', '¦(when'));
  await press('Control+Alt+m');
  await expect.poll(text).toBe(once);
  expect(asked()).toMatchObject({ path: [1], mode: 'once', package: 'CL-USER', repl: 'person' });
  await bar().getByRole('button', { name: 'Expand all macros in form' }).click();
  await expect.poll(text).toBe(inIt);
  expect(asked()).toMatchObject({ path: [1], mode: 'fully' });
  await expect.element(bar()).toMatchTextContent('3 steps');
  await press('Control+Alt+Backspace');
  await expect.poll(text).toBe(once);
  await bar().getByRole('button', { name: 'Undo' }).click();
  await expect.poll(text).toBe(whole);

  // Closing the expansion returns to the form. An inner form can be expanded on its own.
  await press('Control+w');
  // The text that is shown next gets the focus.
  await expect.poll(() => editorRegion().element().querySelectorAll('.monaco-editor.focused').length).toBe(1);
  await expect.element(tab(/macros\.lisp/)).toBeVisible();
  await placeCaret(file.replace('(when', '(wh¦en'));
  await press('Control+Alt+Shift+M');
  await expect.element(tab(/expansion of when/)).toBeVisible();
  await expect.poll(text).toBe('(if x (progn (print x) (print x)))');
});

it('A form that is no macro call, and a macro that fails, say so [issue 36.4]', async () => {
  answer({
    'names.expand': ({ form }) => {
      if (form === '(bad 7)') throw new Error('No 7 here.');
      return { text: form, start: 0, end: form.length, changed: false, cut: 0 };
    },
  });
  await openOnDisk(disk, 'macros.lisp', '(l¦ist 1 2)\n(bad 7)\n');
  await press('Control+Alt+m');
  await expect.element(page.getByText('This form is not a macro call.')).toBeVisible();
  await placeCaret('(list 1 2)\n(b¦ad 7)\n');
  await press('Control+Alt+m');
  await expect.element(page.getByText(/No 7 here/).first()).toBeVisible();
  await expect.element(page.getByRole('tab', { name: /expansion/ })).not.toBeInTheDocument();
});
