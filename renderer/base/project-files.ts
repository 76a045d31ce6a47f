/** The files in the project's folder. They are listed when first needed, and again when files appear or disappear. */
import type { ProjectFiles } from '#contract/project.ts';
import { call, on } from './bridge.ts';
import { mirror } from './mirror.ts';
import { makeStore } from './store.ts';

interface ProjectFilesState {
  /** Paths relative to the folder; null before they are requested. */
  readonly files: readonly string[] | null;
  /** The number of unlisted files in each folder. */
  readonly left: ProjectFiles['left'];
}

const [store, useProjectFiles] = makeStore<ProjectFilesState>({ files: null, left: [] });

export { useProjectFiles };

/** Requests the list unless it is already known. */
export async function wantProjectFiles(): Promise<void> {
  if (store.getState().files === null) await refresh();
}

/** Returns the paths of the project's files relative to its folder; empty without a project. */
export async function projectFiles(): Promise<readonly string[]> {
  await wantProjectFiles();
  return store.getState().files ?? [];
}

/** Keeps the list up to date once it has been loaded. */
export function followProjectFiles(): void {
  on('files-changed', ({ listing }) => {
    if (listing && store.getState().files !== null) void refresh();
  });
  mirror.subscribe((state, before) => {
    if (state.project?.path === before.project?.path) return;
    const wasKnown = store.getState().files !== null;
    store.setState({ files: null, left: [] });
    if (wasKnown) void refresh();
  });
}

/** Returns the absolute path of a project file. */
export function absolutePath(file: string): string {
  const root = mirror.getState().project?.path ?? '';
  return root === '' ? file : `${root}/${file}`;
}

async function refresh(): Promise<void> {
  store.setState(await call('project.files', {}));
}
