/**
 * The time that tracing takes: from 100,000 calls until the last of them is shown, and for scrolling through the calls. Also measures the
 * memory that the page uses for the calls.
 */
import { evaluate, untilShown } from './editor.ts';
import { compare, type Comparison } from './harness/measure.ts';
import type { Bench } from './harness/setup.ts';
import { openWindow } from './harness/window.ts';

const CALLS = 100_000;
const SAMPLES = 5;
const SCROLLS = 30;
/** The maximum for each figure: megabytes for `heap`, milliseconds for the others. */
const BOUNDS = { shown: 3_000, key: 100, filter: 500, heap: 200 };

export async function trace({ scope }: Bench): Promise<Comparison[]> {
  const { page } = await openWindow(scope);
  await evaluate(
    page,
    '(progn (defun leaf (n) n) (defun calls (n last) (dotimes (i n) (leaf i)) (leaf (list :last last))))',
  );
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.insertText('trace: focus');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Name of a function to trace' }).fill('leaf');
  await page.keyboard.press('Enter');
  await page.getByRole('checkbox', { name: 'leaf', exact: true }).waitFor();
  const devtools = await page.context().newCDPSession(page);
  const heap = async (): Promise<number> => {
    await devtools.send('HeapProfiler.collectGarbage');
    return (await devtools.send('Runtime.getHeapUsage')).usedSize / 1024 / 1024;
  };
  const before = await heap();
  const row = '[aria-label="Traced calls"] [role="treeitem"]';
  const [shown, key, filter]: [number[], number[], number[]] = [[], [], []];
  for (let index = 0; index < SAMPLES; index += 1) {
    if (index > 0) await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await evaluate(page, `(calls ${CALLS - 1} ${index})`);
    const made = performance.now();
    await page
      .locator(row)
      .filter({ hasText: `(:LAST ${index})` })
      .waitFor();
    shown.push(performance.now() - made);
  }
  const held = (await heap()) - before;
  const tree = page.getByRole('tree', { name: 'Traced calls' });
  await tree.focus();
  await page.keyboard.press('Home');
  for (let index = 0; index < SCROLLS; index += 1) {
    const far = index % 2 === 0 ? 'End' : 'Home';
    key.push(
      await untilShown(page, () => page.keyboard.press(far), {
        selector: `${row}[aria-selected="true"]`,
        text: far === 'End' ? '(:LAST' : 'worker',
      }),
    );
  }
  const field = page.getByRole('searchbox', { name: 'Filter calls' });
  for (let index = 0; index < SAMPLES; index += 1) {
    const text = `${70_000 + index * 5_003}`;
    await field.fill(`${text}x`);
    await page.getByText('No call has').waitFor();
    filter.push(await untilShown(page, () => page.keyboard.press('Backspace'), { selector: row, text }));
  }
  return [
    compare('100,000 traced calls made to the last one shown / 3 s', shown, [BOUNDS.shown], 1),
    compare('key to the other end of 100,000 calls / 100 ms', key, [BOUNDS.key], 1),
    compare('key to the filter of 100,000 calls / 500 ms', filter, [BOUNDS.filter], 1),
    compare('megabytes of the page for 100,000 calls / 200 MB', [held], [BOUNDS.heap], 1),
  ];
}
