/** The changed files, and the tests that they can affect, for `npm test -- changed`. */
import { readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ask } from '../setup/children.mjs';
import { root } from '../setup/places.mjs';

/** Returns the files that differ from the last commit, or, without differences, the files of that commit, relative to the repository. */
export function changedFiles() {
  const git = (...args) => (ask('git', ['-C', root, ...args]) ?? '').split('\n').filter(Boolean);
  const now = [
    ...git('diff', '--name-only', '--diff-filter=d', 'HEAD'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
  return now.length > 0 ? now : git('diff', '--name-only', '--diff-filter=d', 'HEAD~1', 'HEAD');
}

/**
 * Returns the tests to run for changed files. `sources` are the TypeScript and JavaScript files, whose tests the import graph determines;
 * `tests` are other unit tests by path; `lisp` is true if the engine's own tests must run; `stories` are the story files named like a
 * changed feature, panel or story.
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

/** True for the story `trace` or `trace-methods` of the feature `trace`, also if one of them is a plural. */
function isOf(story, features) {
  const single = (name) => name.replace(/s$/, '');
  return [...features].some((feature) => single(story) === single(feature) || story.startsWith(`${single(feature)}-`));
}
