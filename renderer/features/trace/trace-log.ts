/**
 * The calls of traced functions as a tree. Each run of a thread has its calls below it, and each call the calls that it made. The size of
 * the tree is limited: if there are too many calls, the oldest finished calls are removed with all calls below them.
 */
import type { Actor } from '#contract/image/session.ts';
import type { TracedCall } from '#contract/image/observation/profiling.ts';
import type { TracedCalls } from '#contract/image/observation/tracing.ts';
import type { TreeRow } from '../../ui/panels/tree.tsx';

/** The maximum number of calls that are stored. */
const MOST_CALLS = 100_000;
/** The share of the calls that is left after a removal. It is less than 1, so that not every new call causes another removal. */
const LEFT = 0.9;

type Value = TracedCall['values'][number];

abstract class Node implements TreeRow {
  readonly children: CallNode[] = [];
  folded = false;
  /** The number of children that were removed from the beginning of the list. */
  gone = 0;
  readonly id: string;
  readonly level: number;

  constructor(id: string, level: number) {
    this.id = id;
    this.level = level;
  }

  abstract readonly label: string;
  abstract readonly position: number;
  abstract readonly siblings: number;

  get expanded(): boolean | null {
    return this.children.length === 0 ? null : !this.folded;
  }
}

/** A thread in which an evaluation called traced functions. */
export class ThreadNode extends Node {
  readonly kind = 'thread';
  readonly thread: string;
  readonly actor: Actor;
  readonly summary: string;
  readonly #all: readonly ThreadNode[];

  constructor(
    id: string,
    { thread, actor, summary }: Pick<ThreadNode, 'thread' | 'actor' | 'summary'>,
    all: readonly ThreadNode[],
  ) {
    super(id, 1);
    this.thread = thread;
    this.actor = actor;
    this.summary = summary;
    this.#all = all;
  }

  get label(): string {
    return `${this.thread}, ${this.summary}, by ${this.actor.name}`;
  }

  get position(): number {
    return this.#all.indexOf(this) + 1;
  }

  get siblings(): number {
    return this.#all.length;
  }
}

/** A call of a traced function. */
export class CallNode extends Node {
  readonly kind = 'call';
  readonly caller: ThreadNode | CallNode;
  readonly begun: TracedCall;
  /** The reported end of the call; null while the call is running. */
  ended: TracedCall | null = null;
  readonly #place: number;

  constructor(id: string, caller: ThreadNode | CallNode, begun: TracedCall) {
    super(id, caller.level + 1);
    this.caller = caller;
    this.begun = begun;
    this.#place = caller.gone + caller.children.length;
  }

  get function(): string {
    return this.begun.function;
  }

  get values(): readonly Value[] {
    return this.ended?.values ?? [];
  }

  get label(): string {
    const { begun, ended } = this;
    const call = `(${[begun.function, ...begun.values.map(({ text }) => text)].join(' ')}${begun.more > 0 ? ' …' : ''})`;
    if (ended === null) return `${call} runs`;
    const took = ended.took === null ? '' : `, ${microseconds(ended.took)}`;
    if (ended.kind === 'unwound') return `${call} exited without a value${took}`;
    const values = ended.values.length === 0 ? 'no values' : ended.values.map(({ text }) => text).join(', ');
    return `${call} → ${values}${ended.more > 0 ? ' …' : ''}${took}`;
  }

  get position(): number {
    return this.#place - this.caller.gone + 1;
  }

  get siblings(): number {
    return this.caller.children.length;
  }

  /** True if a lower-case text occurs in the name, an argument or a value of the call. */
  has(text: string): boolean {
    const parts = [
      this.begun.function,
      ...this.begun.values.map((each) => each.text),
      ...this.values.map((each) => each.text),
    ];
    return parts.some((part) => part.toLowerCase().includes(text));
  }
}

export type TraceNode = ThreadNode | CallNode;

interface Run {
  readonly calls: Map<number, CallNode>;
  readonly threads: Map<string, ThreadNode>;
  /** The number of calls that the image did not report. */
  untold: number;
}

export class TraceLog {
  readonly threads: ThreadNode[] = [];
  /** The call that began last; null if none is stored. */
  newest: CallNode | null = null;
  /** The number of stored calls. */
  count = 0;
  /** The number of calls that were removed, or not stored because the tree was full. */
  #gone = 0;
  readonly #runs = new Map<string, Run>();
  readonly #most: number;
  #threadsMade = 0;

  constructor(most = MOST_CALLS) {
    this.#most = most;
  }

