/**
 * Printing. Text is printed at once. If several parts of the work run in parallel, however, the output of each part is printed when the
 * part has ended.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const kept = new AsyncLocalStorage();

/** Prints a text on standard output. Inside `printedAtEnd`, saves the text until the end of that work. */
export function print(text) {
  const own = kept.getStore();
  if (own) own.push(text);
  else process.stdout.write(text);
}

/** Runs `work`, and prints all its output when it has ended. */
export async function printedAtEnd(work) {
  const own = [];
  try {
    return await kept.run(own, work);
  } finally {
    process.stdout.write(own.join(''));
  }
}
