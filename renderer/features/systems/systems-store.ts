/**
 * The available ASDF systems, and the selected one. The systems are requested when the list is shown, and again after each load and when
 * files are written.
 */
import type { LibraryRecord, SystemRecord } from '#contract/image/system.ts';
import { call, messageOf, on } from '../../base/bridge.ts';
import { makeStore } from '../../base/store.ts';

interface SystemsState {
  systems: readonly SystemRecord[] | null;
  quicklisp: boolean;
  /** The library tools found on this machine, whether or not the image uses their systems. */
  libraries: readonly LibraryRecord[];
  loading: boolean;
  problem: string | null;
  /** The name of the system that is selected in the Systems panel; null if there is none. */
  chosen: string | null;
}

/** How long to wait, in milliseconds, after a file is written before the systems are requested again. */
const SETTLE_MS = 500;

const [store, useSystems] = makeStore<SystemsState>({
  systems: null,
  quicklisp: false,
  libraries: [],
  loading: false,
  problem: null,
  chosen: null,
});

export { useSystems };

export function knownSystems(): readonly SystemRecord[] {
  return store.getState().systems ?? [];
}

export function chosenSystem(): string | null {
  return store.getState().chosen;
}

export function chooseSystem(chosen: string | null): void {
  store.setState({ chosen });
}

let again = false;

/** Requests the systems. If a request is already running, sends one more request after it. */
export async function refreshSystems(): Promise<void> {
  if (store.getState().loading) {
    again = true;
    return;
  }
  do {
    again = false;
    store.setState({ loading: true, problem: null });
    try {
      store.setState({ ...(await call('systems.list', {})), loading: false });
    } catch (error) {
      store.setState({ problem: messageOf(error), loading: false });
    }
  } while (again);
}

/** Keeps the list up to date while it is shown, because a written file makes its system outdated. Returns a function that stops this. */
export function followSystemFiles(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = on('files-changed', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void refreshSystems(), SETTLE_MS);
  });
  return () => {
    clearTimeout(timer);
    end();
  };
}