  /** The number of calls that are not shown. */
  get dropped(): number {
    return [...this.#runs.values()].reduce((sum, { untold }) => sum + untold, this.#gone);
  }

  /**
   * Adds the reported calls of an evaluation. With `onlyEnds`, only records the ends of calls that are already stored. Returns the number
   * of calls that it skipped.
   */
  take({ evaluation, actor, summary, calls, dropped }: TracedCalls, onlyEnds = false): number {
    const known = this.#runs.get(evaluation);
    if (!known && onlyEnds) return calls.filter(({ kind }) => kind === 'enter').length;
    const run = known ?? { calls: new Map(), threads: new Map(), untold: 0 };
    this.#runs.set(evaluation, run);
    run.untold = dropped;
    let left = 0;
    for (const each of calls) {
      if (each.kind !== 'enter') {
        const node = run.calls.get(each.call);
        if (node) node.ended = each;
      } else if (onlyEnds) left += 1;
      else this.#begin(run, { evaluation, actor, summary }, each);
    }
    return left;
  }

  #begin(run: Run, of: { evaluation: string; actor: Actor; summary: string }, begun: TracedCall): void {
    if (this.count >= this.#most) this.#makeRoom();
    const caller = begun.caller === null ? this.#threadOf(run, of, begun) : run.calls.get(begun.caller);
    // A call whose caller is not stored would appear in a wrong place.
    if (!caller || this.count >= this.#most) {
      this.#gone += 1;
      return;
    }
    const node = new CallNode(`${of.evaluation} ${begun.call}`, caller, begun);
    caller.children.push(node);
    run.calls.set(begun.call, node);
    this.newest = node;
    this.count += 1;
  }

  #threadOf(
    run: Run,
    { evaluation, actor, summary }: { evaluation: string; actor: Actor; summary: string },
    begun: TracedCall,
  ) {
    const key = `${begun.threadId} ${begun.thread}`;
    const known = run.threads.get(key);
    if (known) return known;
    this.#threadsMade += 1;
    const made = new ThreadNode(
      `${evaluation} thread ${this.#threadsMade}`,
      { thread: begun.thread, actor, summary },
      this.threads,
    );
    run.threads.set(key, made);
    this.threads.push(made);
    return made;
  }

  /** Removes the oldest finished calls. */
  #makeRoom(): void {
    const wanted = Math.floor(this.#most * LEFT);
    for (const thread of this.threads.slice()) {
      let going = 0;
      while (this.count > wanted && thread.children[going]?.ended) {
        this.#forget(thread.children[going]!);
        going += 1;
      }
      thread.children.splice(0, going);
      thread.gone += going;
      if (thread.children.length === 0) this.#forgetThread(thread);
      if (this.count <= wanted) return;
    }
  }

  #forget(call: CallNode): void {
    const run = this.#runs.get(call.id.slice(0, call.id.lastIndexOf(' ')));
    for (const each of within(call)) {
      run?.calls.delete(each.begun.call);
      this.count -= 1;
      this.#gone += 1;
      if (each === this.newest) this.newest = null;
    }
  }

  #forgetThread(thread: ThreadNode): void {
    this.threads.splice(this.threads.indexOf(thread), 1);
    for (const [evaluation, run] of this.#runs) {
      for (const [key, each] of run.threads) if (each === thread) run.threads.delete(key);
      if (run.threads.size > 0) continue;
      this.#gone += run.untold;
      this.#runs.delete(evaluation);
    }
  }
}

/** Yields a call and all calls below it, in their order. Uses a stack instead of recursion, because the depth is unbounded. */
function* within(call: CallNode): Generator<CallNode> {
  const stack = [call];
  for (let node = stack.pop(); node; node = stack.pop()) {
    yield node;
    for (let at = node.children.length - 1; at >= 0; at -= 1) stack.push(node.children[at]!);
  }
}

/**
 * Returns the visible rows of the tree; rows below folded rows are not visible. With a filter, returns the calls that contain the filter's
 * text, and the callers of these calls.
 */
export function shownRows(log: TraceLog, filter: string): { rows: TraceNode[]; found: number } {
  const text = filter.trim().toLowerCase();
  const wanted = text === '' ? null : matchesIn(log, text);
  const rows: TraceNode[] = [];
  const stack: TraceNode[] = log.threads.toReversed();
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (wanted && !wanted.shown.has(node)) continue;
    rows.push(node);
    if (node.folded) continue;
    for (let at = node.children.length - 1; at >= 0; at -= 1) stack.push(node.children[at]!);
  }
  return { rows, found: wanted?.found ?? log.count };
}

function matchesIn(log: TraceLog, text: string): { shown: ReadonlySet<TraceNode>; found: number } {
  const shown = new Set<TraceNode>();
  let found = 0;
  for (const thread of log.threads)
    for (const root of thread.children)
      for (const call of within(root)) {
        if (!call.has(text)) continue;
        found += 1;
        for (let at: TraceNode | null = call; at && !shown.has(at); at = at.kind === 'call' ? at.caller : null)
          shown.add(at);
      }
  return { shown, found };
}

/** Folds or unfolds a row with all rows below it. */
export function foldAll(node: TraceNode, folded: boolean): void {
  node.folded = folded && node.children.length > 0;
  for (const root of node.children) for (const each of within(root)) each.folded = folded && each.children.length > 0;
}

/** Returns a time as text: `12 µs`, `3.4 ms`, `1.2 s`. */
export function microseconds(time: number): string {
  if (time < 1) return '<1 µs';
  if (time < 1_000) return `${Math.round(time)} µs`;
  return time < 1_000_000 ? `${(time / 1_000).toPrecision(3)} ms` : `${(time / 1_000_000).toPrecision(3)} s`;
}
