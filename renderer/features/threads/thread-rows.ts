/**
 * The threads of an image as rows: the threads of the user's code first, and the threads of the engine and of SBCL folded below them. Pure.
 */
import type { ActivityEvent } from '#contract/decisions/activity.ts';
import type { ThreadRecord } from '#contract/image/observation/profiling.ts';
import type { Actor, Session } from '#contract/image/session.ts';
import { underwayIn } from '#contract/image/underway.ts';
import { plural } from '#contract/text/text.ts';
import { milliseconds } from '../../base/image/result-text.ts';
import type { TreeRow } from '../../ui/panels/tree.tsx';

/** The evaluation that a thread works for. */
export interface ThreadWork {
  readonly evaluation: string;
  readonly actor: Actor;
  /** The first line of its code. */
  readonly code: string;
  /** `ended`: the thread is still running although the evaluation that started it has ended. */
  readonly state: 'runs' | 'waits' | 'ended';
}

export interface ThreadRow extends TreeRow {
  readonly kind: 'thread';
  readonly thread: ThreadRecord;
  readonly name: string;
  readonly work: ThreadWork | null;
  readonly state: string;
  readonly processor: string;
}

export interface EngineRow extends TreeRow {
  readonly kind: 'engine';
}

/** Each thread's share of processor time since the previous list, by the thread's id; 1 is one whole processor. */
export type Shares = ReadonlyMap<number, number>;

/** Computes the shares from two lists that were made `passedMs` apart. */
export function sharesBetween(before: readonly ThreadRecord[], now: readonly ThreadRecord[], passedMs: number): Shares {
  const known = new Map(before.map(({ id, cpuMs }) => [id, cpuMs]));
  return new Map(
    now.flatMap(({ id, cpuMs }) => {
      const earlier = known.get(id) ?? null;
      if (id === null || cpuMs === null || earlier === null || passedMs <= 0) return [];
      return [[id, Math.max(0, (cpuMs - earlier) / passedMs)]];
    }),
  );
}

/** Returns the data about an evaluation: from the session while the evaluation is running, otherwise from the activity events. */
export function workOf(
  evaluation: string,
  session: Pick<Session, 'running' | 'overtaken' | 'suspended'>,
  events: readonly ActivityEvent[],
): ThreadWork | null {
  const underway = underwayIn(session).find((each) => each.evaluation === evaluation);
  if (underway)
    return {
      evaluation,
      actor: underway.actor,
      code: underway.summary,
      state: session.suspended.includes(underway) ? 'waits' : 'runs',
    };
  const begun = events.findLast(
    (event) =>
      (event.kind === 'evaluation-started' && event.evaluation === evaluation) ||
      (event.kind === 'call-started' && event.call === evaluation),
  );
  if (begun?.kind === 'evaluation-started') return { evaluation, actor: begun.actor, code: begun.code, state: 'ended' };
  if (begun?.kind === 'call-started') return { evaluation, actor: begun.actor, code: begun.summary, state: 'ended' };
  return null;
}

/** Returns the evaluation that a thread works for as text, such as `claude-code: (serve)`. */
export function workWords({ actor, code, state }: ThreadWork): string {
  return `${actor.name}: ${code}${state === 'ended' ? ' (has ended)' : ''}`;
}

/** True for a thread that the person can end: a running thread of the user's code. */
export function canEnd({ ours, alive, id }: ThreadRecord): boolean {
  return !ours && alive && id !== null;
}

/** Returns the rows of threads. The idle threads of the engine and of SBCL are below a single row that can be opened. */
export function threadRows(
  threads: readonly ThreadRecord[],
  { shares, opened, workFor }: { shares: Shares; opened: boolean; workFor: (evaluation: string) => ThreadWork | null },
): (ThreadRow | EngineRow)[] {
  const isIdle = ({ ours, evaluation }: ThreadRecord): boolean => ours && evaluation === null;
  const shown = threads.filter((thread) => !isIdle(thread));
  const idle = threads.filter(isIdle);
  const row = (level: number) => (thread: ThreadRecord, index: number, all: readonly ThreadRecord[]) =>
    threadRow(thread, {
      work: thread.evaluation === null ? null : workFor(thread.evaluation),
      share: thread.id === null ? null : (shares.get(thread.id) ?? null),
      place: { level, position: index + 1, siblings: level === 1 ? all.length + 1 : all.length },
      index,
    });
  const engine: EngineRow = {
    kind: 'engine',
    id: 'engine',
    level: 1,
    label: `${plural(idle.length, 'thread')} of Lisp Workbench and SBCL`,
    expanded: opened,
    position: shown.length + 1,
    siblings: shown.length + 1,
  };
  return [...shown.map(row(1)), ...(idle.length > 0 ? [engine] : []), ...(opened ? idle.map(row(2)) : [])];
}

interface RowParts {
  work: ThreadWork | null;
  share: number | null;
  place: Pick<TreeRow, 'level' | 'position' | 'siblings'>;
  index: number;
}

function threadRow(thread: ThreadRecord, { work, share, place, index }: RowParts): ThreadRow {
  const name = thread.name ?? 'without a name';
  const state = stateOf(thread, work);
  const processor = processorWords(thread.cpuMs, share);
  // The label begins with the drawn text in its order, so that voice control finds the row.
  const drawn = [name, state, work?.code ?? '', processor];
  const whose = work === null ? [] : [`by ${work.actor.name}`, work.state === 'ended' ? 'evaluation has ended' : ''];
  return {
    kind: 'thread',
    id: thread.id === null ? `unknown ${index}` : String(thread.id),
    ...place,
    label: [...drawn, ...whose].filter((part) => part !== '').join(', '),
    expanded: null,
    thread,
    name,
    work,
    state,
    processor,
  };
}

function stateOf({ alive, state, ours }: ThreadRecord, work: ThreadWork | null): string {
  if (!alive) return 'ended';
  // A worker is suspended while its evaluation has stopped in a debugger, or is waiting for input or a decision.
  if (ours && work?.state === 'waits') return 'suspended';
  return state ?? '';
}

/**
 * Returns the processor use as text: the share since the previous list, and the total time. The text is empty if the system does not report
 * processor times.
 */
function processorWords(cpuMs: number | null, share: number | null): string {
  if (cpuMs === null) return '';
  const total = cpuMs === 0 ? '0 s' : milliseconds(cpuMs);
  return share === null ? total : `${Math.round(share * 100)} % · ${total}`;
}
