/** The recently shown files, the latest first, saved for the next session. */
import { contribute, keepSoon } from '../../base/layout/workspace.ts';
import { buffers, type BuffersState } from '../text/buffers.ts';

const MOST = 50;

let recent: readonly string[] = [];

/** Restores the previous session's list and keeps it up to date: showing or closing a file moves it to the front. */
export function followRecentFiles(kept: readonly string[]): void {
  recent = kept;
  const open = pathsIn(buffers.getState());
  noteFirst([...open].filter((path) => !recent.includes(path)));
  contribute(() => ({ recentFiles: [...recent] }));
  buffers.subscribe((state, before) => {
    const paths = pathsIn(state);
    const closed = [...pathsIn(before)].filter((path) => !paths.has(path));
    const shown = shownPath(state);
    noteFirst([...(shown === null || shown === shownPath(before) ? [] : [shown]), ...closed]);
  });
}

/** Returns absolute paths, the latest first. */
export function recentFiles(): readonly string[] {
  return recent;
}

/** Replaces paths in the list after files were moved or deleted. `now` returns the new path, or null for a file that is gone. */
export function changeRecentFiles(now: (path: string) => string | null): void {
  recent = [...new Set(recent.flatMap((path) => now(path) ?? []))];
  keepSoon();
}

/** Returns the file that was closed last; null if all files in the list are open. */
export function lastClosedFile(): string | null {
  const open = pathsIn(buffers.getState());
  return recent.find((path) => !open.has(path)) ?? null;
}

function noteFirst(paths: readonly string[]): void {
  if (paths.length === 0) return;
  recent = [...new Set([...paths, ...recent])].slice(0, MOST);
  keepSoon();
}

function pathsIn({ buffers: all }: BuffersState): Set<string> {
  return new Set(all.flatMap(({ path, passing }) => (path === null || passing ? [] : [path])));
}

function shownPath({ buffers: all, active }: BuffersState): string | null {
  return all.find(({ id, passing }) => id === active && !passing)?.path ?? null;
}
