/** Folders with the backups of changed files, one for each run of a command without a window. */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

/** The maximum number of stored runs; the oldest are removed first. */
const MOST = 20;

/** Creates the folder of a new run below the state folder and removes the oldest runs. Returns the new path. */
export function newKeptRun(state: string, now = new Date()): string {
  const name = `${now.toISOString().replaceAll(':', '-')}-${process.pid}`;
  for (const old of keptRuns(state).slice(MOST - 1)) rmSync(old, { recursive: true, force: true });
  const folder = path.join(top(state), name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Returns the folders of the stored runs, newest first. */
export function keptRuns(state: string): string[] {
  if (!existsSync(top(state))) return [];
  const names = readdirSync(top(state)).toSorted();
  return names.toReversed().map((name) => path.join(top(state), name));
}

function top(state: string): string {
  return path.join(state, 'kept-runs');
}
