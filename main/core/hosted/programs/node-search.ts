/**
 * Searches for a Node that is new enough for a JavaScript program: first the workbench's own, then those on the person's path, then those
 * on the path of the login shell. The last is needed because a desktop app that is started from a menu does not have a terminal's path. A
 * Node inside the project is never run, because another person may have planted it there.
 */
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { inheritable } from '#core/lisp/start/environment.ts';
import { loginPath } from '#core/programs/login-path.ts';
import { foldersOutside, membership } from '#core/programs/path-folders.ts';

export interface NodePlaces {
  readonly environment: NodeJS.ProcessEnv;
  /** The project's folder; null if no project is open. */
  readonly project: string | null;
}

/**
 * The result of a search. If it succeeded, `place` is the Node's file, or null for the workbench's own Node. `path` is the login shell's
 * path if the Node was found there, because programs that the Node starts need that path; otherwise null. If no Node is new enough,
 * `newest` is the newest one that was found.
 */
export type NodeSearch =
  | { readonly found: true; readonly place: string | null; readonly path: string | null }
  | { readonly found: false; readonly newest: SeenNode | null };

/** A Node other than the workbench's own. */
interface SeenNode {
  readonly place: string;
  /** The version, for example `18.20.4`. */
  readonly version: string;
}

/** How long, in milliseconds, a Node may take to report its version; long enough for a busy machine. */
const VERSION_MS = 20_000;

/**
 * Searches for a Node. `needed` is the lowest sufficient version, such as `22` or `20.19`; `own` is the version of the workbench's Node.
 */
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

/** Returns a message that says why a program cannot run, and what to install. */
export function missingNode(title: string, needed: string, newest: SeenNode | null): string {
  const others =
    newest === null ? 'there is no Node on the path' : `the newest on the path is ${newest.version}, ${newest.place}`;
  return `${title} needs Node ${needed} or newer: the workbench runs on Node ${process.versions.node} here, and ${others}. Install Node ${needed} or newer, from nodejs.org or with your package manager, so that "node" is on the path, and try again.`;
}

/** Returns the real paths of the programs called `node` in these folders, except those inside the project. */
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

/** The versions that programs have reported, by the path, modification time and size of the program's file. */
const told = new Map<string, string | null>();

/** Resolves with the version that a Node reports; null if it does not report a version. */
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

/** Returns a positive number if the first version is newer, and 0 if it equals the second in all components that the second has. */
function compare(version: string, other: string): number {
  const parts = version.split('.').map(Number);
  const differences = other.split('.').map((part, index) => (parts[index] ?? 0) - Number(part));
  return differences.find((difference) => difference !== 0) ?? 0;
}
