/** The person's last profile, and the one that is running. */
import type { ProfileMode, ProfileResult } from '#contract/image/observation/profiling.ts';
import { call, messageOf } from '../../base/bridge.ts';
import { showDock } from '../../base/layout/layout-store.ts';
import { focusedRegion, showRegion } from '../../base/layout/regions.ts';
import { notify } from '../../base/notices/notices.tsx';
import { shownRepl } from '../../base/image/active-repl.ts';
import { makeStore } from '../../base/store.ts';

/** Used in place of code when all threads are sampled between a start and a stop. */
export const ALL_THREADS = 'all threads';

/** The profiled code, where it runs, and the profile's mode. */
export interface Profiled {
  readonly code: string;
  readonly package: string | null;
  readonly repl: string;
  readonly mode: ProfileMode;
}

interface ProfileState {
  /** The mode of the next profile: CPU time, elapsed time or allocations. */
  readonly mode: ProfileMode;
  /** The profile that is running or is waiting in the queue. */
  readonly running: (Profiled & { readonly evaluation: string; readonly since: number }) | null;
  readonly last: (Profiled & { readonly at: number; readonly result: ProfileResult }) | null;
  /** The time at which the sampling of all threads began, and the REPL whose image is sampled; null while no sampling is running. */
  readonly sampling: { readonly since: number; readonly repl: string } | null;
  /** The reason why the last run returned no profile; `problemOf` is the code of that run. */
  readonly problem: string | null;
  readonly problemOf: Profiled | null;
}

const [store, useProfile] = makeStore<ProfileState>({
  mode: 'cpu',
  running: null,
  last: null,
  sampling: null,
  problem: null,
  problemOf: null,
});

export { useProfile };

export function chooseMode(mode: ProfileMode): void {
  store.setState({ mode });
}

/** Returns the code that was profiled last, whether or not the run succeeded; null if there is none yet. */
export function profiled(): Profiled | null {
  const { problemOf, last } = store.getState();
  return problemOf ?? last;
}

/** Runs code under the profiler in the chosen mode, and shows the panel. Never rejects: the panel shows the error. */
export async function profile(wanted: Omit<Profiled, 'mode'>): Promise<void> {
  showRegion('Profiler', () => showDock('profiler'));
  if (store.getState().running !== null) {
    notify('Another profile is being recorded. Cancel it first, or wait until it ends.');
    return;
  }
  const asked: Profiled = { ...wanted, mode: store.getState().mode };
  const evaluation = crypto.randomUUID();
  store.setState({ running: { ...asked, evaluation, since: Date.now() }, problem: null, problemOf: null });
  const told = await taken(asked, evaluation);
  const show = (): void => store.setState({ running: null, ...told });
  // The focused element, such as the Cancel button, disappeared when the run ended.
  if (focusedRegion() === 'Profiler') showRegion('Profiler', show);
  else show();
}

async function taken(asked: Profiled, evaluation: string): Promise<Partial<ProfileState>> {
  try {
    const answer = await call('profile.run', { ...asked, evaluation });
    if (answer?.profile) return { last: { ...asked, at: Date.now(), result: answer.profile } };
    return { problem: reasonOf(answer), problemOf: asked };
  } catch (error) {
    return { problem: messageOf(error), problemOf: asked };
  }
}

function reasonOf(answer: { status: string; condition: { type: string; message: string } | null } | null): string {
  if (answer === null) return 'The image has ended. Start one, and profile again.';
  if (answer.status === 'interrupted') return 'The profile was cancelled.';
  return answer.condition?.message ?? 'The image did not answer.';
}

/** Starts to sample all threads of the shown REPL's image in the chosen mode, and shows the panel. */
export async function startSampling(): Promise<void> {
  showRegion('Profiler', () => showDock('profiler'));
  const { mode } = store.getState();
  const repl = shownRepl().id;
  const answer = await call('profile.start', { repl, mode });
  if (!answer) notify('No image is running, so there is nothing to profile.');
  else if (answer.problem !== null) notify(answer.problem);
  else store.setState({ sampling: { since: Date.now(), repl }, problem: null, problemOf: null });
}

/** Stops sampling all threads, and shows the result. */
export async function stopSampling(): Promise<void> {
  const { sampling, mode } = store.getState();
  if (!sampling) return;
  const of: Profiled = { code: ALL_THREADS, package: null, repl: sampling.repl, mode };
  const told = await stopped(of);
  showRegion('Profiler', () => {
    showDock('profiler');
    store.setState({ sampling: null, ...told });
  });
}

async function stopped(of: Profiled): Promise<Partial<ProfileState>> {
  try {
    const answer = await call('profile.stop', { repl: of.repl });
    if (answer?.profile) return { last: { ...of, at: Date.now(), result: answer.profile } };
    return { problem: 'The profile is lost, because the image has ended.', problemOf: null };
  } catch (error) {
    return { problem: messageOf(error), problemOf: null };
  }
}

/** True while all threads are being sampled. */
export function isSampling(): boolean {
  return store.getState().sampling !== null;
}

/** Asks the image whether all threads are being sampled, because the window or the image may have started since the sampling began. */
export async function refreshSampling(): Promise<void> {
  const repl = shownRepl().id;
  const answer = await call('profile.state', { repl }).catch(() => null);
  const elapsed = answer?.elapsedMs ?? null;
  store.setState({ sampling: elapsed === null ? null : { since: Date.now() - elapsed, repl } });
}

/** Profiles the last code again in the mode that is chosen now. */
export async function profileAgain(): Promise<void> {
  const before = profiled();
  if (before && before.code !== ALL_THREADS)
    await profile({ code: before.code, package: before.package, repl: before.repl });
}
