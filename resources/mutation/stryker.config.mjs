/** Stryker for one part, whose name is in MUTATION_PART; `npm run mutation` runs it for one after another. */
import { PARTS } from './parts.mjs';

const name = process.env.MUTATION_PART ?? '';
const part = PARTS[name];
if (!part) throw new Error(`MUTATION_PART is ${JSON.stringify(name)}, not one of ${Object.keys(PARTS).join(' ')}.`);

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  mutate: part.files,
  // Its configuration names the tests of the part. Stryker's own `testFiles` must not: mutants of what is evaluated when a file
  // is loaded would never be active then.
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
  // of a tsconfig.json by an interface that TypeScript 7 does not have; the copy has none.
  disableTypeChecks: false,
  tsconfigFile: 'no-tsconfig.json',
  coverageAnalysis: 'perTest',
  concurrency: 1,
  // For a slow machine with other work; only mutants that never end wait so long.
  timeoutMS: 5_000,
  reporters: ['json', 'html'],
  jsonReporter: { fileName: `out/mutation/${name}.json` },
  htmlReporter: { fileName: `out/mutation/${name}.html` },
  logLevel: 'warn',
};
