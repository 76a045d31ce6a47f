/**
 * The configuration of Vitest for the mutants of one part, see `stryker.config.mjs`. The tests run without the core that other tests need,
 * because building the core would take longer than the tests.
 */
import { defineConfig } from 'vitest/config';
import { filesOf } from './parts.mjs';

export default defineConfig({
  test: {
    include: filesOf('tests'),
    environment: 'node',
    // Many mutants make a test wait forever. Without mutants, the tests of these parts take only milliseconds.
    testTimeout: 2_000,
  },
});
