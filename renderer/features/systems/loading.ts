/**
 * Loading of systems, and reloading of changed ones. The compiler's messages go to Problems, and a notification names the loaded systems.
 */
import type { ForcedPart, LibraryRecord, SystemLoad } from '#contract/image/system.ts';
import { call } from '../../base/bridge.ts';
import { runCommand } from '../../base/keys/command-registry.ts';
import { notify } from '../../base/notices/notices.tsx';
import { tellCompilation } from '../diagnostics/problems.ts';
import { refreshSystems } from './systems-store.ts';

/** Loads a system. With `force`, loads all of it, or everything that it needs, even if it is up to date. Resolves with the outcome. */
export async function loadSystem(system: string, force: ForcedPart | null = null): Promise<SystemLoad> {
  const { load, compilation } = await call('systems.load', { system, evaluation: crypto.randomUUID(), force });
  const sound = (compilation?.sound ?? []).map((file) => ({ file, diagnostics: [] }));
  tellCompilation(`system ${system}`, [...(compilation?.files ?? []), ...sound]);
  await refreshSystems();
  return load;
}

/** Loads a system again and shows the outcome. `more` is added to the message. */
export async function reloadSystem(system: string, force: ForcedPart | null, more: string): Promise<void> {
  tellLoads([await loadSystem(system, force)], more);
}

/** Reloads all systems with changed files and the systems that depend on them, up to the first failure. */
export async function reloadChangedSystems(more: string): Promise<void> {
  const { systems } = await call('systems.outdated', {});
  const loads: SystemLoad[] = [];
  for (const { name } of systems) {
    const load = await loadSystem(name);
    loads.push(load);
    if (load.state !== 'loaded') break;
  }
  if (loads.length === 0) notify(`No loaded system has changed files.${more}`);
  else tellLoads(loads, more, systems.length - loads.length);
}

/** Makes the image use the systems of a library tool, and lists the systems again. */
export async function activateLibrary({ kind, path }: LibraryRecord): Promise<void> {
  await call('systems.useLibrary', { kind, path, evaluation: crypto.randomUUID() });
  await refreshSystems();
}

function tellLoads(loads: readonly SystemLoad[], more: string, left = 0): void {
  const last = loads.at(-1)!;
  const words = loads.map(({ system, state, message }) =>
    state === 'loaded' ? `${system}: ${message ?? 'loaded.'}` : `${system} ${state}. ${message ?? ''}`.trim(),
  );
  const rest = left > 0 ? ` ${left} more ${left === 1 ? 'was' : 'were'} not loaded.` : '';
  const failed = last.state === 'failed';
  notify(
    `${words.join(' ')}${rest}${more}`,
    failed ? 'error' : 'info',
    failed ? { title: 'Show problems', run: async () => runCommand('view.problems') } : null,
  );
}
