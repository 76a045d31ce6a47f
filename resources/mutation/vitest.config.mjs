/** Vitest for mutants: without the core that other tests need, which takes longer to build than all tests of a part to run. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['main/**/*.test.ts', 'renderer/**/*.test.ts'], environment: 'node' },
});
