/**
 * The mirror: the page's copy of the core's state. A snapshot fills it, events keep it up to date, and the page itself never changes it.
 * The reducers are pure functions; the store at the end of the file applies them.
 */
import type { PackageDefinitions } from '#contract/image/definition.ts';
import type { PackageIndentation } from '#contract/image/indentation.ts';
import type { Snapshot } from '#contract/rpc.ts';
import type { SystemProgress } from '#contract/image/system.ts';
import { underwayIn } from '#contract/image/underway.ts';
import { type ActivityLog, addActivity, addOlderActivity, fillGap } from './activity-log.ts';
import { call, on } from './bridge.ts';
import type { OutputBuffer } from './text/output.ts';
import { addOutput } from './text/outputs.ts';
import { makeStore } from './store.ts';

export interface Mirror extends Omit<Snapshot, 'activity' | 'definitions' | 'indentation' | 'workspace'> {
  activity: ActivityLog;
  /** Definitions by package name. */
  definitions: ReadonlyMap<string, PackageDefinitions>;
  /** The indentation patterns of macros, by package name. */
  indentation: ReadonlyMap<string, PackageIndentation>;
  /** Output by evaluation, the newest last; `PROCESS` stores output that belongs to no evaluation. */
  outputs: ReadonlyMap<string, OutputBuffer>;
  /** Progress of loading and testing systems, by evaluation, the newest last. */
  progress: ReadonlyMap<string, SystemProgress>;
  /** Evaluations that are waiting for a line of input, the oldest first, with the ids of their images. */
  inputRequests: readonly InputRequest[];
}

interface InputRequest {
  readonly evaluation: string;
  readonly image: string;
}

const PROGRESS = 24;

/** Returns the mirror for a snapshot. @internal Exported for tests. */
export function mirrorOf({ activity, definitions, indentation, workspace: _kept, ...rest }: Snapshot): Mirror {
  return {
    ...rest,
    activity: { events: activity, hasOlder: (activity[0]?.seq ?? 1) > 1, gaps: [], unheld: 0, filled: 0 },
    definitions: new Map(definitions.map((each) => [each.package, each])),
    indentation: new Map(indentation.map((each) => [each.name, each])),
    outputs: new Map(),
    progress: new Map(),
    inputRequests: [rest.session, ...rest.images].flatMap(({ id: image, state, suspended }) =>
      state === 'waiting-for-input' ? suspended.map(({ evaluation }) => ({ evaluation, image })) : [],
    ),
  };
}

/** Returns the definitions with the changed packages replaced. @internal Exported for its test. */
export function changeDefinitions(
  known: Mirror['definitions'],
  change: { packages: readonly PackageDefinitions[]; removedPackages: readonly string[] },
): Mirror['definitions'] {
  const next = new Map(known);
  for (const name of change.removedPackages) next.delete(name);
  for (const each of change.packages) {
    if (each.definitions.length + each.more > 0) next.set(each.package, each);
    else next.delete(each.package);
  }
  return next;
}

/**
 * Returns `known` with `latest` in place of the earlier progress of its evaluation. Drops the oldest entries if there are too many.
 * @internal Exported for its test.
 */
export function addProgress(known: Mirror['progress'], latest: SystemProgress, limit = PROGRESS): Mirror['progress'] {
  const others = [...known].filter(([evaluation]) => evaluation !== latest.evaluation).slice(-(limit - 1));
  return new Map([...others, [latest.evaluation, latest]]);
}

function isUnderway(session: Snapshot['session'], evaluation: string): boolean {
  return underwayIn(session).some((each) => each.evaluation === evaluation);
}

/** The mirror's store, filled by {@link startMirror} before anything is drawn. */
export const [mirror, useMirror] = makeStore<Mirror>({} as Mirror);

/**
 * Starts listening before it requests the snapshot, so that no event is missed. Returns the parts of the snapshot that the mirror does not
 * store.
 */
