/** Finds the line of a program's standard error that explains why the program ended. Pure. */
import { beginning } from '#contract/text/text.ts';

/** Lines near an error that do not explain it: the stack, the code, and the version that Node prints after every crash. */
const BESIDE = /^\s*(?:at |Node\.js v|\^+\s*$|node:|\}|$)/;
const NAMES_ERROR = /(?:^|\s|\[)(?:\w*Error|\w*Exception|fatal|panic(?:ked)?|error)\b.*[:\]]/i;

/**
 * Returns ` It said: …` with the last line that names an error or, if there is none, the last informative line. Returns an empty text if
 * the log has no informative line.
 */
export function lastWords(log: string): string {
  const lines = log.split('\n').filter((line) => !BESIDE.test(line));
  const line = lines.findLast((each) => NAMES_ERROR.test(each)) ?? lines.at(-1);
  return line === undefined ? '' : ` It said: ${beginning(line.trim(), 300)}`;
}
