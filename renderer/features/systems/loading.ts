/** Loading systems, and loading again what was changed since: what the compiler says goes to Problems, what was loaded is told. */
import type { ForcedPart, LibraryRecord, SystemLoad } from '#contract/image/system.ts';
import { call } from '../../base/bridge.ts';
import { runCommand } from '../../base/keys/command-registry.ts';
import { notify } from '../../base/notices/notices.tsx';
import { tellCompilation } from '../diagnostics/problems.ts';
import { refreshSystems } from './systems-store.ts';

/** Loads a system; with `force` all of it, or all that it needs, though it is up to date. Resolves with how it ended. */
export async function loadSystem(system: string, force: ForcedPart | null = null): Promise<SystemLoad> {
  const { load, compilation } = await call('systems.load', { system, evaluation: crypto.randomUUID(), force });
  const sound = (compilation?.sound ?? []).map((file) => ({ file, diagnostics: [] }));
  tellCompilation(`system ${system}`, [...(compilation?.files ?? []), ...sound]);
  await refreshSystems();
  return load;
}

/** Loads a system again and says what was loaded. `more` is said beside it. */
export async function reloadSystem(system: string, force: ForcedPart | null, more: string): Promise<void> {
  tellLoads([await loadSystem(system, force)], more);
}

/** Loads all systems again of which files were changed since, and those that depend on them, up to the first that fails. */
export async function reloadChangedSystems(more: string): Promise<void> {
  const { systems } = await call('systems.outdated', {});
  const loads: SystemLoad[] = [];
  for (const { name } of systems) {
    const load = await loadSystem(name);
    loads.push(load);
    if (load.state !== 'loaded') break;
  }
  if (loads.length === 0) notify(`No loaded system has a file that was changed since.${more}`);
  else tellLoads(loads, more, systems.length - loads.length);
}

/** Has the image use what a library tool brought, and lists the systems anew. */
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
