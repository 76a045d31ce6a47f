/** Commands on libraries. */
import { Library, PackageCheck, PackagePlus, RefreshCw } from 'lucide-react';
import { openOverlay } from '../../base/layout/overlays.ts';
import { mirror } from '../../base/mirror.ts';
import type { Command } from '../../base/keys/command-registry.ts';
import { notify } from '../../base/notices/notices.tsx';
import { runTool, setUpQuicklisp } from './actions.ts';
import { addToProject } from './adding.ts';
import { knownOverview, libraries, openLibraries } from './libraries-store.ts';

export const libraryCommands: Command[] = [
  { id: 'system.installLibrary', title: 'Install Library…', icon: PackagePlus, run: () => openLibraries() },
  {
    id: 'system.addLibrary',
    title: 'Add Library to Project…',
    icon: Library,
    when: () => mirror.getState().project !== null || 'with an open project',
    detail: () => libraries.getState().chosen ?? undefined,
    run: async () => {
      const { chosen } = libraries.getState();
      if (chosen !== null) return addToProject(chosen);
      openLibraries();
      notify('Select a library, and choose Add to Project….');
    },
  },
  {
    id: 'system.updateLibraries',
    title: 'Update Libraries…',
    icon: RefreshCw,
    run: updateLibraries,
  },
  { id: 'system.setUpQuicklisp', title: 'Set Up Quicklisp', icon: PackageCheck, run: setUp },
];

/** Updates the libraries of the project's tool if its program is installed, otherwise the preferred dist. */
async function updateLibraries(): Promise<void> {
  const overview = await knownOverview();
  openLibraries();
  const { project = null, dists = [] } = overview ?? {};
  if (project && project.kind !== 'quicklisp' && project.program !== null)
    return void (await runTool(project, 'update'));
  const dist = dists.find(({ address }) => address !== null);
  if (dist) openOverlay({ kind: 'update-dist', dist: dist.name, version: null });
  else notify('There is no dist to update.');
}

async function setUp(): Promise<void> {
  const overview = await knownOverview();
  openLibraries();
  if (overview?.hasClient) notify(`Quicklisp is already set up in ${overview.folder}.`);
  else await setUpQuicklisp();
}
