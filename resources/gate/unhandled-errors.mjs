/**
 * A vitest reporter for errors outside of any test, such as unhandled rejections. Such errors make the run fail, but vitest's JSON report
 * does not include them. This reporter writes them as `{ title }[]` to the file named by `UNHANDLED_ERRORS_FILE`.
 */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from '../setup/places.mjs';

export const UNHANDLED_ERRORS_FILE = 'UNHANDLED_ERRORS_FILE';

/** How many lines of the stack are shown with the error. */
const STACK_LINES = 4;

export default class UnhandledErrorsReporter {
  onTestRunEnd(_modules, errors) {
    const file = process.env[UNHANDLED_ERRORS_FILE];
    if (file)
      writeFileSync(
        file,
        JSON.stringify(
          errors.map((error) => ({ title: titleOf(error) })),
          null,
          1,
        ),
      );
  }
}

/** Summarizes an error on one line: the file and the test in which it was thrown, if they are known, its message, and its origin. */
function titleOf({ type, name, message, stack, VITEST_TEST_NAME: test, VITEST_TEST_PATH: path }) {
  const where = [path && relative(root, path), test].filter(Boolean).join(' › ');
  const frames = (stack ?? '').split('\n').filter((line) => line.trimStart().startsWith('at '));
  const told = [
    `${type ?? 'Unhandled error'}: ${message ?? name ?? 'without a message'}`,
    ...frames.slice(0, STACK_LINES),
  ];
  const text = told
    .map((line) => line.trim())
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(root, '.');
  return where ? `${where} › ${text}` : text;
}
