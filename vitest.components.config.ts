/** Tests of panels, dialogs and cards in a real browser, without Electron and an image: `*.browser.test.tsx` beside what they test. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import type { BrowserCommand } from 'vitest/node';

/** The Chromium of the system, which the setup installs where it can; else the one that Playwright has, if there is one. */
function chromium(): { executablePath?: string } {
  const found = ['chromium-headless-shell', 'chromium']
    .map((name) => `/usr/bin/${name}`)
    .find((file) => existsSync(file));
  return found === undefined ? {} : { executablePath: found };
}

/** Keys as a person presses them: `keys` as in `Control+Shift+k`, `text` character by character, `pasted` at once. */
const press: BrowserCommand<[keys: string, times?: number]> = async ({ page }, keys, times = 1) => {
  for (let time = 0; time < times; time += 1) await page.keyboard.press(keys);
};
const insert: BrowserCommand<[pasted: string]> = ({ page }, pasted) => page.keyboard.insertText(pasted);
const type: BrowserCommand<[text: string]> = ({ page }, text) => page.keyboard.type(text);

/**
 * The tests of the whole window, but that of its start. A page starts it once for all of them: loading its modules takes longer than most
 * tests.
 */
const WINDOW = globSync('renderer/**/*.browser.test.tsx', { cwd: import.meta.dirname }).filter(
  (file) => !file.endsWith('first-start.browser.test.tsx') && readFileSync(file, 'utf8').includes('openWholeWindow'),
);
const ALL = 'renderer/**/*.browser.test.tsx';

export default defineConfig({
  // As the pages are built, see vite.config.ts.
  publicDir: false,
  // Those that the scan of the entries does not find would reload the page in the middle of a test.
  optimizeDeps: { include: ['react-dom/client'], entries: ['renderer/index.html', ALL] },
  test: {
    maxWorkers: 3, // pages, each with a focus of its own
    testTimeout: 180_000, // a guard against what hangs, for a slow machine
    expect: { poll: { timeout: 20_000 } },
    browser: {
      enabled: true,
      headless: true,
      commands: { press, type, insert },
      screenshotFailures: false,
      provider: playwright({
        contextOptions: { permissions: ['clipboard-read', 'clipboard-write'] },
        launchOptions: {
          ...chromium(),
          args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
        },
      }),
      instances: [{ browser: 'chromium', viewport: { width: 1280, height: 800 } }],
    },
    projects: [
      { extends: true, test: { name: 'window', include: WINDOW, isolate: false, sequence: { groupOrder: 0 } } },
      { extends: true, test: { name: 'parts', include: [ALL], exclude: WINDOW, sequence: { groupOrder: 1 } } },
    ],
  },
});
