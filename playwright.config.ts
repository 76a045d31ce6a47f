/** `e2e`: the whole program as a person and clients use it. `screenshots`: the pictures of the README, not a test. */
import { defineConfig } from '@playwright/test';

export default defineConfig({
  outputDir: 'out/playwright',
  globalSetup: './e2e/core-cache.ts',
  // One window at a time on one display: two would take the focus from each other.
  workers: 1,
  fullyParallel: false,
  retries: 0,
  forbidOnly: Boolean(process.env['CI']),
  // Guards against what hangs, for a slow machine with other work.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['json', { outputFile: process.env['E2E_REPORT'] ?? 'out/test-results/raw/e2e.json' }]],
  use: { trace: 'retain-on-failure', screenshot: 'only-on-failure' },
  projects: [
    { name: 'e2e', testDir: 'e2e', testIgnore: ['screenshots/**', 'bench/**'] },
    { name: 'screenshots', testDir: 'e2e/screenshots', testMatch: '**/*.ts' },
  ],
});
