/** The ASDF systems in reach, asked for when somebody looks, and again after each load. */
import { createStore, useStore } from 'zustand';
import type { SystemRecord } from '#contract/system.ts';
import { call, messageOf } from '../../bridge.ts';

interface SystemsState {
  systems: readonly SystemRecord[] | null;
  quicklisp: boolean;
  loading: boolean;
  problem: string | null;
}

const store = createStore<SystemsState>(() => ({ systems: null, quicklisp: false, loading: false, problem: null }));

export function useSystems(): SystemsState {
  return useStore(store);
}

export async function refreshSystems(): Promise<void> {
  if (store.getState().loading) return;
  store.setState({ loading: true, problem: null });
  try {
    const { systems, quicklisp } = await call('systems.list', {});
    store.setState({ systems, quicklisp, loading: false });
  } catch (error) {
    store.setState({ problem: messageOf(error), loading: false });
  }
}

export async function loadSystem(system: string): Promise<void> {
  const load = await call('systems.load', { system, evaluation: crypto.randomUUID() });
  if (load.state === 'loaded') await refreshSystems();
}
