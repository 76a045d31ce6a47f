/** Commands on ASDF systems: reloading changed systems, showing dependencies, and making a new project with a system. */
import { FolderPlus, Network, RefreshCcw, RefreshCw } from 'lucide-react';
import type { ForcedPart } from '#contract/image/system.ts';
import { mirror } from '../../base/mirror.ts';
import { openOverlay } from '../../base/layout/overlays.ts';
import { showSystem } from '../browser/browsing.ts';
import type { Command } from '../../base/keys/command-registry.ts';
import { notify } from '../../base/notices/notices.tsx';
import { reloadChangedSystems, reloadSystem } from './loading.ts';
import { plural } from '#contract/text/text.ts';
import { chosenSystem, knownSystems, refreshSystems } from './systems-store.ts';
import { systemOfFile } from './descriptions.ts';
import { activeBuffer, buffers } from '../../editor/text/buffers.ts';

const withImage = (): true | string => (mirror.getState().session.pid === null ? 'with an image' : true);

const withSystem = (): true | string => {
  const image = withImage();
  return image === true && !couldMeanSystem() ? 'with a file of a system, or a system selected in Systems' : image;
};

function reload(force: ForcedPart | null): () => Promise<void> {
  return async () => {
    const system = await findMeantSystem();
    if (system === null) notify('This file does not belong to a system that the image can find.');
    else await reloadSystem(system, force, unsavedWords());
  };
}

const ofSystem = { when: withSystem, detail: () => meantSystem() ?? undefined };

export const systemCommands: Command[] = [
  {
    id: 'project.new',
    title: 'New Project…',
    keys: 'Ctrl+Alt+N',
    icon: FolderPlus,
    run: () => openOverlay({ kind: 'new-project' }),
  },
  { id: 'system.reload', title: 'Reload System', keys: 'Ctrl+Alt+Y', icon: RefreshCw, ...ofSystem, run: reload(null) },
  {
    id: 'system.reloadChanged',
    title: 'Reload Changed Systems',
    keys: 'Ctrl+Alt+R',
    icon: RefreshCcw,
    when: withImage,
    run: () => reloadChangedSystems(unsavedWords()),
  },
  { id: 'system.reloadAll', title: 'Reload All Files of System', icon: RefreshCw, ...ofSystem, run: reload('system') },
  {
    id: 'system.reloadDependencies',
    title: 'Reload System with Dependencies',
    icon: RefreshCw,
    ...ofSystem,
    run: reload('all'),
  },
  {
    id: 'browse.system',
    title: 'Browse System Dependencies',
    icon: Network,
    when: withImage,
    detail: () => meantSystem() ?? 'all systems of the project',
    run: async () => showSystem(await findMeantSystem()),
  },
];

function meantSystem(): string | null {
  const file = activeBuffer()?.path ?? null;
  const isInPanel = document.activeElement?.closest('[data-region="Systems"]') != null;
  const ofFile = file === null ? null : systemOfFile(knownSystems(), file);
  return (isInPanel ? chosenSystem() : null) ?? ofFile ?? chosenSystem();
}

/** Returns the system that a command acts on. Requests the list of systems first if it is not known yet. */
async function findMeantSystem(): Promise<string | null> {
  if (knownSystems().length === 0) await refreshSystems();
  return meantSystem();
}

/** True if a command could act on a system. */
function couldMeanSystem(): boolean {
  return meantSystem() !== null || (knownSystems().length === 0 && (activeBuffer()?.path ?? null) !== null);
}

/** Returns a note about unsaved open files, because a reload uses the version on disk. Empty if all are saved. */
function unsavedWords(): string {
  const count = buffers.getState().buffers.filter(({ dirty, path }) => dirty && path?.endsWith('.lisp')).length;
  return count === 0 ? '' : ` ${plural(count, 'open file')} not saved, so the version on disk was loaded.`;
}
