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
  skipOutput,
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
  /** What came while the page could not follow, and may be asked for, oldest first. */
  readonly gaps: readonly ActivityGap[];
  /** Events that are in the record on disk alone by now. */
  readonly unheld: number;
  /** Counts how often events were put between others. */
  readonly filled: number;
}

/** Events that are missing: those after number `after` and before number `before`. */
export interface ActivityGap {
  readonly after: number;
  readonly before: number;
}

/** Key of the output that belongs to no evaluation. */
export const PROCESS = '';
const ACTIVITY_LIMIT = 120_000;
const OUTPUT_BUFFERS = 600;
const PROGRESS = 24;

function mirrorOf({ activity, definitions, workspace: _kept, ...rest }: Snapshot): Mirror {
  return {
    ...rest,
    activity: { events: activity, hasOlder: (activity[0]?.seq ?? 1) > 1, gaps: [], unheld: 0, filled: 0 },
    definitions: new Map(definitions.map((each) => [each.package, each])),
    outputs: new Map(),
    progress: new Map(),
    inputRequests: rest.session.state === 'waiting-for-input' ? rest.session.parked.map((each) => each.evaluation) : [],
  };
}

/** The log with newer events; those it has already are skipped, and where some are missing there is a gap. */
export function addActivity(log: ActivityLog, added: readonly ActivityEvent[], limit = ACTIVITY_LIMIT): ActivityLog {
  const newest = log.events[log.events.length - 1]?.seq ?? 0;
  const fresh = added.filter((event) => event.seq > newest);
  if (fresh.length === 0) return log;
  const gap = { after: newest, before: fresh[0]!.seq };
  if (newest === 0) return { ...log, events: fresh.slice(-limit), hasOlder: gap.before > 1 || fresh.length > limit };
  const gaps = gap.before > gap.after + 1 ? [...log.gaps, gap] : log.gaps;
  const events = [...log.events, ...fresh];
  if (events.length <= limit) return { ...log, events, gaps };
  const kept = events.slice(-limit);
  return { ...log, events: kept, gaps: gaps.filter(({ after }) => after >= kept[0]!.seq), hasOlder: true };
}

/** The log with older events before its own. */
export function addOlderActivity(log: ActivityLog, older: readonly ActivityEvent[], asked: number): ActivityLog {
  const oldest = log.events[0]?.seq ?? Number.POSITIVE_INFINITY;
  const fresh = older.filter((event) => event.seq < oldest);
  return {
    ...log,
    events: [...fresh, ...log.events],
    hasOlder: fresh.length > 0 && older.length >= asked && (fresh[0]?.seq ?? 1) > 1,
  };
}

/**
 * The log with the newest events of a gap: those before its end, of which there were `asked` or all that are held. What is
 * still missing then is a smaller gap, or is not held any more.
 */
export function fillGap(
  log: ActivityLog,
  gap: ActivityGap,
  found: readonly ActivityEvent[],
  asked: number,
): ActivityLog {
  if (!log.gaps.includes(gap)) return log;
  const fresh = found.filter(({ seq }) => seq > gap.after && seq < gap.before);
  const before = fresh[0]?.seq ?? gap.before;
  const missing = before - gap.after - 1;
  const more = missing > 0 && found.length >= asked;
  const at = log.events.findIndex(({ seq }) => seq >= gap.before);
  return {
    ...log,
    events: log.events.toSpliced(at, 0, ...fresh),
    gaps: log.gaps.flatMap((each) => (each !== gap ? [each] : more ? [{ after: gap.after, before }] : [])),
    unheld: log.unheld + (more ? 0 : missing),
    filled: log.filled + 1,
  };
}

/** How many events are missing and may be asked for. */
export function missingActivity({ gaps }: ActivityLog): number {
  return gaps.reduce((sum, { after, before }) => sum + before - after - 1, 0);
}

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

/** With the latest of each evaluation; the oldest leave when there are too many. */
export function addProgress(known: Mirror['progress'], latest: SystemProgress, limit = PROGRESS): Mirror['progress'] {
  const others = [...known].filter(([evaluation]) => evaluation !== latest.evaluation).slice(-(limit - 1));
  return new Map([...others, [latest.evaluation, latest]]);
}

export interface OutputEvent {
  evaluation: string | null;
  stream: Stream;
  text: string;
  /** Characters before it that did not come. */
  left: number;
}

/** All outputs with a batch of new text; whole buffers are dropped, oldest first, when there are too many. */
export function addOutput(
  outputs: Mirror['outputs'],
  batch: readonly OutputEvent[],
  limit = OUTPUT_BUFFERS,
): Mirror['outputs'] {
  const next = new Map(outputs);
  for (const { evaluation, stream, text, left } of batch) {
    const key = evaluation ?? PROCESS;
    const known = skipOutput(next.get(key) ?? emptyOutput, left);
    next.set(key, appendOutput(known, stream, text, key === PROCESS ? PROCESS_LIMIT : EVALUATION_LIMIT));
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
  // At once: a batch counts as taken when the page has drawn it.
  on('activity-added', (rows) => set((state) => ({ activity: addActivity(state.activity, rows) })));
  on('output', (pieces) => set((state) => ({ outputs: addOutput(state.outputs, pieces) })));

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

/** Asks for the events that came while the page could not follow, the newest first, as far as they are held. */
export async function loadMissingActivity(limit = 1000): Promise<void> {
  for (let gap = mirror.getState().activity.gaps.at(-1); gap; gap = mirror.getState().activity.gaps.at(-1)) {
    const asked = gap;
    const found = await call('activity.before', { seq: asked.before, limit });
    mirror.setState((state) => ({ activity: fillGap(state.activity, asked, found, limit) }));
  }
}
