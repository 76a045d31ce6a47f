/**
 * The memory after a typical hour of a person's work, performed without pauses: evaluations, output, errors, completions, jumps,
 * inspections, saves.
 */
import path from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import { evaluate, openText } from './editor.ts';
import { compare, type Comparison } from './harness/measure.ts';
import { residentSize } from './memory.ts';
import type { Bench } from './harness/setup.ts';
import { openWindow } from './harness/window.ts';

const MINUTES = 60;
const EVALUATIONS_A_MINUTE = 10;
/** The allowed growth factor. It is above 1 because the program stores some data on purpose: transcript, history, opened texts. */
const GOAL = 1.5;

export async function hour({ scope, say }: Bench): Promise<Comparison[]> {
  const { app, page, project } = await openWindow(scope);
  const file = path.join(project, 'hour.lisp');
  const lines = Array.from({ length: 500 }, (_, index) => `(defun f-${index} (x)\n  (list x ${index}))`);
  await openText(app, page, file, `${lines.join('\n')}\n`);
  await evaluate(page, `(load ${JSON.stringify(file)})`);
  await minute(page, 0);
  const before = await sizes(app, page);
  for (let index = 1; index <= MINUTES; index += 1) {
    await minute(page, index);
    if (index % 15 === 0) say(`  ${index} minutes of use`);
  }
  const after = await sizes(app, page);
  return (['main process', 'page', 'image'] as const).map((name) =>
    compare(`memory of the ${name} after an hour's use / before`, [after[name]], [before[name]], GOAL, 'octets'),
  );
}

/** Uses each of the functions that a person uses often, as much as in a minute of work. */
async function minute(page: Page, index: number): Promise<void> {
  for (let turn = 0; turn < EVALUATIONS_A_MINUTE; turn += 1)
    await evaluate(
      page,
      `(progn (print ${index}) (loop repeat 100 collect (make-string ${turn} :initial-element #\\x)))`,
    );
  await evaluate(page, '(dotimes (i 10000) (format t "line ~7,\'0d of some output that nobody reads to its end~%" i))');
  await page.keyboard.press('Control+1');
  await page.keyboard.press('Control+End');
  await page.keyboard.type(`(defun typed-${index} (x)\n(f-1 x)`);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Alt+Enter');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Control+Shift+I');
  await page.keyboard.press('Escape');
  await page.keyboard.press('F12');
  await page.keyboard.press('Alt+ArrowLeft');
  await page.keyboard.press('Control+s');
  await failed(page);
  await page.keyboard.press('Control+`');
  await page.getByRole('textbox', { name: 'REPL input' }).click();
  await page.keyboard.insertText(`(make-array 1000 :initial-element ${index})`);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+i');
  await page.locator('[data-region="Inspector"] [role="treeitem"]').first().waitFor();
}

/** Evaluates a form that stops in the debugger with an error, and aborts the evaluation. */
async function failed(page: Page): Promise<void> {
  await evaluate(page, '(car 1)', false);
  await page.getByRole('tab', { name: 'Debugger 1 open' }).waitFor();
  await page.keyboard.press('Control+Shift+G');
  await page.locator('[data-region="Debugger"] [role="listbox"][aria-label="Frames"]:focus').waitFor();
  await page.keyboard.press('q');
  await page.getByRole('tab', { name: 'Debugger', exact: true }).waitFor();
}

/** Returns the memory of the three processes in octets, after each has collected its garbage. */
async function sizes(app: ElectronApplication, page: Page): Promise<Record<'main process' | 'page' | 'image', number>> {
  await evaluate(page, '(sb-ext:gc :full t)');
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('HeapProfiler.collectGarbage');
  await devtools.detach();
  await app.evaluate(() => {
    process.getBuiltinModule('node:v8').setFlagsFromString('--expose-gc');
    (process.getBuiltinModule('node:vm').runInNewContext('gc') as () => void)();
  });
  const renderer = await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]!.webContents.getOSProcessId(),
  );
  const { pid } = await page.evaluate(async () => (await window.workbench.call('app.snapshot', {})).session);
  return {
    'main process': await residentSize(app.process().pid!),
    page: await residentSize(renderer),
    image: await residentSize(pid!),
  };
}
