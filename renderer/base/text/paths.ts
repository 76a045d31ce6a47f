/**
 * Paths in the notation of the operating system. A backslash separates folders only on Windows; elsewhere it is an ordinary character of a
 * name.
 */
const isWindows = typeof navigator !== 'undefined' && /^win/i.test(navigator.platform);

/** Returns the name of a file or folder: the last component of its path. */
export function fileName(path: string, windows = isWindows): string {
  return path.slice(nameStart(path, windows));
}

/** Returns the folder of a file's path; empty if the path has no folder. */
export function folderPath(path: string, windows = isWindows): string {
  return path.slice(0, Math.max(0, nameStart(path, windows) - 1));
}

/** Returns the names in a path, from the outermost folder to the file. */
export function pathParts(path: string, windows = isWindows): string[] {
  return path.split(windows ? /[/\\]/ : '/').filter((part) => part !== '');
}

/** True for a file's path; false for the title of a text without a file. */
export function hasFolder(path: string, windows = isWindows): boolean {
  return nameStart(path, windows) > 0;
}

/** Returns a path with slashes between its folders. */
export function withSlashes(path: string, windows = isWindows): string {
  return windows ? path.replaceAll('\\', '/') : path;
}

/** Returns a path relative to a folder; null if the path is outside the folder. */
export function pathWithin(folder: string, path: string, windows = isWindows): string | null {
  const isInside = path.startsWith(folder) && nameStart(path.slice(0, folder.length + 1), windows) > folder.length;
  return isInside ? path.slice(folder.length + 1) : null;
}

function nameStart(path: string, windows: boolean): number {
  return Math.max(path.lastIndexOf('/'), windows ? path.lastIndexOf('\\') : -1) + 1;
}
