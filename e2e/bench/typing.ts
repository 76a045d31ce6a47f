/**
 * The editor under a person's hands: from a key to the painted text at rest and while 100 MB are printed, to completions and to the lambda
 * list, with 30,000 symbols in the image.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import { compare, type Comparison } from './measure.ts';
import type { Bench } from './setup.ts';
import { openWindow } from './window.ts';

const SYMBOLS = 30_000;
const SAMPLES = 60;
/** Milliseconds that a person does not notice; each row's goal is its own bound. */
const BOUNDS = { key: 50, completion: 50, lambdaList: 30 };
/** Milliseconds for which the editor waits by itself before it asks, so that it does not ask at each key. */
const OWN_DELAY = { completion: 30 };

export async function typing({ scope, say }: Bench): Promise<Comparison[]> {
  const { app, page, project } = await openWindow(scope);
  const file = path.join(project, 'typed.lisp');
  const lines = Array.from(
    { length: 4_000 },
    (_, index) => `(defun f-${index} (x)\n  "Of ${index}."\n  (list x ${index}))`,
  );
  await writeFile(file, `${lines.join('\n')}\n`);
  await open(app, page, file);
  await evaluate(
    page,
    `(dotimes (i ${SYMBOLS}) (let ((s (intern (format nil "SYMBOL-~A" i)))) (setf (symbol-value s) i)))`,
  );
  await evaluate(page, `(load ${JSON.stringify(file)})`);
  say(`  ${SYMBOLS.toLocaleString('en')} symbols and 4,000 functions are in the image`);
  // The window has all definitions, and the image has told of them, once this is answered.
  await page.evaluate(() =>
    window.workbench.call('names.complete', { prefix: 'f-', package: null, text: null, offset: null, limit: 1 }),
  );
  const idle = await keys(page);
  const completion = await untilShown(page, 'symbol-12', '.suggest-widget .monaco-list-row');
  const lambdaList = await untilShown(page, '(f-77 ', '.parameter-hints-widget.visible');
  await evaluate(
    page,
    '(dotimes (i 1600000) (format t "line ~7,\'0d of a flood that fills sixty-four columns~%" i))',
    false,
  );
  const flooded = await keys(page);
  const floor = (bound: number): number[] => [bound];
  return [
    compare('key to painted text, 12,000 lines / 50 ms', idle, floor(BOUNDS.key), 1),
    compare('  while 100 MB are printed', flooded, floor(BOUNDS.key), 1),
    compare(
      'key to completions, 30,000 symbols / 50 ms',
      completion,
      floor(BOUNDS.completion + OWN_DELAY.completion),
      1,
    ),
    compare('key to the lambda list / 30 ms', lambdaList, floor(BOUNDS.lambdaList), 1),
  ];
}

async function open(app: ElectronApplication, page: Page, file: string): Promise<void> {
  await app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [chosen] });
  }, file);
  await page.keyboard.press('Control+o');
  await page.getByRole('tab', { name: /typed\.lisp/ }).waitFor();
  await page.locator('[data-region="Editor"] .monaco-editor').first().click();
  await page.keyboard.press('Control+End');
}

async function evaluate(page: Page, code: string, waits = true): Promise<void> {
  const evaluation = `bench-${Math.random()}`;
  const done = page.evaluate(
    ({ code, evaluation }) =>
      window.workbench.call('repl.evaluate', { evaluation, code, package: null, origin: 'repl', source: null }),
    { code, evaluation },
  );
  if (waits) await done;
  else done.catch(() => {}); // it is still printing when the program is closed
}

/** Milliseconds from each key to the frame in which its text is painted. */
async function keys(page: Page): Promise<number[]> {
  await page.evaluate(() => {
    const taken: number[] = [];
    Object.assign(window, { benchKeys: taken });
    window.addEventListener(
      'keydown',
      () => {
        const pressed = performance.now();
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.addEventListener('message', () => taken.push(performance.now() - pressed), { once: true });
          port1.start();
          port2.postMessage(0);
        });
      },
      true,
    );
  });
  await page.keyboard.press('Control+End');
  for (let index = 0; index < SAMPLES; index += 1) await page.keyboard.press(index % 20 === 19 ? 'Enter' : 'a');
  await page.keyboard.press('Control+z');
  return page.evaluate(() => (window as unknown as { benchKeys: number[] }).benchKeys.slice(-50));
}

/** Milliseconds from the last key of a text to what it brings up. */
async function untilShown(page: Page, text: string, selector: string): Promise<number[]> {
  const taken: number[] = [];
  for (let index = 0; index < SAMPLES / 2; index += 1) {
    await page.keyboard.press('Enter');
    await page.keyboard.type(text.slice(0, -1));
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.waitForFunction(
      (shown) => ![...document.querySelectorAll(shown)].some((each) => each.checkVisibility()),
      selector,
    );
    await page.evaluate((wanted) => {
      const isShown = (): boolean => [...document.querySelectorAll(wanted)].some((each) => each.checkVisibility());
      const shown = new Promise<number>((resolve, reject) => {
        const measured = (): void => {
          const pressed = performance.now();
          const look = (): void => {
            const taken = performance.now() - pressed;
            if (isShown()) resolve(taken);
            else if (taken > 10_000) reject(new Error(`Nothing came up that is ${wanted}.`));
            else requestAnimationFrame(look);
          };
          requestAnimationFrame(look);
        };
        window.addEventListener('keydown', measured, { capture: true, once: true });
      });
      Object.assign(window, { benchShown: shown });
    }, selector);
    await page.keyboard.press(text.at(-1) === ' ' ? 'Space' : text.at(-1)!);
    taken.push(await page.evaluate(() => (window as unknown as { benchShown: Promise<number> }).benchShown));
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
  }
  return taken;
}
