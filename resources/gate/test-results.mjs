/**
 * The results of the tests in `out/test-results/<stage>.json`: one `{ title, passed, reason, seconds }` for each test, in the same format
 * for all tools.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { inRoot, root } from '../setup/places.mjs';

export const resultsFolder = () => inRoot('out', 'test-results');

/** Returns the file into which a tool writes its own report of a stage. */
export const rawReport = (stage) => join(resultsFolder(), 'raw', `${stage}.json`);

export function writeResults(stage, tests) {
  mkdirSync(resultsFolder(), { recursive: true });
  writeFileSync(join(resultsFolder(), `${stage}.json`), JSON.stringify(tests, null, 1));
}

/** Returns all tests of the last run, each with its stage. */
export function readResults() {
  try {
    const names = readdirSync(resultsFolder()).filter((name) => name.endsWith('.json'));
    return names.flatMap((name) =>
      readJson(join(resultsFolder(), name)).map((test) => ({ stage: name.replace(/\.json$/, ''), ...test })),
    );
  } catch {
    return [];
  }
}

/**
 * Returns the tests in vitest's JSON report. A file that could not be loaded counts as a failed test, and so does an error outside of any
 * test.
 */
export function fromVitest(file, errorsFile) {
  const errors = existsSync(errorsFile) ? readJson(errorsFile) : [];
  const tests = readJson(file).testResults.flatMap(({ name, status, message, assertionResults }) => {
    const where = relative(root, name);
    const ran = assertionResults.filter((test) => test.status === 'passed' || test.status === 'failed');
    const tests = ran.map((test) => ({
      title: `${where} › ${test.fullName}`,
      passed: test.status === 'passed',
      seconds: (test.duration ?? 0) / 1000,
      reason: shortened(test.failureMessages?.[0]),
    }));
    const broken = status === 'failed' && tests.every((test) => test.passed);
    return broken
      ? [...tests, { title: `${where} › ${message?.split('\n')[0] || 'did not load'}`, passed: false }]
      : tests;
  });
  return [...tests, ...errors.map(({ title }) => ({ title, passed: false, isOutside: true }))];
}

/** Returns the tests in Playwright's JSON report, except for skipped ones. `retried` is true if the first attempt failed. */
export function fromPlaywright(file) {
  const { suites, errors } = readJson(file);
  const collect = (suite, titles) => [
    ...(suite.specs ?? [])
      .filter((spec) => spec.tests.some((test) => test.status !== 'skipped'))
      .map((spec) => ({
        title: [...titles, spec.title].join(' › '),
        passed: spec.ok,
        seconds: Math.max(...spec.tests.flatMap(({ results }) => results.map(({ duration }) => duration))) / 1000,
        retried: spec.tests.some((test) => test.status === 'flaky'),
        reason: reasonOf(spec),
      })),
    ...(suite.suites ?? []).flatMap((inner) => collect(inner, [...titles, inner.title])),
  ];
  const broken = (errors ?? []).map((error) => ({ title: String(error.message).split('\n')[0], passed: false }));
  return [...suites.flatMap((suite) => collect(suite, [suite.title])), ...broken];
}

/** Returns the error message of the last failed attempt, with the location in the story. */
function reasonOf({ tests }) {
  const failed = tests.flatMap(({ results }) => results).findLast(({ error }) => error !== undefined);
  if (failed === undefined) return undefined;
  const { message, value, location } = failed.error;
  return shortened(`${location ? `line ${location.line}: ` : ''}${message ?? value}`);
}

const REASON_LINES = 8;

/** Returns the first lines of a tool's `message`, without colours and without the stack. */
function shortened(message) {
  if (message === undefined) return undefined;
  const lines = stripVTControlCharacters(message).split('\n');
  return lines
    .filter((line) => line.trim() !== '' && !/^\s+at /.test(line))
    .slice(0, REASON_LINES)
    .join('\n');
}

/** Parses lines of the form `pass NAME` and `fail NAME: reason`, and returns the tests that they report. */
export function fromLines(text) {
  return text.split('\n').flatMap((line) => {
    const [, outcome, title] = /^(pass|fail) (.+)$/.exec(line.trimEnd()) ?? [];
    return outcome ? [{ title, passed: outcome === 'pass' }] : [];
  });
}

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));
