/**
 * The activity stream as rows: a call and its end are one row, with the events inside the call and its checkpoint below it. New events
 * extend the rows; finished rows are not computed again.
 */
import type { ActivityEvent } from '#contract/decisions/activity.ts';
import { briefOf, type CallContents } from './brief-calls.ts';
import { type ActivityRow, definitionRow, ended, rowOf } from './row-model.ts';

/** The number of the latest rows that are searched for the call to which a new checkpoint belongs. */
const NEAR = 500;

interface Node {
  row: ActivityRow;
  readonly parent: Node | null;
  /** The latest child. */
  tail: Node | null;
  /** The rows inside an outermost row. */
  contents: Omit<CallContents, 'evaluation'> & { readonly evaluation: Node | null };
}

const EMPTY: Node['contents'] = { evaluation: null, definitions: 0, hasMore: false };

export class ActivityRows {
  /** All rows in the order in which they started; children follow their parents. */
  readonly #rows: ActivityRow[] = [];
  readonly #calls = new Map<string, Node>();
  readonly #evaluations = new Map<string, Node>();
  readonly #approvals = new Map<string, Node>();
  /** Rows of definitions by session, life and event. */
  readonly #definitions = new Map<string, Node>();
  #first = Number.POSITIVE_INFINITY;
  #last = 0;
  #changedFrom = 0;

  constructor(events: readonly ActivityEvent[] = []) {
    this.add(events);
  }

  get rows(): readonly ActivityRow[] {
    return this.#rows;
  }

  /** Returns the sequence numbers of the first and the last event. */
  get span(): { first: number; last: number } {
    return { first: this.#first, last: this.#last };
  }

  /** Returns the lowest index that changed since the last call. */
  takeChange(): number {
    const from = this.#changedFrom;
    this.#changedFrom = this.#rows.length;
    return from;
  }

  /** Returns the row of a call and the rows within it, in order, without its checkpoint; empty if the call is unknown. */
  of(call: string): readonly ActivityRow[] {
    const node = this.#calls.get(call);
    if (!node) return [];
    const first = this.#rows.lastIndexOf(node.row);
    let behind = first + 1;
    while ((this.#rows[behind]?.depth ?? 0) > node.row.depth) behind += 1;
    return this.#rows.slice(first, behind).filter(({ checkpoint }) => !checkpoint);
  }

  /** Adds later events, ordered by `seq`. */
  add(events: readonly ActivityEvent[]): void {
    for (const event of events) {
      this.#first = Math.min(this.#first, event.seq);
      this.#last = event.seq;
      this.#add(event);
    }
  }

  #add(event: ActivityEvent): void {
    switch (event.kind) {
      case 'call-started':
        this.#calls.set(event.call, this.#open(rowOf(event), this.#whole(event.parent)));
        return;
      case 'evaluation-started':
        this.#evaluations.set(event.evaluation, this.#open(rowOf(event), this.#whole(event.parent)));
        return;
      case 'approval-requested':
        this.#approvals.set(event.approval, this.#open(rowOf(event), this.#whole(event.parent)));
        return;
      case 'call-finished':
        return this.#end(this.#calls.get(event.call), event);
      case 'evaluation-finished':
        return this.#end(this.#evaluations.get(event.evaluation), event);
      case 'approval-decided':
        return this.#end(this.#approvals.get(event.approval), event);
      case 'definitions-changed':
        return this.#define(event);
      case 'approval-undone': {
        const undone = this.#approvals.get(event.approval);
        if (undone && event.success) this.#replace(undone, { ...undone.row, undone: true });
        this.#open(rowOf(event), null);
        return;
      }
      case 'session-changed':
        if (event.change === 'checkpoint') this.#addCheckpoint(rowOf(event));
        else this.#open(rowOf(event), null);
        return;
      case 'effect':
      case 'client-changed':
      case 'server-changed':
        this.#open(rowOf(event), this.#whole(event.parent));
    }
  }

  /** Returns the evaluation with this id or, if there is none, the call with this id. */
  #whole(id: string | null): Node | null {
    return id === null ? null : (this.#evaluations.get(id) ?? this.#calls.get(id) ?? null);
  }

  #define(event: Extract<ActivityEvent, { kind: 'definitions-changed' }>): void {
    const parent = this.#whole(event.evaluation);
    for (let around = parent; around; around = around.parent)
      if (!around.row.defines) this.#replace(around, { ...around.row, defines: true });
    if (parent) {
      const { contents } = outermost(parent);
      const definitions = contents.definitions + event.definitions.length + event.more;
      outermost(parent).contents = { ...contents, definitions };
    }
    event.definitions.forEach((definition, index) => {
      const key = (id: number): string => `${event.session} ${definition.life} ${id}`;
      this.#definitions.set(key(definition.event), this.#open(definitionRow(event, definition, index), parent));
      const undone = definition.undoes === null ? undefined : this.#definitions.get(key(definition.undoes));
      if (undone) this.#replace(undone, { ...undone.row, undone: true, outcomeText: `undone by ${event.actor.name}` });
    });
    if (event.more > 0) this.#open(rowOf(event), parent);
  }

  /** Ends a row. If its starting event is no longer stored, the end gets its own row. */
  #end(node: Node | undefined, event: Parameters<typeof ended>[1]): void {
    if (node) this.#replace(node, ended(node.row, event));
    else this.#open(rowOf(event), this.#whole(event.parent));
  }

