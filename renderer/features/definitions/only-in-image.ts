/** Counts what the end of the image would lose. */
import { mirror } from '../../base/mirror.ts';
import { isInFile } from './definition-rows.ts';

/** The number of definitions that only the image has: made by somebody, in no file. */
export function onlyInImage(): number {
  let count = 0;
  for (const { definitions } of mirror.getState().definitions.values()) {
    for (const each of definitions) if (each.actor !== null && !isInFile(each)) count += 1;
  }
  return count;
}
