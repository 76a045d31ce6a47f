/**
 * Looks for a Node that is new enough for a program of JavaScript: the workbench's own, then those on the person's path, then those on the path of their login
 * shell, since a desktop that was started from a menu has not the path of a terminal. None of the project is run: it could have been put there.
 */
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { inheritable } from '#core/lisp/start/environment.ts';
import { loginPath } from '../login/login-path.ts';
import { foldersOutside, membership } from './path-folders.ts';

export interface NodePlaces {
  readonly environment: NodeJS.ProcessEnv;
  /** The project's folder; null for none. */
  readonly project: string | null;
}

/**
 * The end of a search: the program, with null for the workbench's own Node; or the newest that was seen, where none is new enough. `path` is that of the
 * login shell where the Node was found on it, for what the Node starts in turn; null for one that is on the person's path.
 */
export type NodeSearch =
  | { readonly found: true; readonly place: string | null; readonly path: string | null }
  | { readonly found: false; readonly newest: SeenNode | null };

/** A Node that is not the workbench's own. */
interface SeenNode {
  readonly place: string;
  /** Such as `18.20.4`. */
  readonly version: string;
}

/** Milliseconds that a Node may take to tell its version, on a machine that is busy. */
const VERSION_MS = 20_000;

/** `needed` is the first version that will do, such as `22` or `20.19`; `own` the version of the workbench's. */
export async function searchNode(
  needed: string,
  { environment, project }: NodePlaces,
  own: string = process.versions.node,
): Promise<NodeSearch> {
  if (compare(own, needed) >= 0) return { found: true, place: null, path: null };
  const seen: SeenNode[] = [];
  const isOfProject = await membership(project);
  for (const isLogin of [false, true]) {
    const paths = isLogin ? await loginPath(environment) : (environment['PATH'] ?? '');
    const folders = await foldersOutside(paths, project);
    for (const place of await placesOn(folders, isOfProject)) {
      if (seen.some((each) => each.place === place)) continue;
      const version = await versionOf(place, environment);
      if (version === null) continue;
      if (compare(version, needed) >= 0)
        return { found: true, place, path: isLogin ? folders.join(path.delimiter) : null };
      seen.push({ place, version });
    }
  }
  const [newest = null] = seen.toSorted((one, other) => compare(other.version, one.version));
  return { found: false, newest };
}

/** Says why a program cannot be run, and what to install. */
export function missingNode(title: string, needed: string, newest: SeenNode | null): string {
  const others =
    newest === null ? 'there is none on the path' : `the newest on the path is ${newest.version}, ${newest.place}`;
  return `${title} needs Node ${needed} or newer: the workbench runs on Node ${process.versions.node} here, and ${others}. Install Node ${needed} or newer, from nodejs.org or by your system, so that "node" is on the path, and look again.`;
}

/** The programs called `node` in these folders, each by its real name; none of the project by either. */
async function placesOn(folders: readonly string[], isOfProject: (file: string) => boolean): Promise<string[]> {
  const places: string[] = [];
  for (const folder of folders) {
    const place = await runnable(path.join(folder, process.platform === 'win32' ? 'node.exe' : 'node'));
    if (place !== null && !isOfProject(place) && !places.includes(place)) places.push(place);
  }
  return places;
}

async function runnable(candidate: string): Promise<string | null> {
  try {
    await access(candidate, constants.X_OK);
    return (await stat(candidate)).isFile() ? await realpath(candidate) : null;
  } catch {
    return null;
  }
}

/** Versions by the state of the file that told them. */
const told = new Map<string, string | null>();

/** Resolves with the version that a Node tells; null for a program that tells none. */
async function versionOf(place: string, environment: NodeJS.ProcessEnv): Promise<string | null> {
  const { mtimeMs, size } = await stat(place);
  const key = JSON.stringify([place, mtimeMs, size]);
  const known = told.get(key);
  if (known !== undefined) return known;
  const version = await new Promise<string | null>((resolve) => {
    execFile(
      place,
      ['--version'],
      { cwd: path.dirname(place), env: inheritable(environment), timeout: VERSION_MS, killSignal: 'SIGKILL' },
      (error, out) => resolve(error ? null : (/^v(\d+\.\d+\.\d+)\s*$/.exec(out)?.[1] ?? null)),
    );
  });
  told.set(key, version);
  return version;
}

/** Positive where the first version is newer, 0 where both are the same as far as the second one goes. */
function compare(version: string, other: string): number {
  const parts = version.split('.').map(Number);
  const differences = other.split('.').map((part, index) => (parts[index] ?? 0) - Number(part));
  return differences.find((difference) => difference !== 0) ?? 0;
}
