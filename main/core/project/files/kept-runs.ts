/** Folders with the bytes of files before approved changes, one for each run of a command without a window. */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

/** The most runs that are kept; the oldest go first. */
const MOST = 20;

/** Makes the folder of a new run below the state folder; the oldest runs are forgotten. Returns its path. */
export function newKeptRun(state: string, now = new Date()): string {
  const name = `${now.toISOString().replaceAll(':', '-')}-${process.pid}`;
  for (const old of keptRuns(state).slice(MOST - 1)) rmSync(old, { recursive: true, force: true });
  const folder = path.join(top(state), name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Returns the folders of the runs that are kept, newest first. */
export function keptRuns(state: string): string[] {
  if (!existsSync(top(state))) return [];
  const names = readdirSync(top(state)).toSorted();
  return names.toReversed().map((name) => path.join(top(state), name));
}

function top(state: string): string {
  return path.join(state, 'kept-runs');
}
