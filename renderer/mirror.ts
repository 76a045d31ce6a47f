/**
 * What the page knows of the core: filled by one snapshot, kept current by events, never changed by the page itself.
 * The reducers are plain functions; the store at the end feeds them.
 */
import { createStore, useStore } from 'zustand';
import type { ActivityEvent } from '#contract/activity.ts';
import type { PackageDefinitions } from '#contract/definition.ts';
import type { Snapshot } from '#contract/rpc.ts';
import type { SystemProgress } from '#contract/system.ts';
import { call, on } from './bridge.ts';
import {
  appendOutput,
  emptyOutput,
  EVALUATION_LIMIT,
  type OutputBuffer,
  PROCESS_LIMIT,
  type Stream,
} from './output.ts';

export interface Mirror extends Omit<Snapshot, 'activity' | 'definitions' | 'workspace'> {
  activity: ActivityLog;
  /** By package name. */
  definitions: ReadonlyMap<string, PackageDefinitions>;
  /** Output by evaluation, the newest last; `PROCESS` holds what no evaluation printed. */
  outputs: ReadonlyMap<string, OutputBuffer>;
  /** How far loads and tests of systems are, by evaluation, the newest last. */
  progress: ReadonlyMap<string, SystemProgress>;
  /** Evaluations that wait for a line of input, the oldest first. */
  inputRequests: readonly string[];
}

export interface ActivityLog {
  /** Oldest first. */
  readonly events: readonly ActivityEvent[];
  /** Older events may be asked for. */
  readonly hasOlder: boolean;
}

/** Key of the output that belongs to no evaluation. */
export const PROCESS = '';
const ACTIVITY_LIMIT = 120_000;
const OUTPUT_BUFFERS = 600;
const PROGRESS = 24;

function mirrorOf({ activity, definitions, workspace: _kept, ...rest }: Snapshot): Mirror {
  return {
    ...rest,
    activity: { events: activity, hasOlder: (activity[0]?.seq ?? 1) > 1 },
    definitions: new Map(definitions.map((each) => [each.package, each])),
    outputs: new Map(),
    progress: new Map(),
    inputRequests: rest.session.state === 'waiting-for-input' ? rest.session.parked.map((each) => each.evaluation) : [],
  };
}

/** The log with newer events; those it has already are skipped. */
export function addActivity(log: ActivityLog, added: readonly ActivityEvent[], limit = ACTIVITY_LIMIT): ActivityLog {
  const newest = log.events[log.events.length - 1]?.seq ?? 0;
  const fresh = added.filter((event) => event.seq > newest);
  if (fresh.length === 0) return log;
  const events = [...log.events, ...fresh];
  return events.length > limit ? { events: events.slice(-limit), hasOlder: true } : { ...log, events };
}

/** The log with older events before its own. */
export function addOlderActivity(log: ActivityLog, older: readonly ActivityEvent[], asked: number): ActivityLog {
  const oldest = log.events[0]?.seq ?? Number.POSITIVE_INFINITY;
  const fresh = older.filter((event) => event.seq < oldest);
  return {
    events: [...fresh, ...log.events],
    hasOlder: fresh.length > 0 && older.length >= asked && (fresh[0]?.seq ?? 1) > 1,
  };
}

export function changeDefinitions(
  known: Mirror['definitions'],
  change: { packages: readonly PackageDefinitions[]; removedPackages: readonly string[] },
): Mirror['definitions'] {
  const next = new Map(known);
  for (const name of change.removedPackages) next.delete(name);
  for (const each of change.packages) {
    if (each.definitions.length > 0) next.set(each.package, each);
    else next.delete(each.package);
  }
  return next;
}

/** With the latest of each evaluation; the oldest leave when there are too many. */
export function addProgress(known: Mirror['progress'], latest: SystemProgress, limit = PROGRESS): Mirror['progress'] {
  const others = [...known].filter(([evaluation]) => evaluation !== latest.evaluation).slice(-(limit - 1));
  return new Map([...others, [latest.evaluation, latest]]);
}

export interface OutputEvent {
  evaluation: string | null;
  stream: Stream;
  text: string;
}

