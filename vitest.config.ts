/** Unit tests stand beside their file. Many talk to a real SBCL, so they get time; the parts that draw are tested in e2e. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['main/**/*.test.ts', 'renderer/**/*.test.{ts,tsx}', 'e2e/bench/**/*.test.ts'],
    environment: 'node',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
