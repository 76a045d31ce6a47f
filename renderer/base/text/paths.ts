/**
 * Paths as the operating system writes them. A backslash stands between folders on Windows alone; elsewhere it is a character of a name like
 * any other.
 */
const isWindows = typeof navigator !== 'undefined' && /^win/i.test(navigator.platform);

/** Returns the name of a file or folder: the last part of its path. */
export function fileName(path: string, windows = isWindows): string {
  return path.slice(nameStart(path, windows));
}

/** Returns the path of the folder that a file stands in; empty where the path names none. */
export function folderPath(path: string, windows = isWindows): string {
  return path.slice(0, Math.max(0, nameStart(path, windows) - 1));
}

/** The names of a path, from the outermost folder to the file. */
export function pathParts(path: string, windows = isWindows): string[] {
  return path.split(windows ? /[/\\]/ : '/').filter((part) => part !== '');
}

/** True for the path of a file; false for the title of a text that has none. */
export function hasFolder(path: string, windows = isWindows): boolean {
  return nameStart(path, windows) > 0;
}

/** Returns a path with slashes between its folders. */
export function withSlashes(path: string, windows = isWindows): string {
  return windows ? path.replaceAll('\\', '/') : path;
}

/** Returns a path as it is told within a folder; null where it stands outside. */
export function pathWithin(folder: string, path: string, windows = isWindows): string | null {
  const isInside = path.startsWith(folder) && nameStart(path.slice(0, folder.length + 1), windows) > folder.length;
  return isInside ? path.slice(folder.length + 1) : null;
}

function nameStart(path: string, windows: boolean): number {
  return Math.max(path.lastIndexOf('/'), windows ? path.lastIndexOf('\\') : -1) + 1;
}
