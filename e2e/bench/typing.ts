/**
 * The editor in use, with 30,000 symbols in the image. Measures the time from a key press to the painted text, both while the image is idle
 * and while it prints 100 MB, and the time until completions and the lambda list appear.
 */
import path from 'node:path';
import type { Page } from '@playwright/test';
import { evaluate, keys, openText, type Shown, untilGone, untilShown } from './editor.ts';
import { compare, type Comparison } from './harness/measure.ts';
import type { Bench } from './harness/setup.ts';
import { openWindow } from './harness/window.ts';

const SYMBOLS = 30_000;
const SAMPLES = 60;
const COMPLETIONS = '.suggest-widget .monaco-list-row';
/** Delays, in milliseconds, that a person does not notice. The goal of each row is its bound. */
const BOUNDS = { key: 50, completion: 50, lambdaList: 30 };
/** Milliseconds for which the editor delays a request, so that it does not send one at each key. */
const OWN_DELAY = { completion: 10 };

export async function typing({ scope, say }: Bench): Promise<Comparison[]> {
  const { app, page, project } = await openWindow(scope);
  const file = path.join(project, 'typed.lisp');
  const lines = Array.from(
    { length: 4_000 },
    (_, index) => `(defun f-${index} (x)\n  "Of ${index}."\n  (list x ${index}))`,
  );
  await openText(app, page, file, `${lines.join('\n')}\n`);
  await evaluate(
    page,
    `(dotimes (i ${SYMBOLS}) (let ((s (intern (format nil "SYMBOL-~A" i)))) (setf (symbol-value s) i)))`,
  );
  await evaluate(page, `(load ${JSON.stringify(file)})`);
  say(`  ${SYMBOLS.toLocaleString('en')} symbols and 4,000 functions are in the image`);
  // Once the core has answered this call, the window has all definitions that the image has reported.
  await page.evaluate(() =>
    window.workbench.call('names.complete', { prefix: 'f-', package: null, text: null, offset: null, limit: 1 }),
  );
  const idle = await keys(page, SAMPLES);
  const completion = await lastKey(page, 'symbol-12', { selector: COMPLETIONS });
  const lambdaList = await lastKey(page, '(f-77 ', { selector: '.parameter-hints-widget', text: 'x' });
  await evaluate(
    page,
    '(dotimes (i 1600000) (format t "line ~7,\'0d of a flood that fills sixty-four columns~%" i))',
    false,
  );
  const flooded = await keys(page, SAMPLES);
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

/** Returns the milliseconds from the last key of a text until the element that this key opens appears. */
async function lastKey(page: Page, text: string, shown: Shown): Promise<number[]> {
  const taken: number[] = [];
  for (let index = 0; index < SAMPLES / 2; index += 1) {
    await page.keyboard.press('Enter');
    await page.keyboard.type(text.slice(0, -1));
    // The text that was typed before opens a completion list automatically. The list is closed before the measurement.
    await page.locator(COMPLETIONS).first().waitFor();
    await page.keyboard.press('Escape');
    await untilGone(page, COMPLETIONS);
    const last = text.at(-1) === ' ' ? 'Space' : text.at(-1)!;
    taken.push(await untilShown(page, () => page.keyboard.press(last), shown));
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
  }
  return taken;
}
