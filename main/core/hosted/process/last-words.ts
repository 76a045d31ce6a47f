/** The line of a program's standard error that says why it ended. Pure. */
import { beginning } from '#contract/text/text.ts';

/** Lines that stand beside an error and say nothing of it: the stack, the code around it, the version with which Node ends every crash. */
const BESIDE = /^\s*(?:at |Node\.js v|\^+\s*$|node:|\}|$)/;
const NAMES_ERROR = /(?:^|\s|\[)(?:\w*Error|\w*Exception|fatal|panic(?:ked)?|error)\b.*[:\]]/i;

/** Returns ` It said: …` with the last line that names an error, or else the last that says something; empty for a log without one. */
export function lastWords(log: string): string {
  const lines = log.split('\n').filter((line) => !BESIDE.test(line));
  const line = lines.findLast((each) => NAMES_ERROR.test(each)) ?? lines.at(-1);
  return line === undefined ? '' : ` It said: ${beginning(line.trim(), 300)}`;
}
