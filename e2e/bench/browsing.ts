/**
 * The time that browsing a large image takes: the graph of 2,000 classes, apropos among their accessors, and filtering 100,000 definitions.
 */
import { evaluate, untilShown } from './editor.ts';
import { compare, type Comparison } from './harness/measure.ts';
import type { Bench } from './harness/setup.ts';
import { openWindow } from './harness/window.ts';

const CLASSES = 2_000;
const DEFINITIONS = 100_000;
const SAMPLES = 15;
/** The maximum milliseconds for each step; an answer within this time feels immediate. */
const BOUNDS = { graph: 1_000, move: 100, apropos: 300, filter: 200 };

export async function browsing({ scope }: Bench): Promise<Comparison[]> {
  const { page } = await openWindow(scope);
  // A hierarchy with about ten levels, in which every fifth class has a second superclass.
  await evaluate(
    page,
    `(progn (defclass node-0 () ()) (loop for i from 1 below ${CLASSES} do (eval (list 'defclass (intern (format nil "NODE-~D" i)) (remove-duplicates (list (intern (format nil "NODE-~D" (floor i 2))) (intern (format nil "NODE-~D" (if (zerop (mod i 5)) (floor i 3) (floor i 2)))))) (list (list (intern (format nil "SLOT-~D" i)) :accessor (intern (format nil "VALUE-OF-~D" i))))))))`,
  );
  const box = '[role="tree"][aria-label="Graph of classes"] [role="treeitem"]';
  const chosen = `${box}[aria-selected="true"]`;
  const [graph, move, apropos]: [number[], number[], number[]] = [[], [], []];
  for (let index = 0; index < SAMPLES; index += 1) {
    await page.keyboard.press('Control+2');
    await page.getByRole('tab', { name: 'Classes' }).click();
    if (index === 0) await page.getByText('Graph', { exact: true }).click();
    await page.locator(box).first().waitFor();
    await page.getByRole('tab', { name: 'Apropos' }).click();
    await page.getByRole('tab', { name: 'Classes' }).focus();
    graph.push(await untilShown(page, () => page.keyboard.press('Enter'), { selector: box, text: 'node-' }));
    // Moves from the first to the last of the lowest classes of the first branch, which are in one column.
    await page.getByRole('tree', { name: 'Graph of classes' }).focus();
    for (let depth = 0; depth < 8; depth += 1) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('End');
    const last = await page.locator(chosen).innerText();
    await page.keyboard.press('Home');
    await page.locator(chosen).filter({ hasNotText: last }).waitFor();
    move.push(await untilShown(page, () => page.keyboard.press('End'), { selector: chosen, text: last }));
    await page.getByRole('tab', { name: 'Apropos' }).click();
    const name = `value-of-${100 + index}`;
    // With the extra character no symbol matches; after the character is deleted, the symbol is shown.
    await page.getByRole('searchbox', { name: 'Symbols whose name contains' }).fill(`${name}x`);
    await page.getByText('No defined symbol').waitFor();
    apropos.push(
      await untilShown(page, () => page.keyboard.press('Backspace'), {
        selector: '[aria-label="Found symbols"] [role="treeitem"]',
        text: name,
      }),
    );
  }
  const filter = await filtered();
  const bound = (most: number): number[] => [most];
  return [
    compare('key to the graph of 2,000 classes / 1 s', graph, bound(BOUNDS.graph), 1),
    compare('key to another class of it / 100 ms', move, bound(BOUNDS.move), 1),
    compare('key to the symbols of apropos / 300 ms', apropos, bound(BOUNDS.apropos), 1),
    compare('key to the filter of 100,000 definitions / 200 ms', filter, bound(BOUNDS.filter), 1),
  ];

  async function filtered(): Promise<number[]> {
    await evaluate(
      page,
      `(let ((*package* (make-package :many :use '(:cl)))) (loop for i below ${DEFINITIONS} do (setf (symbol-value (intern (format nil "*MANY-~D*" i))) i) (proclaim (list 'special (intern (format nil "*MANY-~D*" i))))))`,
    );
    const taken: number[] = [];
    const selector = '[data-region="Definitions"] [role="treeitem"]';
    const field = page.getByRole('searchbox', { name: 'Definitions filter' });
    for (let index = 0; index < SAMPLES; index += 1) {
      const name = `*many-${10_000 + index * 6_007}*`;
      await field.fill(`${name}x`);
      await page.locator(selector).filter({ hasText: name }).waitFor({ state: 'detached' });
      taken.push(await untilShown(page, () => page.keyboard.press('Backspace'), { selector, text: name }));
    }
    return taken;
  }
}
