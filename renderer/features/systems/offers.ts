/** Offers to load the project's system: for a package that the image lacks, and once the person has trusted the folder. */
import { makeSystemOffers } from '../../base/image/system-offers.ts';
import { mirror } from '../../base/mirror.ts';
import { notify, orNotice } from '../../base/notices/notices.tsx';
import { reloadSystem } from './loading.ts';
import { mainSystem, systemOfPackage } from './own-systems.ts';
import { knownSystems, refreshSystems } from './systems-store.ts';

/** Starts to make the offers. */
export function startOffers(): void {
  makeSystemOffers(async (missing) => {
    if (knownSystems().length === 0) await refreshSystems();
    const found = systemOfPackage(knownSystems(), missing);
    return found && !found.loaded ? { system: found.name, load: () => load(found.name) } : null;
  });
  mirror.subscribe(({ project, session }, before) => {
    const isTrustedNow = project?.trusted === true && before.project?.path === project.path && !before.project.trusted;
    if (isTrustedNow && session.pid !== null) void offerMain(project.name);
  });
}

async function offerMain(folder: string): Promise<void> {
  await refreshSystems();
  const main = mainSystem(knownSystems(), folder);
  if (main)
    notify(`${folder} is trusted. Its system ${main.name} is not loaded yet.`, 'info', {
      title: `Load ${main.name}`,
      run: () => reloadSystem(main.name, null, ''),
    });
}

function load(system: string): void {
  void orNotice(reloadSystem(system, null, ''));
}
