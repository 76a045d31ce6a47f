/** Verifies the rows that one run of the program has written to the audit. */
import path from 'node:path';
import { linesOf } from './files.ts';
import { verifyLine } from './line.ts';

/** The problems in the rows of a run, each as a sentence. */
interface RunReport {
  /** The break of the chain at the first row that is not chained to the previous one; null if there is none. */
  readonly broken: string | null;
  /** The missing rows or the missing file; null if there are none. */
  readonly missing: string | null;
}

/** Checks a run's rows up to number `wanted` in its files. The first row must continue the hash `before`. */
export async function verifyRun(files: readonly string[], before: string, wanted: number): Promise<RunReport> {
  let hash = before;
  let row = 0;
  for (const file of files) {
    try {
      for await (const line of linesOf(file, yieldToEventLoop)) {
        if (row === wanted) break; // written since
        row += 1;
        const next = verifyLine(line, hash);
        if (next === null) return { broken: `The audit chain is broken from row ${row} of this run.`, missing: null };
        hash = next;
      }
    } catch {
      return { broken: null, missing: `The audit chain is broken: ${path.basename(file)} is missing.` };
    }
  }
  if (row === wanted) return { broken: null, missing: null };
  return { broken: null, missing: `The audit chain is broken: rows are missing (${wanted - row}).` };
}

/** Lets the event loop do other work. */
function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
