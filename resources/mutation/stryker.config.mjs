/** Stryker for the part that MUTATION_PART names; `npm run mutation` runs it for one after another. */
import { filesOf } from './parts.mjs';

const name = process.env.MUTATION_PART ?? 'all';

export default {
  mutate: filesOf('sources'),
  // Vitest's configuration names the tests of the part. Stryker's own `testFiles` must not: mutants of code that runs when a
  // file is loaded would never be active then.
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'resources/mutation/vitest.config.mjs', related: false },
  // A copy of the sources is changed, never the sources. `package.json` says there what `#core/…` and `#contract/…` are.
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
  // Vitest strips the types and nothing checks them, so that no mutant needs to satisfy them. Stryker would rewrite the paths
  // of a tsconfig.json by an interface that TypeScript 7 does not have; they hold in the copy as they are.
  disableTypeChecks: false,
  tsconfigFile: 'no-tsconfig.json',
  coverageAnalysis: 'perTest',
  concurrency: 1,
  // Long enough for a slow machine with other work; only mutants that never end take this long.
  timeoutMS: 3_000,
  reporters: ['json', 'html'],
  jsonReporter: { fileName: `out/mutation/${name}.json` },
  htmlReporter: { fileName: `out/mutation/${name}.html` },
  logLevel: 'warn',
};
