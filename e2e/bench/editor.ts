/** Real key presses in the editor of the running program, and the time until their effects are painted. */
import { writeFile } from 'node:fs/promises';
import type { ElectronApplication, Page } from '@playwright/test';

/**
 * Writes a text to a file and opens the file with the menu's command. The native dialog is replaced by a function that returns the file.
 * Afterwards the caret is at the end of the text.
 */
export async function openText(app: ElectronApplication, page: Page, file: string, text: string): Promise<void> {
  await writeFile(file, text);
  await app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [chosen] });
  }, file);
  await page.keyboard.press('Control+o');
  await page.getByRole('tab', { name: new RegExp(file.slice(file.lastIndexOf('/') + 1)) }).waitFor();
  await page.locator('[data-region="Editor"] .monaco-editor').first().click();
  await page.keyboard.press('Control+End');
}

/** Evaluates code as the REPL does. Without `waits`, returns while the code is still running. */
export async function evaluate(page: Page, code: string, waits = true): Promise<void> {
  const evaluation = `bench-${Math.random()}`;
  const done = page.evaluate(
    ({ code, evaluation }) =>
      window.workbench.call('repl.evaluate', { evaluation, code, package: null, origin: 'repl', source: null }),
    { code, evaluation },
  );
  if (waits) await done;
  else done.catch(() => {}); // the code is still printing when the program is closed, so the call fails
}

export interface Shown {
  /** Any visible element of this selector … */
  readonly selector: string;
  /** … that has this text; any text if omitted. */
  readonly text?: string;
}

/** Returns the milliseconds from the last key of `press` to the frame that shows its effect. */
export async function untilShown(page: Page, press: () => Promise<void>, wanted: Shown): Promise<number> {
  await page.evaluate(({ selector, text }) => {
    const isShown = (): boolean =>
      [...document.querySelectorAll(selector)].some(
        (each) =>
          each.checkVisibility({ visibilityProperty: true }) &&
          (text === undefined || each.textContent.replaceAll('\u00A0', ' ').includes(text)),
      );
    let look = 0;
    const shown = new Promise<number>((resolve, reject) => {
      const listener = ({ key }: KeyboardEvent): void => {
        if (['Control', 'Shift', 'Alt'].includes(key)) return;
        cancelAnimationFrame(look);
        const pressed = performance.now();
        // Checks after the frame's own work, as `keys` does, because an element that is inserted before or during the frame is painted in
        // that frame.
        const { port1, port2 } = new MessageChannel();
        const nextFrame = (): void => {
          look = requestAnimationFrame(() => port2.postMessage(0));
        };
        const afterFrame = (): void => {
          const taken = performance.now() - pressed;
          if (!isShown() && taken < 20_000) return nextFrame();
          port1.close();
          window.removeEventListener('keydown', listener, true);
          if (isShown()) resolve(taken);
          else reject(new Error(`Nothing came up that is ${selector} ${text ?? ''}`));
        };
        port1.addEventListener('message', afterFrame);
        port1.start();
        nextFrame();
      };
      window.addEventListener('keydown', listener, true);
    });
    Object.assign(window, { benchShown: shown });
  }, wanted);
  await press();
  return page.evaluate(() => (window as unknown as { benchShown: Promise<number> }).benchShown);
}

/** Waits until no element of a selector is visible. */
export async function untilGone(page: Page, selector: string): Promise<void> {
  await page.waitForFunction(
    (gone) => ![...document.querySelectorAll(gone)].some((each) => each.checkVisibility({ visibilityProperty: true })),
    selector,
  );
}

/** Returns the milliseconds from each key to the frame in which its text is painted. */
export async function keys(page: Page, samples: number): Promise<number[]> {
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
  for (let index = 0; index < samples; index += 1) await page.keyboard.press(index % 20 === 19 ? 'Enter' : 'a');
  await page.keyboard.press('Control+z');
  return page.evaluate(() => (window as unknown as { benchKeys: number[] }).benchKeys.slice(-50));
}
