/** Verifies what one run of the program has written to the audit. */
import path from 'node:path';
import { linesOf } from './files.ts';
import { verifyLine } from './line.ts';

/** The faults in the rows of a run, a sentence each; null where there is none. */
interface RunReport {
  /** A row does not follow from the one before. */
  readonly broken: string | null;
  /** Rows or a file are gone. */
  readonly missing: string | null;
}

/** Reads the files of a run, whose first row continues the hash `before`, up to the row `wanted`. */
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
      return { broken: null, missing: `The audit chain is broken: ${path.basename(file)} is gone.` };
    }
  }
  if (row === wanted) return { broken: null, missing: null };
  return { broken: null, missing: `The audit chain is broken: rows of it are gone (${wanted - row}).` };
}

/** Yields to other work of the event loop. */
function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
