/** Printing: at once, or, where several parts of the work run at the same time, of each part as a whole when it has ended. */
import { AsyncLocalStorage } from 'node:async_hooks';

const kept = new AsyncLocalStorage();

/** Prints a text on standard output, or keeps it for the end of the part of the work that it belongs to. */
export function print(text) {
  const own = kept.getStore();
  if (own) own.push(text);
  else process.stdout.write(text);
}

/** Does `work` and prints what it printed when it has ended. */
export async function printedAtEnd(work) {
  const own = [];
  try {
    return await kept.run(own, work);
  } finally {
    process.stdout.write(own.join(''));
  }
}
