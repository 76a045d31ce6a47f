/** The configuration of Stryker for the part that MUTATION_PART names. `npm run mutation` runs Stryker for one part after another. */
import { filesOf } from './parts.mjs';

const name = process.env.MUTATION_PART ?? 'all';

export default {
  mutate: filesOf('sources'),
  // The tests of the part are named in Vitest's configuration instead of Stryker's `testFiles`. With `testFiles`, mutants of code that runs
  // when a file is loaded would never be active.
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'resources/mutation/vitest.config.mjs', related: false },
  // Mutates a copy of the sources, never the sources themselves. The copy's `package.json` defines `#core/…` and `#contract/…`.
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
  // Type checks do not have to be disabled: Vitest strips the types without checking them, so mutants may violate them. `tsconfigFile`
  // names a missing file, because Stryker would otherwise rewrite the paths of tsconfig.json through an interface that TypeScript 7 does
  // not have; in the copy, the paths are already valid.
  disableTypeChecks: false,
  tsconfigFile: 'no-tsconfig.json',
  coverageAnalysis: 'perTest',
  concurrency: 1,
  // Long enough for a slow, busy machine. Only mutants that never end take this long.
  timeoutMS: 3_000,
  reporters: ['json', 'html'],
  jsonReporter: { fileName: `out/mutation/${name}.json` },
  htmlReporter: { fileName: `out/mutation/${name}.html` },
  logLevel: 'warn',
};
