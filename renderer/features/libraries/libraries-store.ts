/**
 * The state of the Libraries panel: the dists and the project's tool, the search, the selected library, and the running work. The overview
 * is requested when something first shows it, and again when libraries or the project change.
 */
import { useEffect, useState } from 'react';
import type { InstallPlan, LibrariesOverview, LibraryWork } from '#contract/libraries.ts';
import { call, messageOf, on } from '../../base/bridge.ts';
import { showLeft } from '../../base/layout/layout-store.ts';
import { showRegion } from '../../base/layout/regions.ts';
import { mirror } from '../../base/mirror.ts';
import { makeStore } from '../../base/store.ts';

interface LibrariesState {
  readonly overview: LibrariesOverview | null;
  readonly loading: boolean;
  /** The reason why the overview could not be requested; null if there is none. */
  readonly problem: string | null;
  readonly work: LibraryWork | null;
  /** The search words. */
  readonly words: string;
  readonly installedOnly: boolean;
  /** The name of the selected library. */
  readonly chosen: string | null;
  /** Increases whenever libraries have changed, so that searches and plans are requested again. */
  readonly revision: number;
  /** The end of what the project's library tool wrote when it ran last. */
  readonly toolOutput: { readonly title: string; readonly text: string } | null;
}

export const [libraries, useLibraries] = makeStore<LibrariesState>({
  overview: null,
  loading: false,
  problem: null,
  work: null,
  words: '',
  installedOnly: false,
  chosen: null,
  revision: 0,
  toolOutput: null,
});

let again = false;

/** Requests the overview. If a request is already running, sends one more request after it. */
export async function refreshLibraries(): Promise<void> {
  if (libraries.getState().loading) {
    again = true;
    return;
  }
  libraries.setState({ loading: true });
  do {
    again = false;
    try {
      const overview = await call('libraries.overview', {});
      libraries.setState({ overview, work: overview.work, problem: null });
    } catch (error) {
      libraries.setState({ problem: messageOf(error) });
    }
  } while (again);
  libraries.setState(({ revision }) => ({ loading: false, revision: revision + 1 }));
}

/** Returns the overview. Requests it first if it is not known yet; null if that failed. */
export async function knownOverview(): Promise<LibrariesOverview | null> {
  if (libraries.getState().overview === null) await refreshLibraries();
  return libraries.getState().overview;
}

/** Keeps the state up to date, once something has shown it. */
export function followLibraries(): void {
  const refresh = (): void => {
    const { overview, problem } = libraries.getState();
    if (overview !== null || problem !== null) void refreshLibraries();
  };
  on('library-work-changed', ({ work }) => libraries.setState({ work }));
  on('libraries-changed', refresh);
  mirror.subscribe((state, before) => {
    const isSame =
      state.project?.path === before.project?.path &&
      state.project?.trusted === before.project?.trusted &&
      String(state.settings?.libraries.dists) === String(before.settings?.libraries.dists);
    if (!isSame) refresh();
  });
}

/** Shows the panel with the focus in its search field. With a name, searches for the library and selects it. */
export function openLibraries(name?: string): void {
  showRegion('Libraries', () => {
    showLeft('libraries');
    if (name !== undefined) libraries.setState({ words: name, chosen: name, installedOnly: false });
  });
}

/** The plan for a library; null while it is requested. */
export type PlanAnswer = { readonly plan: InstallPlan } | { readonly problem: string } | null;

/** Returns what an installation of a library needs. While the plan is requested again, returns the last one. */
export function usePlan(system: string | null): PlanAnswer {
  const revision = useLibraries((state) => state.revision);
  const [answer, setAnswer] = useState<{ readonly system: string; readonly answer: PlanAnswer } | null>(null);
  useEffect(() => {
    if (system === null) return undefined;
    let isWanted = true;
    void call('libraries.plan', { systems: [system] })
      .then((plan): PlanAnswer => ({ plan }))
      .catch((error: unknown): PlanAnswer => ({ problem: messageOf(error) }))
      .then((found) => {
        if (isWanted) setAnswer({ system, answer: found });
      });
    return () => {
      isWanted = false;
    };
  }, [system, revision]);
  return answer?.system === system ? answer.answer : null;
}
