/** Determines the changed files, and the tests that these can affect, for `npm test -- changed`. */
import { readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ask } from '../setup/children.mjs';
import { root } from '../setup/places.mjs';

/**
 * Returns the files that differ from the last commit, relative to the repository. If there are none, returns the files of the last commit.
 */
export function changedFiles() {
  const git = (...args) => (ask('git', ['-C', root, ...args]) ?? '').split('\n').filter(Boolean);
  const now = [
    ...git('diff', '--name-only', '--diff-filter=d', 'HEAD'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
  return now.length > 0 ? now : git('diff', '--name-only', '--diff-filter=d', 'HEAD~1', 'HEAD');
}

/**
 * Returns the tests to run for changed files. `sources` are the TypeScript and JavaScript files, whose tests are found through imports.
 * `tests` are the paths of other unit tests. `lisp` is true if the engine's own tests must run. `stories` are the story files that have the
 * name of a changed feature, panel or story.
 */
export function affectedBy(files, stories = storyFiles()) {
  const inLisp = files.filter((file) => /^lisp\/.*\.lisp$/.test(file));
  const folders = new Set(inLisp.map((file) => file.split('/')[1]).filter((folder) => folder !== 'tests'));
  const features = new Set(
    files.flatMap((file) => /^(?:renderer\/features|renderer\/approval)\/([^/]+)\//.exec(file)?.[1] ?? []),
  );
  return {
    sources: files.filter(
      (file) => /^(?:main|renderer|e2e|resources)\/.*\.(?:tsx?|mjs)$/.test(file) && !file.endsWith('.spec.ts'),
    ),
    tests: [...folders].map((folder) => `lisp/tests/wire/${folder}`),
    lisp: inLisp.length > 0,
    stories: stories
      .filter((story) => files.includes(story) || isOf(posix.basename(story, '.spec.ts'), features))
      .toSorted(),
  };
}

function storyFiles() {
  return readdirSync(join(root, 'e2e/stories'), { recursive: true })
    .filter((name) => name.endsWith('.spec.ts'))
    .map((name) => `e2e/stories/${name.replaceAll('\\', '/')}`);
}

/** True if a story belongs to a feature, as `trace` and `trace-methods` belong to the feature `trace`. Ignores a plural s. */
function isOf(story, features) {
  const single = (name) => name.replace(/s$/, '');
  return [...features].some((feature) => single(story) === single(feature) || story.startsWith(`${single(feature)}-`));
}
