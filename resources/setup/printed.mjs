/** Printing: at once, or, for parts of the work that run at the same time, the output of each part when it has ended. */
import { AsyncLocalStorage } from 'node:async_hooks';

const kept = new AsyncLocalStorage();

/** Prints a text on standard output, or saves it until the end of the part of the work to which it belongs. */
export function print(text) {
  const own = kept.getStore();
  if (own) own.push(text);
  else process.stdout.write(text);
}

/** Runs `work`, and prints its output when it has ended. */
export async function printedAtEnd(work) {
  const own = [];
  try {
    return await kept.run(own, work);
  } finally {
    process.stdout.write(own.join(''));
  }
}
