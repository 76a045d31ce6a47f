/** Unit tests stand beside their file. Many talk to a real SBCL, so they get time; the parts that draw are tested in e2e. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'main/**/*.test.ts',
      'renderer/**/*.test.{ts,tsx}',
      'e2e/bench/**/*.test.ts',
      'resources/setup/*.test.mjs',
    ],
    environment: 'node',
    globalSetup: ['main/core/lisp/core.fixture.ts'],
    // Guards against what hangs, for a slow machine with other work.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    // One more than the smallest machine has cores: many tests wait for an image, a clock or a person most of their time.
    maxWorkers: 3,
  },
});
