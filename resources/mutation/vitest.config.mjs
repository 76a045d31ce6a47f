/**
 * Vitest for the mutants of one part, see `stryker.config.mjs`. It runs the part's tests without the core that other tests need, because
 * building the core takes longer than running these tests.
 */
import { defineConfig } from 'vitest/config';
import { filesOf } from './parts.mjs';

export default defineConfig({
  test: {
    include: filesOf('tests'),
    environment: 'node',
    // Many mutants make a test wait forever, while the tests of these parts normally take milliseconds.
    testTimeout: 2_000,
  },
});
