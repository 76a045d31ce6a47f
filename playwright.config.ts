/**
 * `e2e`: the whole program as a person and clients use it. `attacks`: those on the guard that `npm run attacks` makes in the window.
 * `screenshots`: the pictures of the README, not a test.
 */
import { defineConfig } from '@playwright/test';
import { PARALLEL } from './e2e/desktop/displays.ts';

export default defineConfig({
  outputDir: 'out/playwright',
  globalSetup: './e2e/desktop/caches.ts',
  workers: PARALLEL,
  fullyParallel: true,
  // A machine that is shared stalls now and then. What passes only at the second attempt is named as such at the end.
  retries: process.env['CI'] ? 1 : 0,
  forbidOnly: Boolean(process.env['CI']),
  // Guards against what hangs, for a slow machine with other work.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['json', { outputFile: process.env['E2E_REPORT'] ?? 'out/test-results/raw/e2e.json' }]],
  use: { trace: process.env['CI'] ? 'on-first-retry' : 'retain-on-failure', screenshot: 'only-on-failure' },
  projects: [
    {
      name: 'e2e',
      testDir: 'e2e',
      testIgnore: ['attacks/**', 'screenshots/**', 'bench/**', 'endurance/**', 'packages/**'],
    },
    { name: 'attacks', testDir: 'e2e/attacks', testMatch: '*.spec.ts' },
    { name: 'screenshots', testDir: 'e2e/screenshots', testMatch: '**/*.ts' },
  ],
});
