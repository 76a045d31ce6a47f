/** The files in the project's folder. They are listed when first needed, and again when files appear or disappear. */
import type { ProjectFiles } from '#contract/project.ts';
import { call, on } from './bridge.ts';
import { mirror } from './mirror.ts';
import { makeStore } from './store.ts';
import { pathWithin, withSlashes } from './text/paths.ts';

type ProjectFilesState = Omit<ProjectFiles, 'files'> & {
  /** Paths relative to the folder; null before they are requested. */
  readonly files: readonly string[] | null;
};

const UNKNOWN: ProjectFilesState = { files: null, linked: [], links: [], empty: [], left: [] };
const [store, useProjectFiles] = makeStore<ProjectFilesState>(UNKNOWN);

export { useProjectFiles };

/** Requests the list unless it is already known. */
export async function wantProjectFiles(): Promise<void> {
  if (store.getState().files === null) await refreshProjectFiles();
}

/** Returns the paths of the project's files relative to its folder; empty without a project. */
export async function projectFiles(): Promise<readonly string[]> {
  await wantProjectFiles();
  return store.getState().files ?? [];
}

/** True if a path of the list is a symbolic link. */
export function isLink(path: string): boolean {
  return store.getState().links.some((link) => link.path === path);
}

/** Keeps the list up to date once it has been loaded. */
export function followProjectFiles(): void {
  on('files-changed', ({ listing }) => {
    if (listing && store.getState().files !== null) void refreshProjectFiles();
  });
  mirror.subscribe((state, before) => {
    if (state.project?.path === before.project?.path) return;
    const wasKnown = store.getState().files !== null;
    store.setState(UNKNOWN);
    if (wasKnown) void refreshProjectFiles();
  });
}

/** Returns the absolute path of a project file. */
export function absolutePath(file: string): string {
  const root = mirror.getState().project?.path ?? '';
  return root === '' ? file : `${root}/${file}`;
}

/** Returns the path of a file relative to the project's folder, with slashes; null for a file outside. */
export function relativePath(file: string): string | null {
  const root = mirror.getState().project?.path;
  const path = root === undefined ? null : pathWithin(root, file);
  return path === null ? null : withSlashes(path);
}

/** Requests the list again. Called after the person changed files, because the report of the change arrives a little later. */
export async function refreshProjectFiles(): Promise<void> {
  store.setState(await call('project.files', {}));
}
