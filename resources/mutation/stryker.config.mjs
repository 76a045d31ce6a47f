/** Stryker for the part that MUTATION_PART names; `npm run mutation` runs it for one part after another. */
import { filesOf } from './parts.mjs';

const name = process.env.MUTATION_PART ?? 'all';

export default {
  mutate: filesOf('sources'),
  // Vitest's configuration names the tests of the part. Stryker's own `testFiles` must not do this, because mutants of code that runs when
  // a file is loaded would then never be active.
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'resources/mutation/vitest.config.mjs', related: false },
  // A copy of the sources is mutated, never the sources. Its `package.json` defines `#core/…` and `#contract/…`.
  inPlace: false,
  tempDirName: 'out/mutation/sandbox',
  cleanTempDir: 'always',
  ignorePatterns: [
    '**',
    '!{package,tsconfig}.json',
    '!main/{contract,core}/**',
    '!renderer/**',
    '!resources/mutation/**',
  ],
  // Vitest strips the types without checking them, so mutants need not satisfy them. Stryker would rewrite the paths of a tsconfig.json
  // through an interface that TypeScript 7 does not have; in the copy, the paths are valid as they are.
  disableTypeChecks: false,
  tsconfigFile: 'no-tsconfig.json',
  coverageAnalysis: 'perTest',
  concurrency: 1,
  // This is long enough for a slow, busy machine; only mutants that never end take this long.
  timeoutMS: 3_000,
  reporters: ['json', 'html'],
  jsonReporter: { fileName: `out/mutation/${name}.json` },
  htmlReporter: { fileName: `out/mutation/${name}.html` },
  logLevel: 'warn',
};