export async function startMirror(): Promise<Pick<Snapshot, 'workspace' | 'problems'>> {
  const early: (() => void)[] = [];
  let filled = false;
  const whenFilled = (change: () => void): void => {
    if (filled) change();
    else early.push(change);
  };
  const set = (change: (state: Mirror) => Partial<Mirror>): void => whenFilled(() => mirror.setState(change));

  on('session-changed', (session) =>
    set((state) => ({
      session,
      inputRequests: state.inputRequests.filter(
        ({ evaluation, image }) => image !== session.id || isUnderway(session, evaluation),
      ),
    })),
  );
  on('images-changed', (images) =>
    set((state) => ({
      images,
      inputRequests: state.inputRequests.filter(
        ({ evaluation, image }) =>
          image === state.session.id || images.some((each) => each.id === image && isUnderway(each, evaluation)),
      ),
    })),
  );
  on('repls-changed', (repls) => set(() => ({ repls })));
  on('servers-changed', (servers) => set(() => ({ servers })));
  on('clients-changed', (clients) => set(() => ({ clients })));
  on('hosted-agents-changed', (hostedAgents) => set(() => ({ hostedAgents })));
  on('admissions-changed', (admissions) => set(() => ({ admissions })));
  on('granted-changed', (granted) => set(() => ({ granted })));
  on('metrics-changed', (metrics) => set(() => ({ metrics })));
  on('alerts-changed', (alerts) => set(() => ({ alerts })));
  on('settings-changed', (settings) => set(() => ({ settings })));
  on('project-changed', (project) => set(() => ({ project })));
  on('loads-changed', (loads) => set(() => ({ loads })));
  on('debuggers-changed', (debuggers) => set(() => ({ debuggers })));
  on('breakpoints-changed', (breakpoints) => set(() => ({ breakpoints })));
  on('review-changed', ({ open, waiting }) => set(() => ({ reviewOpen: open, waitingApprovals: waiting })));
  on('definitions-changed', (change) =>
    set((state) => ({ definitions: changeDefinitions(state.definitions, change) })),
  );
  on('indentation-changed', ({ packages, removedPackages }) =>
    set((state) => {
      const indentation = new Map(state.indentation);
      for (const name of removedPackages) indentation.delete(name);
      for (const each of packages) indentation.set(each.name, each);
      return { indentation };
    }),
  );
  on('unreviewed-changed', (unreviewed) => set(() => ({ unreviewed })));
  on('deviations-changed', (deviations) => set(() => ({ deviations })));
  on('system-progress', (progress) => set((state) => ({ progress: addProgress(state.progress, progress) })));
  on('input-requested', (request) =>
    set(({ inputRequests }) =>
      inputRequests.some(({ evaluation }) => evaluation === request.evaluation)
        ? {}
        : { inputRequests: [...inputRequests, request] },
    ),
  );
  // Apply this immediately instead of together with later events, because a batch counts as received once the page has drawn it.
  on('activity-added', (rows) => set((state) => ({ activity: addActivity(state.activity, rows) })));
  on('output', (pieces) => set((state) => ({ outputs: addOutput(state.outputs, pieces) })));

  const snapshot = await call('app.snapshot', {});
  mirror.setState(mirrorOf(snapshot), true);
  filled = true;
  for (const change of early) change();
  return snapshot;
}

/** Removes an input request after the person has answered it or ended the input. */
export function forgetInputRequest(evaluation: string): void {
  mirror.setState((state) => ({
    inputRequests: state.inputRequests.filter((request) => request.evaluation !== evaluation),
  }));
}

/** Requests the events before the oldest known one. */
export async function loadOlderActivity(limit = 500): Promise<void> {
  const { activity } = mirror.getState();
  const oldest = activity.events[0]?.seq;
  if (!activity.hasOlder || oldest === undefined) return;
  const older = await call('activity.before', { seq: oldest, limit });
  mirror.setState((state) => ({ activity: addOlderActivity(state.activity, older, limit) }));
}

/** Requests the events that the page missed because it was too slow, the newest first, as far as they are still stored. */
export async function loadMissingActivity(limit = 1000): Promise<void> {
  for (let gap = mirror.getState().activity.gaps.at(-1); gap; gap = mirror.getState().activity.gaps.at(-1)) {
    const asked = gap;
    const found = await call('activity.before', { seq: asked.before, limit });
    mirror.setState((state) => ({ activity: fillGap(state.activity, asked, found, limit) }));
  }
}
