/** The folders of one run: a home, a project and a folder for temporary files, so that everything left over can be seen. */
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface Place {
  readonly root: string;
  /** LISP_WORKBENCH_HOME of the programs of the run. */
  readonly home: string;
  readonly project: string;
  /** TMPDIR of the programs of the run, and by that the mark of all their processes. */
  readonly temporary: string;
  /** The environment of the programs of the run. */
  readonly environment: NodeJS.ProcessEnv;
}

/** Makes the folders; they go with `scope`. With `cache` the cores are taken from that folder. */
export async function openPlace(scope: AsyncDisposableStack, cache: string | null): Promise<Place> {
  const root = await mkdtemp(path.join(tmpdir(), 'endurance-'));
  scope.defer(() => rm(root, { recursive: true, force: true, maxRetries: 5 }));
  const [home, project, temporary] = ['home', 'project', 'tmp'].map((name) => path.join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [home, project, temporary]) await mkdir(folder);
  if (cache !== null) await symlink(cache, path.join(home, 'cache'));
  const environment = {
    ...process.env,
    LISP_WORKBENCH_HOME: home,
    TMPDIR: temporary,
    XDG_CACHE_HOME: path.join(root, 'cache'), // where ASDF keeps what it compiled
    SHELL: '/bin/sh',
  };
  return { root, home, project, temporary, environment };
}
