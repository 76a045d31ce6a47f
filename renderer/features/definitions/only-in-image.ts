/** The number of definitions that would be lost if the image ended. */
import { mirror } from '../../base/mirror.ts';
import { isInFile } from './definition-rows.ts';

/** Returns the number of definitions that exist only in the image: an actor made them, and they are in no file. */
export function onlyInImage(): number {
  let count = 0;
  for (const { definitions } of mirror.getState().definitions.values()) {
    for (const each of definitions) if (each.actor !== null && !isInFile(each)) count += 1;
  }
  return count;
}