/** All outputs with a batch of new text; whole buffers are dropped, oldest first, when there are too many. */
export function addOutput(
  outputs: Mirror['outputs'],
  batch: readonly OutputEvent[],
  limit = OUTPUT_BUFFERS,
): Mirror['outputs'] {
  const next = new Map(outputs);
  for (const { evaluation, stream, text } of batch) {
    const key = evaluation ?? PROCESS;
    next.set(
      key,
      appendOutput(next.get(key) ?? emptyOutput, stream, text, key === PROCESS ? PROCESS_LIMIT : EVALUATION_LIMIT),
    );
  }
  for (const key of next.keys()) {
    if (next.size <= limit) break;
    if (key !== PROCESS) next.delete(key);
  }
  return next;
}

/** Filled by {@link startMirror} before anything is drawn. */
export const mirror = createStore<Mirror>(() => ({}) as Mirror);

export function useMirror<Part>(select: (state: Mirror) => Part): Part {
  return useStore(mirror, select);
}

/** Listens first and asks then, so that nothing is missed in between. What is not kept here is handed back. */
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
      inputRequests: state.inputRequests.filter((id) =>
        [session.running, ...session.parked].some((each) => each?.evaluation === id),
      ),
    })),
  );
  on('server-changed', (server) => set(() => ({ server })));
  on('clients-changed', (clients) => set(() => ({ clients })));
  on('admissions-changed', (admissions) => set(() => ({ admissions })));
  on('granted-changed', (granted) => set(() => ({ granted })));
  on('metrics-changed', (metrics) => set(() => ({ metrics })));
  on('alerts-changed', (alerts) => set(() => ({ alerts })));
  on('settings-changed', (settings) => set(() => ({ settings })));
  on('project-changed', (project) => set(() => ({ project })));
  on('loads-changed', (loads) => set(() => ({ loads })));
  on('review-changed', ({ open, waiting }) => set(() => ({ reviewOpen: open, waitingApprovals: waiting })));
  on('definitions-changed', (change) =>
    set((state) => ({ definitions: changeDefinitions(state.definitions, change) })),
  );
  on('unreviewed-changed', (unreviewed) => set(() => ({ unreviewed })));
  on('deviations-changed', (deviations) => set(() => ({ deviations })));
  on('system-progress', (progress) => set((state) => ({ progress: addProgress(state.progress, progress) })));
  on('input-requested', ({ evaluation }) =>
    set((state) =>
      state.inputRequests.includes(evaluation) ? {} : { inputRequests: [...state.inputRequests, evaluation] },
    ),
  );
  const addRows = batched<ActivityEvent>((rows) => set((state) => ({ activity: addActivity(state.activity, rows) })));
  on('activity-added', (rows) => addRows(...rows));
  const addText = batched<OutputEvent>((batch) => set((state) => ({ outputs: addOutput(state.outputs, batch) })));
  on('output', (event) => addText(event));

  const snapshot = await call('app.snapshot', {});
  mirror.setState(mirrorOf(snapshot), true);
  filled = true;
  for (const change of early) change();
  return snapshot;
}

/** The person answered, or ended the input. */
export function forgetInputRequest(evaluation: string): void {
  mirror.setState((state) => ({ inputRequests: state.inputRequests.filter((id) => id !== evaluation) }));
}

/** Asks for the events before the oldest known one. */
export async function loadOlderActivity(limit = 500): Promise<void> {
  const { activity } = mirror.getState();
  const oldest = activity.events[0]?.seq;
  if (!activity.hasOlder || oldest === undefined) return;
  const older = await call('activity.before', { seq: oldest, limit });
  mirror.setState((state) => ({ activity: addOlderActivity(state.activity, older, limit) }));
}

/** Gathers what arrives until the next frame; a hidden window has no frames, so a timer stands by. */
function batched<Item>(flush: (items: Item[]) => void): (...items: Item[]) => void {
  let waiting: Item[] = [];
  let scheduled = false;
  const run = (): void => {
    if (!scheduled) return;
    scheduled = false;
    const items = waiting;
    waiting = [];
    flush(items);
  };
  return (...items) => {
    waiting.push(...items);
    if (scheduled) return;
    scheduled = true;
    requestAnimationFrame(run);
    setTimeout(run, 100);
  };
}
