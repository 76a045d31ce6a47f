/** Tests of the packages that `npm run package` has made: their contents, and their behavior on a machine with nothing else installed. */
import { defineConfig } from '@playwright/test';

export default defineConfig({
  outputDir: '../../out/playwright-packages',
  globalSetup: './bare-debian.ts',
  workers: 1,
  retries: process.env['CI'] ? 1 : 0,
  forbidOnly: Boolean(process.env['CI']),
  timeout: 180_000,
  expect: { timeout: 60_000 },
  reporter: [
    ['list'],
    ['json', { outputFile: process.env['E2E_REPORT'] ?? '../../out/test-results/raw/packages.json' }],
  ],
  testDir: '.',
});
