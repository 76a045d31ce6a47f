/** Commands on ASDF systems: loading again what was changed, and what depends on what; and a new project with one. */
import { FolderPlus, Network, RefreshCcw, RefreshCw } from 'lucide-react';
import type { ForcedPart } from '#contract/image/system.ts';
import { mirror } from '../../base/mirror.ts';
import { openOverlay } from '../../base/layout/overlays.ts';
import { couldMeanSystem, findMeantSystem, meantSystem, unsavedWords } from './meant-system.ts';
import { showSystem } from '../browser/browsing.ts';
import type { Command } from '../../base/keys/command-registry.ts';
import { notify } from '../../base/notices/notices.tsx';
import { reloadChangedSystems, reloadSystem } from './loading.ts';

const withImage = (): true | string => (mirror.getState().session.pid === null ? 'with an image' : true);

const withSystem = (): true | string => {
  const image = withImage();
  return image === true && !couldMeanSystem() ? 'with a file of a system, or a system chosen in Systems' : image;
};

function reload(force: ForcedPart | null): () => Promise<void> {
  return async () => {
    const system = await findMeantSystem();
    if (system === null) notify('This file is of no system that is in reach.');
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
    detail: () => meantSystem() ?? 'all of the project',
    run: async () => showSystem(await findMeantSystem()),
  },
];
