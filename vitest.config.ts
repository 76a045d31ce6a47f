/**
 * Unit tests stand beside their file, those of the engine over its wire in lisp/tests/wire. Many talk to a real SBCL, so they
 * get time; the parts that draw are tested in e2e.
 */
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, most of it waiting: begun first, so that none of them is run alone at the end. */
const LONGEST = [
  'e2e/endurance/faults.test.ts',
  'e2e/endurance/soak.test.ts',
  'main/core/sessions/supervisor/wedged-image.test.ts',
  'main/core/tools/evaluation/hostile-printing.test.ts',
  'main/core/transports/mcp/waiting-approvals.test.ts',
  'main/core/transports/mcp/long-runs.test.ts',
  'main/core/transports/mcp/client-timeouts.test.ts',
  'main/core/alerts/silent-images.test.ts',
  'main/core/effects/gate.test.ts',
  'main/core/sessions/supervisor/damaged-core.test.ts',
  'main/cli/repl/repl.test.ts',
  'main/cli/serve/serve-terminal.test.ts',
  'main/cli/serve/serve.test.ts',
  'main/core/approvals/queue/races.test.ts',
  'main/core/sessions/session.test.ts',
  'main/core/effects/many-effects.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = LONGEST.findIndex((file) => moduleId.endsWith(`/${file}`));
      return place < 0 ? LONGEST.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    include: [
      'main/**/*.test.ts',
      'lisp/tests/wire/**/*.test.ts',
      'renderer/**/*.test.{ts,tsx}',
      'e2e/{attacks,bench,endurance}/**/*.test.ts',
      'resources/{checks,gate,package,setup,texts}/*.test.mjs',
    ],
    exclude: ['**/node_modules/**', 'renderer/**/*.browser.test.tsx'], // see vitest.components.config.ts
    environment: 'node',
    sequence: { sequencer: LongestFirst },
    globalSetup: ['main/core/lisp/core.fixture.ts'],
    // Guards against what hangs, for a slow machine with other work.
    testTimeout: 180_000,
    hookTimeout: 300_000, // in one of them a core may be built, beside others that are
    expect: { poll: { timeout: 30_000 } },
    // One more than the smallest machine has cores: many tests wait for an image, a clock or a person most of their time.
    maxWorkers: 4,
    // Half of the files take less time than a process that starts: a worker runs one after the other.
    isolate: false,
  },
});
