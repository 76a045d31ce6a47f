import { describe, expect, it } from 'vitest';
import type { ActivityEvent } from '#contract/decisions/activity.ts';
import { addActivity } from '../../base/activity-log.ts';
import { CallRows } from './call-rows.ts';

const actor = { id: 'client:1', kind: 'client' as const, name: 'Claude Code (here)' };
const EMPTY = { events: [], hasOlder: false, gaps: [], unheld: 0, filled: 0 };

function started(seq: number, call: string): ActivityEvent {
  const own = { kind: 'call-started' as const, tool: 'evaluate-lisp', level: 'cautious' as const, summary: '(sq 12)' };
  return { seq, at: seq, actor, session: null, parent: null, call, ...own };
}

function evaluated(seq: number, evaluation: string, parent: string): ActivityEvent {
  return {
    seq,
    at: seq,
    actor,
    session: null,
    parent,
    kind: 'evaluation-started',
    evaluation,
    code: '(sq 12)',
    origin: 'agent',
  };
}

function finished(seq: number, call: string): ActivityEvent {
  const own = { kind: 'call-finished' as const, tool: 'evaluate-lisp', success: true, pending: false, tookMs: 3 };
  return { seq, at: seq, actor, session: null, parent: null, call, summary: '144', bytes: 3, ...own };
}

describe('rows of a call', () => {
  it('A call has its own row and those within it, and not those of the call after it [issue 14.3]', () => {
    const rows = new CallRows();
    const log = addActivity(EMPTY, [started(1, 'a'), started(2, 'b'), evaluated(3, 'e', 'a'), finished(4, 'a')]);
    expect(rows.of('a', log).map(({ kind, outcomeText }) => [kind, outcomeText])).toEqual([
      ['call', '144'],
      ['evaluation', 'evaluating'],
    ]);
    expect(rows.of('b', log).map(({ outcome }) => outcome)).toEqual(['running']);
    expect(rows.of('c', log)).toEqual([]);
  });

  it('The list of a call is another one only when one of its rows has changed [issue 14.3]', () => {
    const rows = new CallRows();
    const first = addActivity(EMPTY, [started(1, 'a')]);
    const before = rows.of('a', first);
    const second = addActivity(first, [started(2, 'b')]);
    expect(rows.of('a', second)).toBe(before);
    const third = addActivity(second, [finished(3, 'a')]);
    expect(rows.of('a', third)).not.toBe(before);
    expect(rows.of('a', third)[0]).toMatchObject({ outcome: 'good', tookMs: 3 });
  });

  it('Calls before those that are known are found once older events were loaded [issue 14.3]', () => {
    const rows = new CallRows();
    const newer = addActivity(EMPTY, [started(5, 'b')]);
    expect(rows.of('a', newer)).toEqual([]);
    const older = { ...newer, events: [started(1, 'a'), ...newer.events] };
    expect(rows.of('a', older)).toHaveLength(1);
    expect(rows.of('b', older)).toHaveLength(1);
  });
});
