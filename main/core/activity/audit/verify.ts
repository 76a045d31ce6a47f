/** Verifies the rows that one run of the program has written to the audit. */
import path from 'node:path';
import { linesOf } from './files.ts';
import { verifyLine } from './line.ts';

/** The problems in the rows of a run, one sentence each; null if there is none. */
interface RunReport {
  /** The problem of the first row that does not chain to the previous one; null if there is none. */
  readonly broken: string | null;
  /** The problem of missing rows or of a missing file; null if there is none. */
  readonly missing: string | null;
}

/** Reads the files of a run up to row number `wanted`. The first row continues the hash `before`. */
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

/** Yields to other work of the event loop. */
function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