  /**
   * Adds the row of a checkpoint. A checkpoint "before codex's evaluation" comes first inside the call for which it was taken, or before
   * an evaluation that is in no call, although that call or evaluation has already started.
   */
  #addCheckpoint(row: ActivityRow): void {
    const place = this.#placeOf(row.detail);
    const cause = this.#rows[place];
    const call = cause?.kind === 'call' ? this.#calls.get(cause.run ?? '') : undefined;
    if (!call) {
      this.#open(row, null, place);
      return;
    }
    const node: Node = {
      row: { ...row, actor: call.row.actor, depth: 1, parent: call.row.id },
      parent: call,
      tail: null,
      contents: EMPTY,
    };
    this.#rows.splice(place + 1, 0, node.row);
    this.#changed(place + 1);
    call.tail ??= node;
    this.#replace(call, { ...call.row, children: call.row.children + 1 });
  }

  /** Returns the index of the row for which a checkpoint was taken; the number of rows if there is none. */
  #placeOf(label: string): number {
    for (let at = this.#rows.length - 1; at >= Math.max(0, this.#rows.length - NEAR); at -= 1) {
      const { depth, outcome, actor } = this.#rows[at]!;
      const whose = actor.kind === 'person' ? 'your' : actor.name;
      if (depth === 0 && outcome === 'running' && label.startsWith(`before ${whose}`)) return at;
    }
    return this.#rows.length;
  }

  #open(row: ActivityRow, parent: Node | null, place = this.#rows.length): Node {
    const node: Node = { row, parent, tail: null, contents: EMPTY };
    if (!parent) {
      this.#changed(place);
      if (place === this.#rows.length) this.#rows.push(row);
      else this.#rows.splice(place, 0, row);
      return node;
    }
    let last = parent;
    while (last.tail) last = last.tail;
    const at = this.#rows.lastIndexOf(last.row) + 1;
    node.row = { ...row, depth: parent.row.depth + 1, parent: parent.row.id };
    this.#changed(at);
    if (at === this.#rows.length) this.#rows.push(node.row);
    else this.#rows.splice(at, 0, node.row);
    parent.tail = node;
    this.#contain(node, outermost(parent));
    this.#replace(parent, { ...parent.row, children: parent.row.children + 1 });
    return node;
  }

  /** Records a new row inside an outermost row. Definitions are counted by their event. */
  #contain(node: Node, around: Node): void {
    if (node.row.kind === 'definition') return;
    const isFirst = node.row.kind === 'evaluation' && node.parent === around && around.contents.evaluation === null;
    around.contents = isFirst ? { ...around.contents, evaluation: node } : { ...around.contents, hasMore: true };
  }

  #replace(node: Node, row: ActivityRow): void {
    this.#set(node, row);
    const around = outermost(node);
    const { evaluation, ...contents } = around.contents;
    const brief = briefOf(around.row, { ...contents, evaluation: evaluation?.row ?? null });
    const { brief: before } = around.row;
    if (brief?.evaluation !== before?.evaluation || brief?.definitions !== before?.definitions)
      this.#set(around, { ...around.row, brief });
  }

  #set(node: Node, row: ActivityRow): void {
    const at = this.#rows.lastIndexOf(node.row);
    this.#rows[at] = row;
    node.row = row;
    this.#changed(at);
  }

  #changed(at: number): void {
    this.#changedFrom = Math.min(this.#changedFrom, at);
  }
}

function outermost(node: Node): Node {
  let around = node;
  while (around.parent) around = around.parent;
  return around;
}
