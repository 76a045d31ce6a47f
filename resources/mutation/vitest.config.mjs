/**
 * Vitest for the mutants of one part, see `stryker.config.mjs`: its tests, without the core that others need, which takes longer
 * to build than all tests of a part to run.
 */
import { defineConfig } from 'vitest/config';
import { filesOf } from './parts.mjs';

export default defineConfig({
  test: {
    include: filesOf('tests'),
    environment: 'node',
    // Many mutants let a test wait for ever; the tests of these parts take milliseconds.
    testTimeout: 2_000,
  },
});
