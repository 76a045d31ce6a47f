/** The trace: a tree of calls with their values and callers, from recorded answers of an image. */
import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { playRecording } from '../../recording.fixture.ts';
import { evaluate, expectCount, focusOn, newText, runCommand } from '../../steps.fixture.ts';
import { region } from '../../text.fixture.ts';
import { type FakeCore, faults, openWholeWindow, press, type } from '../../window.fixture.tsx';
import recording from './tree.recording.jsonl?raw';

const PROGRAM = `(progn
  (defun fib (n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
  (defun jump (x) (throw :out x))
  (defgeneric area (shape))
  (defmethod area ((shape integer)) (* shape shape))
  (defmethod area ((shape ratio)) :ratio)
  :defined)`;

let core: FakeCore;

beforeEach(async () => {
  core = await openWholeWindow();
});

async function evaluateTo(code: string, value: string): Promise<void> {
  await page.getByRole('tab', { name: 'REPL' }).click();
  await evaluate(code);
  await expect
    .element(
      region('REPL')
        .getByRole('button', { name: `Inspect ${value}`, exact: true })
        .last(),
    )
    .toBeVisible();
}

it('Calls of traced functions are read as a tree, by thread, and lead to values, callers and definitions [D11]', async () => {
  playRecording(core, recording);
  const panel = region('Trace');
  await evaluateTo(PROGRAM, ':DEFINED');
  await runCommand('trace: focus');
  await expect.element(panel.getByText('Nothing is traced.')).toBeVisible();
  const field = panel.getByRole('textbox', { name: 'Name of a function to trace' });
  await expect.element(field).toHaveFocus();
  for (const name of ['fib', 'jump']) {
    await type(name);
    await press('Enter');
  }
  for (const name of ['fib', 'jump'])
    await expect.element(panel.getByRole('checkbox', { name, exact: true })).toBeChecked();
  await type('nothing-such');
  await press('Enter');
  await expect.element(page.getByText('nothing-such is not traced: There is no such name.')).toBeVisible();

  await evaluateTo('(list (fib 3) (catch :out (jump 7)))', '(2 7)');
  await runCommand('trace: focus');
  const tree = panel.getByRole('tree', { name: 'Traced calls' });
  await expectCount(tree.getByRole('treeitem'), 7);
  await expect.element(tree.getByRole('treeitem', { name: /^\(FIB 3\) → 2, / })).toHaveAttribute('aria-level', '2');
  await expect.element(tree.getByRole('treeitem', { name: /^\(FIB 0\) → 0, / })).toHaveAttribute('aria-level', '4');
  await expect.element(tree.getByRole('treeitem', { name: /^\(JUMP 7\) exited without a value, / })).toBeVisible();
  expect(await faults()).toEqual([]);

  // Keys collapse rows, open values, and go to a caller that the filter hides.
  await focusOn(tree);
  await press('ArrowDown');
  await press('ArrowLeft');
  await expectCount(tree.getByRole('treeitem'), 3);
  await press('ArrowRight');
  await press('Enter');
  await expect.element(region('Inspector').getByText('2', { exact: true }).first()).toBeVisible();
  await panel.getByRole('searchbox', { name: 'Filter calls' }).fill('jump');
  await expectCount(tree.getByRole('treeitem'), 2);
  await panel.getByRole('searchbox', { name: 'Filter calls' }).fill('fib 0');
  await expect.element(panel.getByText('No call has “fib 0” in its name, arguments or values.')).toBeVisible();
  await panel.getByRole('searchbox', { name: 'Filter calls' }).fill('');
  await tree.getByRole('treeitem', { name: /^\(FIB 0\)/ }).click();
  await press('Backspace');
  await expect.element(tree.getByRole('treeitem', { name: /^\(FIB 2\)/ })).toHaveAttribute('aria-selected', 'true');

  // A function whose trace is turned off stays listed, and its trace can be turned on again. While the whole trace is paused, calls are
  // only counted.
  await panel.getByRole('checkbox', { name: 'jump', exact: true }).click();
  await panel.getByRole('button', { name: 'Pause', exact: true }).click();
  await evaluateTo('(list :a (fib 1) (catch :out (jump 8)))', '(:A 1 8)');
  await runCommand('trace: focus');
  await expect.element(panel.getByRole('status')).toHaveTextContent('6 calls, paused: 1 missed');
  await panel.getByRole('button', { name: 'Pause', exact: true }).click();
  await panel.getByRole('button', { name: 'Clear' }).click();
  await expect.element(panel.getByText('No calls yet.')).toBeVisible();
  await runCommand('untrace all');
  await expect.element(panel.getByRole('checkbox', { name: 'fib', exact: true })).not.toBeChecked();
  await panel.getByRole('button', { name: 'Remove Unchecked' }).click();
  await expect.element(panel.getByRole('checkbox')).not.toBeInTheDocument();

  // If the caret is in a method's definition, the command traces only this method.
  await newText('(defmethod area ((shape integer)) (* shape shape))');
  await runCommand('trace or untrace the function or method');
  await expect.element(page.getByText(/^The method AREA \(INTEGER\) is traced\./)).toBeVisible();
  await evaluateTo('(list :b (area 3) (area 1/2))', '(:B 9 :RATIO)');
  await runCommand('trace: focus');
  await expectCount(tree.getByRole('treeitem'), 2);
  await expect.element(tree.getByRole('treeitem', { name: /^\(\(METHOD AREA \(INTEGER\)\) 3\) → 9/ })).toBeVisible();
});
