/** Tests of panels, dialogs and cards in a real browser, without Electron and an image: `*.browser.test.tsx` beside what they test. */
import { existsSync } from 'node:fs';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';

/** The Chromium of the system, which the setup installs where it can; else the one that Playwright has, if there is one. */
function chromium(): { executablePath?: string } {
  const found = ['chromium-headless-shell', 'chromium']
    .map((name) => `/usr/bin/${name}`)
    .find((file) => existsSync(file));
  return found === undefined ? {} : { executablePath: found };
}

export default defineConfig({
  // As the pages are built, see vite.config.ts.
  publicDir: false,
  optimizeDeps: { entries: ['renderer/index.html', 'renderer/**/*.browser.test.tsx'] },
  test: {
    include: ['renderer/**/*.browser.test.tsx'],
    testTimeout: 20_000, // a guard against what hangs
    expect: { poll: { timeout: 10_000 } },
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({
        launchOptions: {
          ...chromium(),
          args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
        },
      }),
      instances: [{ browser: 'chromium', viewport: { width: 1280, height: 800 } }],
    },
  },
});
