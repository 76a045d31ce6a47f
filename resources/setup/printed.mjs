/**
 * Printing. Text is normally printed at once. If several tasks run in parallel, however, the output of each is printed when the task has
 * ended.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const kept = new AsyncLocalStorage();

/** Prints a text on standard output. Inside `printedAtEnd`, the text is saved until that work has ended. */
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
