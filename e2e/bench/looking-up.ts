/** The response time of single-key requests to a running image: a hover, a definition in another file, a vector of a million elements. */
import path from 'node:path';
import { evaluate, openText, untilGone, untilShown } from './editor.ts';
import { compare, type Comparison } from './harness/measure.ts';
import type { Bench } from './harness/setup.ts';
import { openWindow } from './harness/window.ts';

const FUNCTIONS = 4_000;
const SAMPLES = 25;
const ELEMENTS = 1_000_000;
/** The maximum milliseconds for each request. */
const BOUNDS = { hover: 30, jump: 100, inspector: 100 };

export async function lookingUp({ scope }: Bench): Promise<Comparison[]> {
  const { app, page, project } = await openWindow(scope);
  const callees = path.join(project, 'callees.lisp');
  const defined = Array.from({ length: FUNCTIONS }, (_, index) => `(defun callee-${index} (x)\n  "Of ${index}."\n  x)`);
  await openText(app, page, callees, `${defined.join('\n')}\n`);
  await evaluate(page, `(load ${JSON.stringify(callees)})`);
  const called = Array.from({ length: SAMPLES }, (_, index) => index * 150 + 7);
  const calls = called.map((index) => `(callee-${index} 1)`);
  await openText(app, page, path.join(project, 'callers.lisp'), `${calls.join('\n')}\n`);
  const [hover, jump]: [number[], number[]] = [[], []];
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowRight');
  for (const index of called) {
    const popup = '.monaco-hover';
    hover.push(
      await untilShown(page, () => page.keyboard.press('Control+Shift+I'), { selector: popup, text: `Of ${index}.` }),
    );
    await page.keyboard.press('Escape');
    await untilGone(page, popup);
    jump.push(
      await untilShown(page, () => page.keyboard.press('F12'), {
        selector: '[data-region="Editor"] .view-line',
        text: `(defun callee-${index} `,
      }),
    );
    await page.keyboard.press('Alt+ArrowLeft');
    await page.getByRole('tab', { name: /callers\.lisp/, selected: true }).waitFor();
    await page.keyboard.press('ArrowDown');
  }
  const { opened, last } = await inspected();
  const bound = (most: number): number[] => [most];
  return [
    compare('key to the hover of a name / 30 ms', hover, bound(BOUNDS.hover), 1),
    compare('key to the definition in another file / 100 ms', jump, bound(BOUNDS.jump), 1),
    compare('key to the inspector of 1,000,000 elements / 100 ms', opened, bound(BOUNDS.inspector), 1),
    compare('  to its last element', last, bound(BOUNDS.inspector), 1),
  ];

  async function inspected(): Promise<{ opened: number[]; last: number[] }> {
    const [opened, last]: [number[], number[]] = [[], []];
    for (let index = 0; index < 10; index += 1) {
      const element = String(70_000 + index);
      await page.getByRole('textbox', { name: 'REPL input' }).click();
      await page.keyboard.insertText(`(make-array ${ELEMENTS} :initial-element ${element})`);
      await page.keyboard.press('Enter');
      await page.locator('[data-region="REPL"]').getByText(`#(${element} `).last().waitFor();
      const selector = '[data-region="Inspector"] [role="treeitem"]';
      opened.push(await untilShown(page, () => page.keyboard.press('Control+i'), { selector, text: element }));
      await page.locator('[data-region="Inspector"] [role="tree"]').focus();
      last.push(await untilShown(page, () => page.keyboard.press('End'), { selector, text: String(ELEMENTS - 1) }));
    }
    return { opened, last };
  }
}
